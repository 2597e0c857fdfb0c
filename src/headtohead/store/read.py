"""Reading a results folder: files to types, checked; a stranger's files are data, never trusted."""

import csv
import hashlib
import io
import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import methodcaller
from pathlib import Path

import msgspec

from headtohead.model.analysis.suite import ReferenceMachine
from headtohead.model.errors import RecordError
from headtohead.model.harmless_text import harmless
from headtohead.model.machine.host import HostFacts
from headtohead.model.plan import Plan
from headtohead.model.readings import Readings, Row, Rows
from headtohead.model.record import (
    Recorded,
    Recording,
    Run,
    Setting,
)
from headtohead.store.added_blocks import read_more
from headtohead.store.convert import REMEDY, read_document, read_text
from headtohead.store.given_facts import read_race
from headtohead.store.layout import Layout
from headtohead.store.machine_records import read_floor
from headtohead.store.measurements import from_csv
from headtohead.store.proof import run_order
from headtohead.store.proof.inspection import Inspection
from headtohead.store.proof.possible_values import impossible
from headtohead.store.read_systems import ask_noise_heeded
from headtohead.store.run.excluded import after_exclusion, read_excluded
from headtohead.store.run.images import pictured
from headtohead.store.run.read_ahead import read_ahead
from headtohead.store.run.records import records
from headtohead.store.run.settings import settings
from headtohead.store.untrusted import bounds


def recording(root: Path) -> Recording:
    """Return a results folder as types; RecordError names the file that is missing or wrong."""
    layout = Layout(root)
    if not layout.plan.is_file():
        raise RecordError(
            f"{root} is not a results folder",
            why="it holds no plan.json.",
            remedy="Name a folder that `headtohead run` made, such as results/2026-11-20-first.",
        )
    plan = planned(layout).with_more(read_more(layout))
    bounds.check_plan(plan, where=layout.plan)
    stopped, numbers = _stopped(layout), _numbers(layout)
    bounds.check_runs(layout, numbers)
    inspection = Inspection(layout, numbers)
    runs = _proved(tuple(_runs(layout, plan, inspection)), inspection, stopped=stopped)
    return Recording(
        name=harmless(root.resolve().name),
        plan=plan,
        hosts=hosts(layout),
        runs=pictured(layout, runs),
        stopped=stopped,
        noise=read_floor(root),
        proof=inspection.proof(),
        race=read_race(layout),
    )


def reference(root: Path) -> ReferenceMachine:
    """Return a results folder as a reference machine; reads only plan.json, hosts.json and measurements.csv."""
    layout = Layout(root)
    missing = [each.name for each in (layout.plan, layout.hosts, layout.measurements) if not each.is_file()]
    if missing:
        raise RecordError(
            f"{root} cannot be a reference machine",
            why=f"it holds no {', no '.join(missing)}.",
            remedy="Name a results folder that is finished; `headtohead report` writes its measurements.csv again.",
        )
    plan = planned(layout).with_more(read_more(layout))
    bounds.check_plan(plan, where=layout.plan)
    ask_noise_heeded(plan, root)
    table = read_text(layout.measurements, within=root)
    found = from_csv(table, where=layout.measurements)
    arms = {(each.name, arm.label) for each in plan.experiments for arm in each.treatments}
    for each in found:
        if (each.experiment, each.treatment) not in arms:
            why = f"its {each.treatment[:80]!r} of {each.experiment[:80]!r} is not in plan.json."
            raise RecordError(f"{layout.measurements} does not belong here", why=why, remedy=REMEDY)
    return ReferenceMachine(
        name=harmless(root.resolve().name),
        plan=plan,
        hosts=hosts(layout),
        measurements=found,
        measurements_sha256=hashlib.sha256(table.encode()).hexdigest(),
    )


def planned(layout: Layout) -> Plan:
    """Return the plan as it was before the first run."""
    return read_document(layout.plan, Plan, within=layout.root)


def hosts(layout: Layout) -> tuple[HostFacts, ...]:
    """Return the machines of a results folder."""
    document = read_document(layout.hosts, dict[str, tuple[HostFacts, ...]], within=layout.root)
    return document.get("hosts", ())


def _numbers(layout: Layout) -> list[int]:
    """Return the numbers of the existing runs; other names in runs/ are not ours."""
    names = [path.name for path in layout.runs.iterdir()] if layout.runs.is_dir() else []
    return sorted(int(name) for name in names if name.isascii() and name.isdigit() and f"{int(name):04d}" == name)


def _runs(layout: Layout, plan: Plan, inspection: Inspection) -> Iterator[Recorded]:
    """Yield the existing runs whose files are proved; RecordError for one not in the plan, and for too many."""
    planned = {(one.name, each.block, each.place, each.treatment) for one in plan.experiments for each in one.runs}
    excluded, held = read_excluded(layout), 0
    for number, ahead in zip(inspection.numbers, read_ahead(layout, inspection.numbers, _whole), strict=True):
        inspection.ahead = ahead.sums
        if not inspection.admits(number):
            continue
        run, where = ahead.found.run if ahead.found else _run(layout, number), layout.run(number)
        if (run.experiment, run.block, run.place, run.label) not in planned:
            why = f"its run of {run.label[:80]!r} in block {run.block} of {run.experiment[:80]!r} is not in plan.json."
            raise RecordError(f"{where} does not belong here", why=why, remedy=REMEDY)
        if not inspection.proves(run):
            continue
        found = ahead.found or _content(layout, run)
        held += bounds.cells(found.readings)
        bounds.check_cells(held, where=layout.runs)
        says = impossible(found)
        if says:
            inspection.exclude(f"runs/{where.name}", says, experiment=run.experiment)
            continue
        yield replace(found, run=after_exclusion(run, excluded))


