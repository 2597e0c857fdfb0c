"""Locks between processes: one measures at a time, and one makes a part of the cache at a time."""

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator
from pathlib import Path

from headtohead.model.errors import BusyError, HostError


@contextlib.contextmanager
def measuring(path: Path, *, study: str, since: str) -> Iterator[None]:
    """Hold the lock of this machine; BusyError names the holder if there is one.

    ``study`` and ``since`` (a time as text) are kept in the file, for the error of the next caller. The lock is the
    kernel's (flock): it ends with its process, and children do not inherit it.
    """
    file = _open(path)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as held:
            raise _busy(file) from held
        _write(file, json.dumps({"pid": os.getpid(), "study": study, "since": since}))
        try:
            yield
        finally:
            _write(file, "")
    finally:
        os.close(file)


@contextlib.contextmanager
def making(path: Path) -> Iterator[None]:
    """Hold the right to make a file or folder that several processes use; wait until no other process makes it.

    Look again afterwards: it may have been made meanwhile. The lock is a file next to it, which stays.
    """
    file = _open(path.with_name(f"{path.name}.lock"), mode=0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)


def _open(path: Path, *, mode: int = 0o644) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, mode)
    except OSError as denied:
        raise HostError(
            f"The lock {path.name} cannot be opened",
            why=f"{denied.strerror}: {path}.",
            remedy="Check who owns that folder, or set XDG_CACHE_HOME.",
        ) from denied


def _write(file: int, text: str) -> None:
    os.ftruncate(file, 0)
    os.pwrite(file, text.encode(), 0)


def _busy(file: int) -> BusyError:
    try:
        holder = json.loads(os.pread(file, 4096, 0))
    except ValueError:
        holder = {}
    who = f"process {holder.get('pid', 'unknown')}"
    study = holder.get("study", "a study")
    return BusyError(
        "Another measurement is going on here",
        why=f"{study} has been measured by {who} since {holder.get('since', 'a moment ago')}.",
        remedy=f"Wait for it, or end it (kill -INT {holder['pid']})." if "pid" in holder else "Wait for it.",
    )
