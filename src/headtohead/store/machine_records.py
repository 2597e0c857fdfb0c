"""What is known of a machine on disk: its noise floor, the spread between its sessions, and how long runs took.

Each results folder has a copy of the first two, as they were when it was made.
"""

import math
from pathlib import Path

from headtohead.model.errors import RecordError
from headtohead.model.machine.durations import RecordedDurations
from headtohead.model.machine.noise import NoiseFloor
from headtohead.model.machine.sessions import SessionSpreads
from headtohead.store.convert import REMEDY, read_document, to_json
from headtohead.store.durable import whole

NAME = "noise.json"
SESSIONS = "sessions.json"
DURATIONS = "durations.json"


def read_floor(folder: Path) -> NoiseFloor | None:
    """Return the noise floor in a folder, or None if there is none; RecordError if it is not valid."""
    path = folder / NAME
    return read_document(path, NoiseFloor, within=folder) if path.is_file() else None


def keep_floor(folder: Path, floor: NoiseFloor) -> None:
    """Keep a noise floor in a folder, replacing an earlier one."""
    folder.mkdir(parents=True, exist_ok=True)
    whole(folder / NAME, to_json(floor))


def read_spreads(folder: Path) -> SessionSpreads | None:
    """Return the spread between sessions in a folder, or None if there is none; RecordError if it is not valid."""
    path = folder / SESSIONS
    if not path.is_file():
        return None
    found = read_document(path, SessionSpreads, within=folder)
    if not all(each.sessions > 1 and each.runs > 0 and each.spread >= 0 for each in found.tests):
        why = "a spread is below 0, or of fewer than two sessions."
        raise RecordError(f"{path} cannot be read", why=why, remedy=REMEDY)
    return found


def keep_spreads(folder: Path, spreads: SessionSpreads) -> None:
    """Keep the spread between sessions in a folder, replacing an earlier one."""
    folder.mkdir(parents=True, exist_ok=True)
    whole(folder / SESSIONS, to_json(spreads))


def read_durations(folder: Path) -> RecordedDurations | None:
    """Return how long runs took, or None if that is not recorded; RecordError if it is not valid."""
    path = folder / DURATIONS
    if not path.is_file():
        return None
    found = read_document(path, RecordedDurations, within=folder)
    if not all(0 < seconds < math.inf for each in found.tests for seconds in (each.seconds, each.planned_s)):
        raise RecordError(f"{path} cannot be read", why="a duration is not above 0.", remedy=REMEDY)
    return found


def keep_durations(folder: Path, durations: RecordedDurations) -> None:
    """Keep how long runs took, replacing what was recorded earlier."""
    folder.mkdir(parents=True, exist_ok=True)
    whole(folder / DURATIONS, to_json(durations))
