"""The records of a run (``records.jsonl``): one JSON document a line to types, checked."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headtohead.model.case import shared
from headtohead.model.errors import RecordError
from headtohead.model.record import BatchRecord, CaseRecord, LoadRecord, RefusedRecord
from headtohead.store.convert import REMEDY, parsed
from headtohead.store.untrusted.strict_types import is_scalar

LOAD_FIELDS = ("driver", "case", "loop", "elapsed_ns", "from_ns", "to_ns", "sent", "right", "errors")
LOAD_TABLES = ("queries", "counters", "drivers")
REASON_AT_MOST = 400
LONGEST_REASON = 500
BATCH_FIELDS = ("case", "work", "work_in", "elapsed_ns", "answer", "metrics")


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
        given = {**{key: document[key] for key in BATCH_FIELDS}, "case": shared(document["case"])}
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
    return RefusedRecord(case=shared(document["case"]), reason=reason.strip())


def _load_record(document: dict[str, Any]) -> LoadRecord:
    rest = {k: v for k, v in document.items() if k not in (*LOAD_FIELDS, *LOAD_TABLES, "format", "record")}
    _check_figures(rest, what="its figures")
    _check_texts(document, "driver", "loop")
    _check_counts(document, "elapsed_ns", "sent", "right")
    _check_numbers(document["errors"], what="errors")
    _check_counts(document["errors"], *document["errors"])
    if document["from_ns"] is None or document["to_ns"] is None:
        raise TypeError("from_ns or to_ns is not known")
    queries, counters, drivers = (document.get(name) or {} for name in LOAD_TABLES)
    for table in (queries, drivers):
        if not isinstance(table, dict):
            raise TypeError("queries and drivers are not tables")
        for name, figures in table.items():
            _check_figures(figures, what=f"the figures of {name}")
    _check_numbers(counters, what="counters")
    given = {**{key: document[key] for key in LOAD_FIELDS}, "case": shared(document["case"])}
    return LoadRecord(**given, values=rest, queries=queries, counters=counters, drivers=drivers)


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
