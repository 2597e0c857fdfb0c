"""Reading a results folder: files to types, checked; a stranger's files are data, never trusted."""

import csv
import hashlib
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from headtohead.model.analysis.reference import ReferenceMachine
from headtohead.model.case import Case
from headtohead.model.errors import RecordError
from headtohead.model.machine.host import HostFacts
from headtohead.model.plan import Plan
from headtohead.model.record import (
    BatchRecord,
    CaseRecord,
    LoadRecord,
    Readings,
    Recorded,
    Recording,
    RefusedRecord,
    Run,
    Setting,
)
from headtohead.model.text import harmless
from headtohead.store.convert import REMEDY, parsed, read_document, read_text
from headtohead.store.images import pictured
from headtohead.store.layout import Layout
from headtohead.store.measurements import from_csv
from headtohead.store.noise import read_floor
from headtohead.store.settings import settings
from headtohead.store.untrusted import bounds
from headtohead.store.untrusted.strict import is_scalar

LOAD_FIELDS = ("driver", "case", "loop", "elapsed_ns", "from_ns", "to_ns", "sent", "right", "errors")
LOAD_TABLES = ("queries", "counters")
REASON_AT_MOST = 400
LONGEST_REASON = 500
BATCH_FIELDS = ("case", "work", "work_in", "elapsed_ns", "answer", "metrics")


