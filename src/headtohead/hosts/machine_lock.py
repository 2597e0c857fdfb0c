"""The lock of the machine: one measures at a time, whoever it is and whichever cache it has (ADR 60).

Who measures listens on an abstract socket with a name of its own, and then looks for others. So no user can take the
name of another one beforehand, the kernel names who listens, and nothing outlives its process.
"""

import contextlib
import os
import random
import re
import secrets
import select
import socket
import struct
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from headtohead.hosts.file_owners import user_name
from headtohead.hosts.listeners import processes_with
from headtohead.hosts.paths import PROC
from headtohead.hosts.processes import name_of
from headtohead.model.errors import BusyError, HostError

NAME = "headtohead-measuring"
LOOK_EVERY_S = 1.0
CREDENTIALS = struct.Struct("iII")
"""``struct ucred`` of unix(7): process, user, group."""
INODE = 6
"""The field of a line of ``/proc/net/unix``."""
BACKLOG = 4096
"""Connections that the kernel keeps waiting; 4096 is its usual limit. The holder accepts none."""


@dataclass(frozen=True)
class Holder:
    """Who measures on this machine, by the word of the kernel: None for what it does not show us."""

    pid: int | None
    uid: int | None

    def __str__(self) -> str:
        """Return it as text."""
        if self.pid is None or self.uid is None:
            return "a process that cannot be seen from here"
        return f"process {self.pid} ({name_of(self.pid, PROC)}) of user {user_name(self.uid)}"


@contextlib.contextmanager
def measuring_alone(*, waiting: Callable[[str], None] | None = None, name: str = NAME) -> Iterator[None]:
    """Hold the lock of this machine; BusyError names the holder if there is one.

    With ``waiting``, wait for the holder's end instead: it gets a sentence that names the holder. Of two that begin in
    the same instant, both may find the other one.
    """
    ours = _listening(name)
    shown: Holder | None = None
    try:
        while (met := _other(name, ours)) is not None:
            holder, calling = met
            with calling:
                if waiting is None:
                    raise _busy(holder)
                if holder != shown:
                    waiting(f"Waiting: {holder} measures on this machine.")
                shown = holder
                ours.close()
                _await_end(calling)
            ours = _listening(name)
        yield
    finally:
        ours.close()


def _listening(name: str) -> socket.socket:
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    made.bind(f"\0{name}-{secrets.token_hex(8)}")
    made.listen(BACKLOG)
    return made


def _other(name: str, ours: socket.socket) -> tuple[Holder, socket.socket] | None:
    """Return who else listens under such a name, and what calls them; None if no one does."""
    own = bytes(ours.getsockname()).decode()
    for each in _names(name):
        if f"\0{each}" != own and (met := _called(each)) is not None:
            return met
    return None


def _await_end(calling: socket.socket) -> None:
    """Wait until the holder that is called has ended. The kernel then hangs up, and at once without a connection.

    One call is enough: each stays with the holder, which has room for ``BACKLOG``.
    """
    ended = select.poll()
    ended.register(calling, 0)
    ended.poll()
    time.sleep(LOOK_EVERY_S * random.uniform(0.5, 1.5))


def _names(name: str) -> tuple[str, ...]:
    """Return the names of that kind that somebody has."""
    wanted = re.compile(rf"@({re.escape(name)}-[0-9a-f]{{16}})")
    return tuple(found[1] for line in _sockets() if (found := wanted.fullmatch(line.rpartition(" ")[2])))


def _sockets() -> list[str]:
    """Return the kernel's list of Unix sockets, a line each; HostError if it shows none."""
    try:
        return (PROC / "net" / "unix").read_text(errors="replace").splitlines()
    except OSError as hidden:
        raise HostError(
            "Whether another measurement is going on here is not known",
            why=f"{PROC / 'net' / 'unix'} cannot be read: {hidden.strerror}.",
            remedy="Mount /proc as the system does by default.",
        ) from hidden


def _called(name: str) -> tuple[Holder, socket.socket] | None:
    """Return who listens there, and what calls them; None if that has ended, or never listened."""
    calling = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    calling.setblocking(False)
    try:
        calling.connect(f"\0{name}")
    except BlockingIOError:  # more callers than it takes: it is there
        return _with_its_socket_open(name), calling
    except OSError:
        calling.close()
        return None
    pid, uid, _ = CREDENTIALS.unpack(calling.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size))
    return Holder(pid or None, uid), calling


def _with_its_socket_open(name: str) -> Holder:
    """Return who has the socket of that name open, for one that takes no callers; root sees whoever it is."""
    inodes = [line.split()[INODE] for line in _sockets() if line.endswith(f" @{name}")]
    for pid in processes_with(inodes, proc=PROC):
        with contextlib.suppress(OSError):
            return Holder(pid, (PROC / str(pid)).stat().st_uid)
    return Holder(None, None)


def _busy(holder: Holder) -> BusyError:
    may_end = holder.pid is not None and os.geteuid() in {0, holder.uid}
    remedy = f"Wait for it (--wait), or end it (kill -INT {holder.pid})." if may_end else "Wait for it (--wait)."
    return BusyError("Another measurement is going on here", why=f"{holder} measures on this machine.", remedy=remedy)
