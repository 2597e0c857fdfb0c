"""Reading a results folder: files to types, checked; what a stranger wrote is data, never trusted."""

import csv
import json
from pathlib import Path
from typing import Any

from headtohead.model.errors import RecordError
from headtohead.model.host import HostFacts
from headtohead.model.plan import Plan
from headtohead.model.record import BatchRecord, CaseRecord, LoadRecord, Readings, Recorded, Recording, Run
from headtohead.store.convert import REMEDY, from_json, read_text
from headtohead.store.layout import Layout

LOAD_FIELDS = ("driver", "case", "loop", "elapsed_ns", "from_ns", "to_ns", "sent", "right", "errors")
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
    plan = from_json(read_text(layout.plan), Plan, where=layout.plan)
    numbers = sorted(int(path.name) for path in layout.runs.iterdir() if path.name.isdigit())
    return Recording(
        name=root.resolve().name,
        plan=plan,
        hosts=hosts(layout),
        runs=tuple(recorded(layout.run(number)) for number in numbers),
        stopped=_stopped(layout),
    )


def hosts(layout: Layout) -> tuple[HostFacts, ...]:
    """Return the machines of a results folder."""
    document = from_json(read_text(layout.hosts), dict[str, tuple[HostFacts, ...]], where=layout.hosts)
    return document.get("hosts", ())


def recorded(folder: Path) -> Recorded:
    """Return one run with its records and readings."""
    run = from_json(read_text(folder / "run.json"), Run, where=folder / "run.json")
    lines = folder / "records.jsonl"
    table = folder / "readings.csv"
    return Recorded(
        run=run,
        records=records(read_text(lines), where=lines) if lines.is_file() else (),
        readings=readings(read_text(table), where=table) if table.is_file() else None,
    )


def records(text: str, *, where: Path) -> tuple[CaseRecord, ...]:
    """Return the records of a JSON Lines text."""
    try:
        return tuple(record(json.loads(line)) for line in text.splitlines() if line.strip())
    except (json.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        why = f"a record is not of the form that it should have ({type(error).__name__}: {error})."
        raise RecordError(f"{where} cannot be read", why=why, remedy=REMEDY) from error


def record(document: dict[str, Any]) -> CaseRecord:
    """Return one record; ValueError, KeyError or TypeError where it is not one."""
    if document.get("format") != 1:
        raise ValueError("its format is not 1")
    if document["record"] == "batch":
        given = {key: document[key] for key in BATCH_FIELDS}
        if not isinstance(given["elapsed_ns"], int) or given["elapsed_ns"] <= 0:
            raise ValueError("elapsed_ns is not a positive whole number")
        if isinstance(given["work"], bool) or not isinstance(given["work"], int | float):
            raise ValueError("work is not a number")
        return BatchRecord(**given, from_ns=document.get("from_ns"), to_ns=document.get("to_ns"))
    if document["record"] != "load":
        raise ValueError(f"the kind {document['record']!r} is not known")
    rest = {k: v for k, v in document.items() if k not in LOAD_FIELDS and k not in ("format", "record")}
    return LoadRecord(**{key: document[key] for key in LOAD_FIELDS}, values=rest)


def readings(text: str, *, where: Path) -> Readings:
    """Return the monitors' table; a last line that is not whole (the run goes on) is left out."""
    whole = text[: text.rfind("\n") + 1]
    rows = list(csv.reader(whole.splitlines()))
    if not rows:
        return Readings(columns=(), rows=())
    try:
        cells = tuple(tuple(float(cell) if cell else None for cell in row) for row in rows[1:])
    except ValueError as error:
        raise RecordError(f"{where} cannot be read", why=f"{error}.", remedy=REMEDY) from error
    if any(len(row) != len(rows[0]) for row in cells):
        raise RecordError(f"{where} cannot be read", why="its lines differ in length.", remedy=REMEDY)
    return Readings(columns=tuple(rows[0]), rows=cells)


def _stopped(layout: Layout) -> dict[str, str] | None:
    if not layout.end.is_file():
        return None
    return from_json(read_text(layout.end), dict[str, dict[str, str]], where=layout.end).get("stopped")
