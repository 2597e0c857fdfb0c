"""Restores settings of the system from the journal of a killed supervise (``crates/probe/src/settings/journal.rs``).

A journal has what each file held when it was found. It counts only in a folder that no other user may write to, in the
same boot, and for settings of the network in the same network.
"""

import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from headtohead.hosts.paths import PREFIX, PROC, RUN_ID

JOURNALS = Path("/run/headtohead")
SUFFIX = ".settings"
NEW = ".new"
"""What ends the name of a journal that is being written: nothing was changed yet."""


def left_in(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield each journal with the id of its run; none if others may write in the folder."""
    try:
        facts = folder.lstat()
        found = sorted(folder.iterdir()) if stat.S_ISDIR(facts.st_mode) else []
    except OSError:
        return
    if facts.st_uid != os.geteuid() or facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return
    for each in found:
        run_id = each.name.removeprefix(PREFIX).removesuffix(NEW).removesuffix(SUFFIX)
        if each.name.removesuffix(NEW) == f"{PREFIX}{run_id}{SUFFIX}" and RUN_ID.fullmatch(run_id):
            yield each, run_id


def settle(journal: Path, *, proc: Path = PROC) -> str | None:
    """Restore what a journal holds, the last change first, then remove it; return why that failed, None if it did not.

    A setting that cannot be restored keeps no other from it. A journal that is not restored stays for the next sweep.
    """
    try:
        kept = {"boot": None, "found": []} if journal.name.endswith(NEW) else json.loads(journal.read_text())
        if kept["boot"] == (proc / "sys/kernel/random/boot_id").read_text().strip():
            _put_back_all(reversed(kept["found"]), proc=proc)
        journal.unlink(missing_ok=True)
    except OSError as refused:
        gone = not journal.exists()  # its supervise has restored it meanwhile
        return None if gone else f"{refused.filename or journal}: {refused.strerror}"
    except (ValueError, LookupError, TypeError) as garbled:
        return f"it is no journal: {garbled}"
    return None


def _put_back_all(every: Iterable[Mapping[str, object]], *, proc: Path) -> None:
    """Restore each setting; then raise the first error, if there was one."""
    refused = list[OSError]()
    for found in every:
        try:
            _put_back(found, proc=proc)
        except OSError as error:
            refused.append(error)
    if refused:
        raise refused[0]


def _put_back(found: Mapping[str, object], *, proc: Path) -> None:
    network = found["network"]
    if network is not None and network != (proc / "self/ns/net").stat().st_ino:
        return
    path, value = Path(str(found["path"])), str(found["value"])
    if held(path) != value:
        path.write_text(value)
    if held(path) != value:
        raise OSError(None, f"{value!r} was written, {held(path)!r} holds", str(path))


def held(path: Path) -> str:
    """Return what a setting's file holds: its words, or the one in brackets, which is the chosen one."""
    text = path.read_text()
    chosen = text.partition("[")[2].partition("]")[0]
    return " ".join((chosen or text).split())
