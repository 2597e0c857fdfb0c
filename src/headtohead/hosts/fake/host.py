"""A fake machine: it implements the Host protocol, and its clock moves only when something waits.

A session of dozens of runs takes milliseconds on it. Programs are not started: a script gives their output and how long
they take.
"""

import shutil
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

from headtohead.hosts.fake.script import Clock, Script
from headtohead.hosts.fake.supervise import FakeSupervise
from headtohead.hosts.host import Process
from headtohead.model.errors import HostError

FAKE_PID = 4242


class FakeProcess:
    """A process whose output comes from a function: one line in, at most one line out."""

    def __init__(self, answer: Callable[[str], str | None], *, close: Callable[[], int]) -> None:
        self._answer = answer
        self._close = close
        self._lines: deque[str | None] = deque()
        self._status: int | None = None

    @property
    def pid(self) -> int:
        """Return a made-up process id."""
        return FAKE_PID

    def write_line(self, text: str) -> None:
        """Hand a line to the script; a HostError once the process has ended."""
        if self._status is not None:
            raise HostError("The fake process has ended", why="Its input was closed.", remedy="Correct the test.")
        if text:  # an empty line is a sign of life, which gets no answer
            self._lines.append(self._answer(text))

    def read_line(self, *, within_s: float) -> str | None:  # noqa: ARG002
        """Return the next line, None if the script's process has died."""
        return self._lines.popleft() if self._lines else None

    def close_input(self) -> None:
        """End the process, as supervise ends when its input closes."""
        if self._status is None:
            self._status = self._close()

    def wait(self, *, within_s: float) -> int:
        """Return the exit status; a HostError while its input is open."""
        if self._status is None:
            raise HostError("The fake process did not end", why=f"{within_s:g} s were not enough.", remedy="Close it.")
        return self._status

    def kill(self) -> None:
        """End it."""
        self._status = self._status if self._status is not None else -9


class FakeHost:
    """A host that follows its script. ``ran`` and ``started`` hold the argument lists that it was given, in order."""

    def __init__(
        self,
        *,
        script: Script | None = None,
        clock: Clock | None = None,
        say: Callable[[tuple[str, ...]], str] | None = None,
    ) -> None:
        """Make a host whose supervise follows ``script``; ``say`` gives the output of what ``run`` is given."""
        self.clock = clock or Clock()
        self.script = script or Script()
        self.supervises: list[FakeSupervise] = []
        self.ran: list[tuple[str, ...]] = []
        self.started: list[tuple[str, ...]] = []
        self._say = say or (lambda _: "")

    def run(self, argv: Sequence[str], *, within_s: float) -> str:  # noqa: ARG002
        """Return the output of ``say`` for these arguments; it may raise HostError, as for a program that failed."""
        self.ran.append(tuple(argv))
        return self._say(tuple(argv))

    def start(self, argv: Sequence[str], *, log: Path) -> Process:
        """Start a scripted supervise; a HostError for any other program."""
        self.started.append(tuple(argv))
        if "supervise" not in argv:
            raise HostError(f"{argv[0]} could not be started", why="A FakeHost has only supervise.", remedy="Use run.")
        log.touch()
        supervise = FakeSupervise(argv, script=self.script, clock=self.clock)
        self.supervises.append(supervise)
        return FakeProcess(supervise.answer_line, close=supervise.close)

    def put(self, source: Path, target: Path) -> None:
        """Copy a file for real: tests hand in temporary folders."""
        shutil.copy2(source, target)

    def fetch(self, source: Path, target: Path) -> None:
        """Copy a file for real."""
        shutil.copy2(source, target)
