"""One connection to a host, which all commands share: OpenSSH's own client, with the user's configuration."""

import contextlib
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from headtohead.hosts.local import LocalHost, LocalProcess
from headtohead.hosts.ssh.client_errors import explained
from headtohead.hosts.supervise.heartbeat import BEATS, LEASE_S, Heartbeat
from headtohead.model.errors import HostError, WordsError

CONNECTED_WITHIN_S = 30.0
CLOSED_WITHIN_S = 5.0
LOST_AFTER_S = 30
"""A connection without a sign of life is given up after this time, as a run is (``heartbeat.LEASE_S``)."""
SIGNS_OF_LIFE = 6
LOG_CHARACTERS = 2000
CONNECTED = "h2h connected"
# `read` has no time limit in sh, so `timeout` gives it one: 124, or 143 where it is busybox's.
FIRST = (
    f'echo "{CONNECTED}"; while timeout "$1" sh -c "read -r sign"; heard=$?; [ $heard = 0 ]; do :; done; '
    "case $heard in 124|143) read -r name < /proc/$PPID/comm; case $name in sshd*) kill $PPID;; esac;; esac"
)
"""The first command of a connection, until our program is there and keeps it: it waits for the end of its input.

When it got no line for as long as its argument states, it ends the sshd of the connection, as our program does later.
"""
OPTIONS = (
    # There is no one to answer a question, and an unknown host key is never accepted.
    *("-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=yes"),
    *("-o", f"ServerAliveInterval={LOST_AFTER_S // SIGNS_OF_LIFE}", "-o", f"ServerAliveCountMax={SIGNS_OF_LIFE}"),
    *("-o", "ConnectTimeout=15", "-o", "ControlPersist=no", "-o", "LogLevel=ERROR"),
    # What the user's configuration may add for logins, and what a measurement must not have.
    *("-T", "-o", "RemoteCommand=none", "-o", "ClearAllForwardings=yes", "-o", "ForwardAgent=no"),
    *("-o", "ForwardX11=no", "-o", "PermitLocalCommand=no", "-o", "EscapeChar=none", "-o", "Compression=no"),
)
NO_OTHER_WAY = ("-o", "ControlMaster=no", "-o", "ProxyCommand=exec false")
"""Without the shared connection a command fails, and makes none of its own."""


class Connection:
    """The shared connection to one host, as a context manager. ``folder`` is made, for our eyes only, and removed.

    ``ssh`` is the command of the client; it may have a prefix that runs it elsewhere. The host ends the connection when
    it hears nothing for ``lease_s``.
    """

    def __init__(
        self,
        label: str,
        destination: str,
        *,
        folder: Path,
        ssh: Sequence[str] = ("ssh",),
        lease_s: float = LEASE_S,
    ) -> None:
        self.label = label
        self.lease_s = lease_s
        self.destination = checked(destination)
        self._ssh = tuple(ssh)
        self._folder = folder
        self._master: LocalProcess | None = None
        self._beats: list[Heartbeat] = []
        self._keeper: LocalProcess | None = None
        self._idle: list[LocalProcess] = []

    @property
    def log(self) -> Path:
        """The file of what the client prints on its standard error."""
        return self._folder / "log"

    @property
    def _socket(self) -> str:
        return str(self._folder / "socket")

    @property
    def is_lost(self) -> bool:
        """Whether the shared connection has ended without our closing it."""
        return self._master is not None and self._master.has_ended

    def __enter__(self) -> Self:
        """Connect; HostError with the reason if that is not possible."""
        self._folder.mkdir(mode=0o700)
        try:
            self._connect()
        except BaseException:  # also on Ctrl-C: __exit__ is not called if __enter__ fails
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the connection and all that goes on over it."""
        self.close()

    def close(self) -> None:
        """End the connection; closing it twice is not an error."""
        while (idle := self.idle()) is not None:
            end(idle, within_s=CLOSED_WITHIN_S)
        while self._beats:
            self._beats.pop().stop()
        if self._keeper is not None:
            end(self._keeper, within_s=CLOSED_WITHIN_S)
            self._keeper = None
        if self._master is not None:
            end(self._master, within_s=CLOSED_WITHIN_S)
            self._master = None
        shutil.rmtree(self._folder, ignore_errors=True)

    def keep(self, process: LocalProcess) -> None:
        """Let a process at the other end keep the connection. It gets signs of life.

        It ends when we do, however we end, and then the connection does.
        """
        self._keeper = process
        self._beat(process)
        if self._master is not None:
            self._beats.pop(0).stop()
            self._master.close_input()

    def idle(self) -> LocalProcess | None:
        """Return a process at the other end that waits for an order, None without one; it is the caller's from then."""
        with contextlib.suppress(IndexError):
            return self._idle.pop()
        return None

    def spare(self, process: LocalProcess) -> None:
        """Take a process that waits for an order: one is kept, others are ended."""
        if self._idle:
            end(process, within_s=CLOSED_WITHIN_S)
        else:
            self._idle.append(process)

    def start(self, command: str, *, log: Path | None = None) -> LocalProcess:
        """Start a fixed command on the host; its standard error is appended to ``log`` (default: the connection's)."""
        argv = (*self._ssh, *OPTIONS, *NO_OTHER_WAY, "-S", self._socket, "--", self.destination, command)
        return LocalHost().start(argv, log=log or self.log)

    def complaint(self) -> str:
        """Return what the client has printed last on its standard error."""
        try:
            return self.log.read_text(errors="replace")[-LOG_CHARACTERS:]
        except OSError:
            return ""

    def lost(self, doing: str) -> HostError:
        """Return the error for a command that ended without a response."""
        return explained(self.label, self.destination, self.complaint(), doing=doing)

    def _connect(self) -> None:
        first = command_line(FIRST, f"{self.lease_s:g}")
        argv = (*self._ssh, *OPTIONS, "-o", "ControlMaster=yes", "-S", self._socket, "--", self.destination, first)
        self._master = LocalHost().start(argv, log=self.log)
        self._beat(self._master)
        with contextlib.suppress(HostError):
            while (line := self._master.read_line(within_s=CONNECTED_WITHIN_S)) is not None:
                if line == CONNECTED:
                    return
        raise self.lost("connecting")

    def _beat(self, process: LocalProcess) -> None:
        """Write a sign of life to a process at the other end from now on."""
        heartbeat = Heartbeat(process.write_line, every_s=self.lease_s / BEATS)
        self._beats.append(heartbeat)
        heartbeat.start()


def checked(destination: str) -> str:
    """Return a destination as ssh takes it; WordsError for one that ssh would read as something else."""
    if not destination or destination.startswith("-") or not destination.isprintable() or " " in destination:
        raise WordsError(
            f"{destination!r} is not an SSH destination",
            why="A host, an alias of the SSH configuration, or user@host is expected.",
            remedy="Write it as in `ssh DESTINATION`.",
        )
    return destination


def command_line(script: str, *words: str) -> str:
    """Return a fixed shell script with its arguments as one command, whatever the user's login shell is."""
    return f"exec sh -c {shlex.quote(script)} sh {shlex.join(words)}"


def end(process: LocalProcess, *, within_s: float) -> None:
    """End the client of a command: what it does on the host ends when its input closes."""
    process.close_input()
    try:
        process.wait(within_s=within_s)
    except HostError:
        process.kill()
        with contextlib.suppress(HostError):
            process.wait(within_s=within_s)
