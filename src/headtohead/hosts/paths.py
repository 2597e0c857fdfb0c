"""Paths on a host, and how they name a run's owner.

An owner is a headtohead process. Its name is its process id and its start time, so a later process with the same id is
not mistaken for it.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

RUNS = Path("/var/tmp")
PROC = Path("/proc")
PREFIX = "headtohead-"
LOG = ".log"
UNGUESSED = 10**8
"""Among this many numbers of runs no other user guesses one, to take its name before it is made."""
RUN_ID = re.compile(r"(?P<pid>[1-9]\d*)-(?P<start>\d+)-(?P<number>\d+)")
# Fields of /proc/PID/stat counted from the state (field 3), the first after the name in parentheses: proc(5).
STATE = 0
START_TICKS = 19
DEAD_STATES = frozenset("ZXx")


@dataclass(frozen=True)
class Owner:
    """A headtohead process: its id, and when it started in clock ticks since boot (field 22 of /proc/PID/stat)."""

    pid: int
    start_ticks: int

    def run_id(self, number: int) -> str:
        """Return the id of this owner's run of that number: ``<pid>-<start ticks>-<number>``."""
        return f"{self.pid}-{self.start_ticks}-{number}"


def this_owner() -> Owner:
    """Return the running process as an owner."""
    pid = os.getpid()
    return Owner(pid, start_ticks(pid) or 0)


def owner_of(run_id: str) -> Owner | None:
    """Return the owner in a run's id, None if it is not such an id.

    >>> owner_of("812-90210-7")
    Owner(pid=812, start_ticks=90210)
    """
    found = RUN_ID.fullmatch(run_id)
    return Owner(int(found["pid"]), int(found["start"])) if found else None


def is_alive(owner: Owner, *, proc: Path = PROC) -> bool:
    """Return whether that process still runs; a zombie does not."""
    fields = stat_fields(owner.pid, proc=proc)
    return bool(fields) and fields[STATE] not in DEAD_STATES and int(fields[START_TICKS]) == owner.start_ticks


def start_ticks(pid: int, *, proc: Path = PROC) -> int | None:
    """Return when a process started, in clock ticks since boot; None if there is no such process."""
    fields = stat_fields(pid, proc=proc)
    return int(fields[START_TICKS]) if fields else None


def stat_fields(pid: int, *, proc: Path = PROC) -> tuple[str, ...]:
    """Return the fields of /proc/PID/stat from the state on (index 0), empty if there is no such process."""
    try:
        text = (proc / str(pid) / "stat").read_text(errors="replace")
    except OSError:
        return ()
    # The name may itself hold spaces and parentheses; the last parenthesis closes it.
    return tuple(text.rpartition(")")[2].split())


def cache_dir(*, environ: Mapping[str, str] = os.environ, root: bool | None = None) -> Path:
    """Return where prepared data and programs are kept: one place for root, else the user's cache."""
    if os.geteuid() == 0 if root is None else root:
        return Path("/var/cache/headtohead")
    base = environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "headtohead"


def user_content() -> Path:
    """Return the folder of the user's own subjects and workloads; it may be missing."""
    base = os.environ.get("XDG_DATA_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".local" / "share") / "headtohead"


def run_dir(run_id: str) -> Path:
    """Return the private directory of a run, which supervise makes and removes."""
    return RUNS / f"{PREFIX}{run_id}"


def supervise_log(cache: Path, run_id: str) -> Path:
    """Return the file of what the supervise of a run prints; it ends with the run."""
    return cache / f"{PREFIX}{run_id}{LOG}"


def work_dir(run_dir: Path) -> Path:
    """Return the folder in a run's directory that belongs to the user of its programs; supervise makes it too."""
    return run_dir / "work"


def lock_path(cache: Path) -> Path:
    """Return the file whose lock is held while a study measures, in a folder that only its owner may enter."""
    return cache / "measuring" / "lock"
