"""The processes of this machine, read from /proc, and ended by their id."""

import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from headtohead.hosts.paths import DEAD_STATES, PREFIX, RUN_ID, STATE, stat_fields

OWNER_VARIABLE = b"HEADTOHEAD_OWNER="
PARENT = 1
TERMINAL = 4
ENDED_WITHIN_S = 5.0
LOOK_EVERY_S = 0.02
CGROUP = re.compile(rf"{PREFIX}({RUN_ID.pattern})-.*")
RUN_DIR = re.compile(rf"{PREFIX}({RUN_ID.pattern})")


def all_pids(proc: Path) -> Iterator[int]:
    """Yield the id of every process."""
    for each in proc.iterdir():
        if each.name.isdecimal():
            yield int(each.name)


def is_running(pid: int, proc: Path) -> bool:
    """Return whether a process runs; a zombie does not."""
    fields = stat_fields(pid, proc=proc)
    return bool(fields) and fields[STATE] not in DEAD_STATES


def name_of(pid: int, proc: Path) -> str:
    """Return the name of a process as the kernel keeps it, ``?`` if it is gone.

    Every user chooses those of his own, so what could write on a terminal is replaced.
    """
    try:
        name = (proc / str(pid) / "comm").read_text(errors="replace").strip()
    except OSError:
        return "?"
    return "".join(each if each.isprintable() else "?" for each in name)


def ancestry(pid: int, proc: Path) -> frozenset[int]:
    """Return a process and all its ancestors."""
    found: set[int] = set()
    while pid > 0 and pid not in found:
        found.add(pid)
        fields = stat_fields(pid, proc=proc)
        pid = int(fields[PARENT]) if fields else 0
    return frozenset(found)


def run_of_environment(pid: int, proc: Path) -> str | None:
    """Return the run whose supervise started a process, from its environment."""
    for variable in _read(proc / str(pid) / "environ").split(b"\0"):
        if variable.startswith(OWNER_VARIABLE):
            return variable.removeprefix(OWNER_VARIABLE).decode(errors="replace")
    return None


def run_of_directory(pid: int, proc: Path) -> str | None:
    """Return the run in whose directory a process works; None for one at a terminal, which is a person's."""
    fields = stat_fields(pid, proc=proc)
    if not fields or fields[TERMINAL] != "0":
        return None
    try:
        folder = (proc / str(pid) / "cwd").readlink()
    except OSError:
        return None
    found = [match for part in folder.parts if (match := RUN_DIR.fullmatch(part.removesuffix(" (deleted)")))]
    return found[0][1] if found else None


def run_of_supervise(pid: int, proc: Path) -> str | None:
    """Return the run that a process supervises, None for every other process."""
    words = _read(proc / str(pid) / "cmdline").split(b"\0")
    if b"supervise" not in words[1:2] or b"--id" not in words[:-1]:
        return None
    return words[words.index(b"--id") + 1].decode(errors="replace")


def run_of_cgroup(pid: int, proc: Path) -> str | None:
    """Return the run in whose control group a process is, in any hierarchy."""
    for line in _read(proc / str(pid) / "cgroup").decode(errors="replace").splitlines():
        for part in line.rpartition(":")[2].split("/"):
            found = CGROUP.fullmatch(part)
            if found:
                return found[1]
    return None


def end_all(is_meant: Callable[[int], bool], *, proc: Path) -> frozenset[int]:
    """Kill every process that matches, repeatedly until two looks find none; return those that were killed.

    One look may miss a process whose parent forked it and ended meanwhile. Processes of other users, which may not be
    killed, are left.
    """
    ended: set[int] = set()
    refused: set[int] = set()
    empty_looks = 0
    deadline = time.monotonic() + ENDED_WITHIN_S
    while empty_looks < 2 and time.monotonic() < deadline:
        found = [pid for pid in all_pids(proc) if pid not in refused and is_meant(pid) and is_running(pid, proc)]
        empty_looks = 0 if found else empty_looks + 1
        for pid in found:
            (ended if _kill(pid, is_meant) else refused).add(pid)
        time.sleep(LOOK_EVERY_S)
    return frozenset(ended)


def _kill(pid: int, is_meant: Callable[[int], bool]) -> bool:
    """Kill a process by a handle, so that no other process that got its id meanwhile is hit; False if not allowed."""
    try:
        handle = os.pidfd_open(pid)
    except OSError:
        return True
    try:
        if is_meant(pid):
            signal.pidfd_send_signal(handle, signal.SIGKILL)
    except PermissionError:
        return False
    except ProcessLookupError:
        return True
    finally:
        os.close(handle)
    return True


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
