"""Which ports the programs of runs listen on."""

import contextlib
import pwd
from pathlib import Path

from tests.contract.leftovers import OF_A_RUN

USER = "headtohead"
"""Whom subjects run as where root measures."""


def listening_of(owner: str = "") -> set[str]:
    """Return the local addresses, as the kernel writes them, on which that user or ourselves listen.

    With ``owner`` (``PID-``) those are left out whose program is certainly of another owner's run.
    """
    users = {Path("/proc/self").stat().st_uid}
    with contextlib.suppress(KeyError):
        users = {pwd.getpwnam(USER).pw_uid}
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    found = {words[9]: words[1] for words in lines if words[3] == "0A" and int(words[7]) in users}
    foreign = _of_others(set(found), owner) if owner and found else set()
    return {address for inode, address in found.items() if inode not in foreign}


def _of_others(inodes: set[str], owner: str) -> set[str]:
    """Return those of the sockets that a program of another owner's run holds."""
    sought = {f"socket:[{inode}]": inode for inode in inodes}
    foreign: set[str] = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            held = {sought[name] for each in (folder / "fd").iterdir() if (name := str(each.readlink())) in sought}
            # Samba writes its title over its environment; its control group still has the id of the run.
            texts = ((folder / name).read_bytes().decode(errors="replace") for name in ("environ", "cgroup"))
            said = " ".join((str((folder / "cwd").readlink()), *texts))
            told = OF_A_RUN.search(said) if held else None
            if told is not None and not told["id"].startswith(owner):
                foreign |= held
    return foreign