def recording(root: Path) -> Recording:
    """Return a results folder as types; RecordError names the file that is missing or wrong."""
    layout = Layout(root)
    if not layout.plan.is_file():
        raise RecordError(
            f"{root} is not a results folder",
            why="it holds no plan.json.",
            remedy="Name a folder that `headtohead run` made, such as results/2026-11-20-first.",
        )
    plan = read_document(layout.plan, Plan, within=root)
    bounds.check_plan(plan, where=layout.plan)
    runs = tuple(_runs(layout, plan))
    return Recording(
        name=harmless(root.resolve().name),
        plan=plan,
        hosts=hosts(layout),
        runs=pictured(layout, runs),
        stopped=_stopped(layout),
        noise=read_floor(root),
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
    plan = read_document(layout.plan, Plan, within=root)
    bounds.check_plan(plan, where=layout.plan)
    table = read_text(layout.measurements, within=root)
    found = from_csv(table, where=layout.measurements)
    planned = {(each.name, arm.label) for each in plan.experiments for arm in each.treatments}
    for each in found:
        if (each.experiment, each.treatment) not in planned:
            why = f"its {each.treatment[:80]!r} of {each.experiment[:80]!r} is not in plan.json."
            raise RecordError(f"{layout.measurements} does not belong here", why=why, remedy=REMEDY)
    return ReferenceMachine(
        name=harmless(root.resolve().name),
        plan=plan,
        hosts=hosts(layout),
        measurements=found,
        measurements_sha256=hashlib.sha256(table.encode()).hexdigest(),
    )


def hosts(layout: Layout) -> tuple[HostFacts, ...]:
    """Return the machines of a results folder."""
    document = read_document(layout.hosts, dict[str, tuple[HostFacts, ...]], within=layout.root)
    return document.get("hosts", ())


def _numbers(layout: Layout) -> list[int]:
    """Return the numbers of the existing runs; other names in runs/ are not ours."""
    names = [path.name for path in layout.runs.iterdir()] if layout.runs.is_dir() else []
    return sorted(int(name) for name in names if name.isascii() and name.isdigit() and f"{int(name):04d}" == name)


def _runs(layout: Layout, plan: Plan) -> Iterator[Recorded]:
    """Yield the existing runs; RecordError for one that is not in the plan, and for too many."""
    planned = {(one.name, each.block, each.place, each.treatment) for one in plan.experiments for each in one.runs}
    numbers, held = _numbers(layout), 0
    bounds.check_runs(layout, numbers)
    for number in numbers:
        found = recorded(layout, number)
        run, where = found.run, layout.run(number)
        if (run.experiment, run.block, run.place, run.label) not in planned:
            why = f"its run of {run.label[:80]!r} in block {run.block} of {run.experiment[:80]!r} is not in plan.json."
            raise RecordError(f"{where} does not belong here", why=why, remedy=REMEDY)
        held += bounds.cells(found.readings)
        bounds.check_cells(held, where=layout.runs)
        yield found


def recorded(layout: Layout, number: int) -> Recorded:
    """Return one run with its records and readings."""
    folder, within = layout.run(number), layout.root
    run = read_document(folder / "run.json", Run, within=within)
    if run.run != number:
        raise RecordError(f"{folder} does not belong here", why=f"its run.json is of run {run.run}.", remedy=REMEDY)
    lines = folder / "records.jsonl"
    table = folder / "readings.csv"
    told = folder / "configuration.tsv"
    return Recorded(
        run=run,
        records=records(read_text(lines, within=within), where=lines) if lines.is_file() else (),
        readings=readings(_read_table(table, within=within), where=table) if table.is_file() else None,
        configuration=configuration(read_text(told, within=within), where=told) if told.is_file() else (),
    )


def configuration(text: str, *, where: Path) -> tuple[Setting, ...]:
    """Return the settings that were in force."""
    try:
        return settings(text)
    except ValueError as error:
        raise RecordError(f"{where} cannot be read", why=f"{error}.", remedy=REMEDY) from error


def records(text: str, *, where: Path) -> tuple[CaseRecord, ...]:
    """Return the records of a JSON Lines text."""
    try:
        return tuple(record(parsed(line)) for line in text.split("\n") if line.strip())
    except (KeyError, TypeError, ValueError) as error:
        why = f"a record does not have the required form ({type(error).__name__}: {error})."
        raise RecordError(f"{where} cannot be read", why=why, remedy=REMEDY) from error


def record(document: dict[str, Any]) -> CaseRecord:
    """Return one record; ValueError, KeyError or TypeError if it is not valid."""
    if not isinstance(document, dict) or document.get("format") != 1:
        raise ValueError("its format is not 1")
    if document["record"] not in ("batch", "load", "refused"):
        raise ValueError(f"the kind {document['record']!r} is not known")
    _check_scalars(document["case"], what="its case")
    for name in ("from_ns", "to_ns"):
        if not isinstance(document.get(name), int | None):
            raise TypeError(f"{name} is not a whole number")
    if document["record"] == "refused":
        return _refused(document)
    if document["record"] == "batch":
        given = {**{key: document[key] for key in BATCH_FIELDS}, "case": Case(document["case"])}
        if not isinstance(given["elapsed_ns"], int) or given["elapsed_ns"] <= 0:
            raise ValueError("elapsed_ns is not a positive whole number")
        if isinstance(given["work"], bool) or not isinstance(given["work"], int | float) or given["work"] < 0:
            raise ValueError("work is not a number of at least 0")
        _check_numbers(given["metrics"], what="metrics")
        _check_texts(document, "work_in")
        _check_scalars({"answer": given["answer"]}, what="its answer")
        why_not = document.get("why_not", "")
        if not isinstance(why_not, str) or len(why_not) > LONGEST_REASON:
            raise TypeError(f"why_not is not a text of at most {LONGEST_REASON} characters")
        return BatchRecord(**given, from_ns=document.get("from_ns"), to_ns=document.get("to_ns"), why_not=why_not)
    return _load_record(document)


def _refused(document: dict[str, Any]) -> RefusedRecord:
    reason = document["reason"]
    if not isinstance(reason, str) or not reason.strip() or len(reason) > REASON_AT_MOST:
        raise ValueError(f"the reason of a refusal is not a text of at most {REASON_AT_MOST} characters")
    return RefusedRecord(case=Case(document["case"]), reason=reason.strip())


def _load_record(document: dict[str, Any]) -> LoadRecord:
    rest = {k: v for k, v in document.items() if k not in (*LOAD_FIELDS, *LOAD_TABLES, "format", "record")}
    _check_figures(rest, what="its figures")
    _check_texts(document, "driver", "loop")
    _check_counts(document, "elapsed_ns", "sent", "right")
    _check_numbers(document["errors"], what="errors")
    _check_counts(document["errors"], *document["errors"])
    queries, counters = (document.get(name) or {} for name in LOAD_TABLES)
    if not isinstance(queries, dict):
        raise TypeError("queries are not a table")
    for name, figures in queries.items():
        _check_figures(figures, what=f"the figures of {name}")
    _check_numbers(counters, what="counters")
    given = {**{key: document[key] for key in LOAD_FIELDS}, "case": Case(document["case"])}
    return LoadRecord(**given, values=rest, queries=queries, counters=counters)


def _check_figures(table: object, *, what: str) -> None:
    """Raise TypeError if a value of a table is neither a finite number nor None."""
    known = {k: v for k, v in table.items() if v is not None} if isinstance(table, dict) else table
    _check_numbers(known, what=what)


def _check_scalars(table: object, *, what: str) -> None:
    """Raise TypeError if a value of a table is not a text, a number, true or false."""
    if not isinstance(table, dict) or not all(map(is_scalar, table.values())):
        raise TypeError(f"{what} is not a table of single values")


def _check_texts(table: Mapping[str, object], *names: str) -> None:
    for name in names:
        if not isinstance(table[name], str):
            raise TypeError(f"{name} is not a text")


def _check_counts(table: Mapping[str, object], *names: str) -> None:
    for name in names:
        value = table[name]
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise TypeError(f"{name} is not a count")


def _check_numbers(table: object, *, what: str) -> None:
    """Raise TypeError if a value of a table is not a finite number."""
    if not isinstance(table, dict):
        raise TypeError(f"{what} are not a table")
    for name, value in table.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise TypeError(f"{name} is not a number")


def readings(text: str, *, where: Path) -> Readings:
    """Return the monitors' table; a last line that is not whole (the run goes on) is left out."""
    lines = csv.reader(io.StringIO(text[: text.rfind("\n") + 1]))
    try:
        columns = tuple(next(lines, ()))
        rows = tuple(_row(cells, width=len(columns)) for cells in lines)
    except (csv.Error, ValueError) as error:
        raise RecordError(f"{where} cannot be read", why=f"line {lines.line_num}: {error}.", remedy=REMEDY) from error
    return Readings(columns=columns, rows=rows)


def _row(cells: Sequence[str], *, width: int) -> tuple[float | None, ...]:
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