def _proved(
    runs: tuple[Recorded, ...], inspection: Inspection, *, stopped: Mapping[str, str] | None
) -> tuple[Recorded, ...]:
    """Return the runs without copies of others, and note what cannot be of all of them together."""
    repeated = run_order.copies(runs)
    notes = [each.run for each in runs]
    inspection.flaws += repeated.values()
    inspection.flaws += run_order.disorder(notes, numbers=inspection.numbers)
    inspection.flaws += run_order.missing_blocks(notes, stopped=stopped or {})
    return tuple(each for each in runs if each.run.run not in repeated)


def recorded(layout: Layout, number: int) -> Recorded:
    """Return one run with its records and readings, as it counts now; its files are not checked."""
    found = _whole(layout, number)
    return replace(found, run=after_exclusion(found.run, read_excluded(layout)))


def _whole(layout: Layout, number: int) -> Recorded:
    return _content(layout, _run(layout, number))


def _run(layout: Layout, number: int) -> Run:
    folder = layout.run(number)
    run = read_document(folder / "run.json", Run, within=layout.root)
    if run.run != number:
        raise RecordError(f"{folder} does not belong here", why=f"its run.json is of run {run.run}.", remedy=REMEDY)
    return run


def _content(layout: Layout, run: Run) -> Recorded:
    folder, within = layout.run(run.run), layout.root
    lines = folder / "records.jsonl"
    table = folder / "readings.csv"
    used = folder / "configuration.tsv"
    return Recorded(
        run=run,
        records=records(read_text(lines, within=within), where=lines) if lines.is_file() else (),
        readings=readings(_read_table(table, within=within), where=table) if table.is_file() else None,
        configuration=configuration(read_text(used, within=within), where=used) if used.is_file() else (),
    )


def configuration(text: str, *, where: Path) -> tuple[Setting, ...]:
    """Return the settings that were in force."""
    try:
        return settings(text)
    except ValueError as error:
        raise RecordError(f"{where} cannot be read", why=f"{error}.", remedy=REMEDY) from error


def readings(text: str, *, where: Path) -> Readings:
    """Return the monitors' table; a last line that is not whole (the run goes on) is left out."""
    whole = text[: text.rfind("\n") + 1]
    head, _, body = whole.partition("\n")
    columns = _columns(head)
    cells = None if '"' in whole or "\r" in whole else _cells(body, width=len(columns))
    if cells is not None:
        return Readings(columns=columns, rows=Rows(cells, width=len(columns)))
    lines = csv.reader(io.StringIO(whole))
    try:
        columns = tuple(next(lines, ()))
        rows = Rows.of((_row(row, width=len(columns)) for row in lines), width=len(columns))
    except (csv.Error, ValueError) as error:
        raise RecordError(f"{where} cannot be read", why=f"line {lines.line_num}: {error}.", remedy=REMEDY) from error
    return Readings(columns=columns, rows=rows)


@lru_cache(maxsize=64)
def _columns(head: str) -> tuple[str, ...]:
    """Return the names of a table's columns, kept once for all runs that have the same."""
    return tuple(head.split(","))


def _cells(body: str, *, width: int) -> "array[float] | None":
    """Return the cells of lines without quotes, all at once, or None if a line is not as it should be.

    With millions of cells each step counts. An empty cell is not a number here, and no other may say so.
    """
    lines = body.split("\n")
    if lines.pop() or set(map(_COMMA, lines)) != {width - 1} or "n" in body or "N" in body:
        return None
    joined = ",".join(lines)
    try:
        return array("d", _NUMBERS.decode(f"[{joined}]"))
    except (msgspec.DecodeError, ValueError):
        return _cells_of_any_form(joined.split(","))


def _cells_of_any_form(texts: Sequence[str]) -> "array[float] | None":
    """Return cells of which one is empty, or a number that JSON has not (``07``); None if one is not a number."""
    try:
        cells = array("d", map(float, texts if "" not in texts else [each or "nan" for each in texts]))
    except ValueError:
        return None
    return None if math.inf in cells or -math.inf in cells else cells


_NUMBERS = msgspec.json.Decoder(list[float])
"""JSON numbers are read eight times as fast as by ``float``, to the same values."""
_COMMA = methodcaller("count", ",")


def _row(cells: Sequence[str], *, width: int) -> Row:
    if len(cells) != width:
        raise ValueError("its lines differ in length")
    row = tuple(float(cell) if cell else None for cell in cells)
    if any(cell is not None and not math.isfinite(cell) for cell in row):
        raise ValueError("a reading is not a finite number")
    return row


def _read_table(path: Path, *, within: Path) -> str:
    return read_text(path, within=within, most=bounds.MOST_READINGS_BYTES)


def _stopped(layout: Layout) -> dict[str, str] | None:
    if not layout.end.is_file():
        return None
    return read_document(layout.end, dict[str, dict[str, str]], within=layout.root).get("stopped")
