"""The runs that count where other tests keep the machine busy: a run that it spoiled is carried out once more."""

from collections.abc import Mapping, Sequence
from typing import Any

EXCUSED = ("no-response", "before the driver was ready")
"""Reasons of a busy machine: a server answered nothing in a short time, a driver began too late."""


def last_attempts(runs: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the last attempt at each place of each block; each one before it has an excuse."""
    last: dict[tuple[str, int, int], Mapping[str, Any]] = {}
    for each in sorted(runs, key=lambda each: each["run"]):
        place = (each["experiment"], each["block"], each["place"])
        if before := last.get(place):
            assert before["status"] != "valid", before
            assert any(excuse in reason for excuse in EXCUSED for reason in before["reasons"]), before["reasons"]
        last[place] = each
    return list(last.values())
