"""Locks of the cache: one measures with it at a time, and one makes a part of it at a time. The machine has its own.

No other user can hold us up.
"""

import contextlib
import fcntl
import json
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from headtohead.hosts.file_owners import name_of, user_name
from headtohead.model.errors import BusyError, HostError

FOLDER_MODE, FILE_MODE = 0o700, 0o600
LOCKS = ".locks"
"""The folder of the locks of what is made next to it."""
OF_OTHERS = 0o077
"""The rights of other users. The right to open the file for reading would be enough to hold its lock."""


@contextlib.contextmanager
def measuring(path: Path, *, study: str, since: str, waiting: Callable[[str], None] | None = None) -> Iterator[None]:
    """Hold the lock of a cache; BusyError names the holder if there is one.

    With ``waiting``, wait for the holder's end instead: it gets a sentence that names the holder.

    ``study`` and ``since`` (a time as text) are kept in the file, for the error of the next caller. The lock is the
    kernel's (flock): it ends with its process, and children do not inherit it. Its folder becomes ours alone.
    """
    file = _open(path)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as held:
            busy = _busy(file)
            if waiting is None:
                raise busy from held
            waiting(f"Waiting: {busy.why}")
            fcntl.flock(file, fcntl.LOCK_EX)
        _write(file, json.dumps({"pid": os.getpid(), "user": name_of(None), "study": study, "since": since}))
        try:
            yield
        finally:
            _write(file, "")
    finally:
        os.close(file)


@contextlib.contextmanager
def making(path: Path) -> Iterator[None]:
    """Hold the right to make a file or folder that several processes use; wait until no other process makes it.

    Look again afterwards: it may have been made meanwhile. The lock is a file in ``.locks`` next to it, which stays.
    """
    file = _open(path.parent / LOCKS / path.name)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)


def _open(path: Path) -> int:
    """Return the lock's file, which no other user can open, or replace by another one."""
    try:
        path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError as denied:
        raise _unusable(path.parent, denied.strerror) from denied
    try:
        _make_ours(folder, FOLDER_MODE, path.parent)
        return _open_in(folder, path)
    finally:
        os.close(folder)


def _open_in(folder: int, path: Path) -> int:
    words = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        file = os.open(path.name, words, FILE_MODE, dir_fd=folder)
    except OSError as denied:
        raise _unusable(path, denied.strerror) from denied
    try:
        _make_ours(file, FILE_MODE, path)
    except BaseException:
        os.close(file)
        raise
    return file


def _make_ours(opened: int, mode: int, path: Path) -> None:
    """Take the rights of other users away; raises HostError if it belongs to one of them."""
    found = os.fstat(opened)
    if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
        raise _unusable(path, "It is not a file")
    if found.st_uid != os.geteuid():
        raise _unusable(path, f"It belongs to the user {user_name(found.st_uid)}")
    if found.st_mode & OF_OTHERS:
        os.fchmod(opened, mode)


def _unusable(path: Path, why: str | None) -> HostError:
    return HostError(
        f"The lock {path.name} cannot be used",
        why=f"{why}: {path}.",
        remedy="Remove it, or set XDG_CACHE_HOME to a folder that belongs to you.",
    )


def _write(file: int, text: str) -> None:
    os.ftruncate(file, 0)
    os.pwrite(file, text.encode(), 0)


def _busy(file: int) -> BusyError:
    try:
        holder = dict(json.loads(os.pread(file, 4096, 0)))
    except (TypeError, ValueError):
        holder = {}
    who = f"process {holder.get('pid', 'unknown')} of user {holder.get('user', 'unknown')}"
    study = holder.get("study", "a study")
    return BusyError(
        "Another measurement is going on here",
        why=f"{study} has been measured by {who} since {holder.get('since', 'a moment ago')}.",
        remedy=f"Wait for it (--wait), or end it (kill -INT {holder['pid']})." if "pid" in holder else "Wait for it.",
    )
