"""The load: which fields a loop knows, what a list makes cases of, and what a study changes."""

from collections.abc import Mapping
from typing import Any

from headtohead.describe.place import Place
from headtohead.model.quantity import Scalar
from headtohead.model.workload import Load, Loop

_TIMES = ("warm_up_s", "measure_s", "timeout_s")
_CLOSED = ("loop", "connections", *_TIMES)
"""The fields that the closed loop knows."""


def loop_of(asks: str) -> Loop:
    """Return the loop that an interface is asked by: batch work drives itself."""
    return "batch" if asks.startswith("batch/") else "closed"


def read_load(table: Mapping[str, Any], *, loop: Loop, place: Place) -> Load:
    """Return a workload's load; raises WordsError for a field that its loop does not know, or lacks."""
    if loop == "batch":
        return _batch(table, place)
    for field in table:
        if field not in _CLOSED:
            raise place.at("load").unknown("field", field, known=_CLOSED, owner="the closed loop")
    for field in ("connections", "measure_s"):
        if field not in table:
            why = "The closed loop needs to know how many users wait, and how long it measures."
            raise place.at("load").wrong(f'"{field}" is missing', why=why, remedy=f"Write {field} = ...")
    # One number of connections is a case too: the driver is asked by cases, and files name them alike.
    connections = table["connections"] if isinstance(table["connections"], list) else [table["connections"]]
    return Load(
        loop="closed",
        cases={"connections": tuple(connections)},
        settings={},
        warm_up_s=float(table.get("warm_up_s", 0)),
        measure_s=float(table["measure_s"]),
        timeout_s=float(table.get("timeout_s", Load.timeout_s)),
    )


def _batch(table: Mapping[str, Any], place: Place) -> Load:
    for field in ("loop", *_TIMES):
        if field in table:
            why = "Batch work drives and times itself; no loop asks for it."
            raise place.at(f"load.{field}").wrong(f'unknown field "{field}"', why=why, remedy="Remove it.")
    cases = {field: tuple(value) for field, value in table.items() if isinstance(value, list)}
    settings: dict[str, Scalar] = {field: value for field, value in table.items() if field not in cases}
    return Load(loop="batch", cases=cases, settings=settings)


def merged(workload: Mapping[str, Any], study: Mapping[str, Any], *, loop: Loop, place: Place) -> dict[str, Any]:
    """Return the workload's ``[load]`` with what the study sets in its place.

    A single value for a field that the workload lists is a list of one, so that cases keep their fields.
    """
    for field in study:
        if loop == "batch" and field not in workload and field not in ("loop", *_TIMES):
            raise place.at("load").unknown("field", field, known=workload, owner="this workload's load")
    changed = dict(workload)
    for field, value in study.items():
        listed = isinstance(workload.get(field), list) and not isinstance(value, list)
        changed[field] = [value] if listed else value
    return changed
