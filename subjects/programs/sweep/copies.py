"""Copies of one program at once: each in its own process on its own CPU, all beginning together."""

import json
import mmap
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from program import ProgramError, Stage

LOOKS_EVERY_S = 0.005
SILENT, OTHER = "a copy ended without a word", "another copy failed"
MOST_UNCOUNTED = 3
"""The number of repetitions that a copy adds to keep its CPU busy: the others are at most one behind, or have
failed."""

MakeStage = Callable[[int], Stage]
"""Makes the stage of a copy by its number."""


@dataclass(frozen=True)
class Outcome:
    """What one copy did within its own time; ``complaint`` is what was wrong with its first or last output."""

    repetitions: int
    from_ns: int
    to_ns: int
    complaint: str | None


class Meeting:
    """Where copies wait for each other before they begin, and record that they are done."""

    def __init__(self, copies: int) -> None:
        """Make it before the copies are forked."""
        self.copies = copies
        self._done = mmap.mmap(-1, copies)
        self._came, self._come = os.pipe()
        self._goes, self._go = os.pipe()

    def wait(self) -> None:
        """Wait as a copy; return when all copies wait."""
        os.close(self._go)
        os.write(self._come, b"c")
        os.close(self._come)
        if not os.read(self._goes, 1):
            raise ProgramError(OTHER)

    def open(self) -> None:
        """Let the copies begin once all wait. If one has ended, make the others fail."""
        os.close(self._come)
        came = 0
        while came < self.copies and (more := os.read(self._came, self.copies)):
            came += len(more)
        if came == self.copies:
            os.write(self._go, b"g" * self.copies)
        for each in (self._go, self._goes, self._came):
            os.close(each)

    def note(self, number: int) -> None:
        """Record that a copy is done."""
        self._done[number] = 1

    @property
    def over(self) -> bool:
        """Whether all copies are done."""
        return all(self._done[number] for number in range(self.copies))


def pin(number: int) -> None:
    """Pin this process to the allowed CPU of that number, starting again at the first after the last."""
    allowed = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {allowed[number % len(allowed)]})


def repeat(stage: Stage, *, long_ns: int) -> tuple[int, int, int]:
    """Repeat the program until a time is over, at least once; return how often, from when, until when."""
    repetitions, from_ns = 0, time.monotonic_ns()
    while True:
        stage.once()
        repetitions += 1
        to_ns = time.monotonic_ns()
        if to_ns - from_ns >= long_ns:
            return repetitions, from_ns, to_ns


def go_on(stage: Stage, meeting: Meeting) -> None:
    """Keep this copy's CPU busy until all copies are done; these repetitions do not count."""
    for _ in range(MOST_UNCOUNTED):
        if meeting.over:
            return
        with Path(os.devnull).open("wb") as nowhere:
            pid = stage.start(stage.argv, source=stage.source, made=nowhere.fileno())
        while os.waitpid(pid, os.WNOHANG)[0] == 0:
            if meeting.over:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                return
            time.sleep(LOOKS_EVERY_S)


def live(number: int, make: MakeStage, *, meeting: Meeting, long_ns: int) -> Outcome:
    """Return the outcome of one copy: run once, check, wait for the others, work, check again."""
    pin(number)
    stage = make(number)
    stage.once()
    first, sha256 = stage.program.check(stage), stage.made.sha256()
    meeting.wait()
    try:
        repetitions, from_ns, to_ns = repeat(stage, long_ns=long_ns)
    finally:
        meeting.note(number)
    go_on(stage, meeting)
    last = first if stage.made.sha256() == sha256 else stage.program.check(stage)
    return Outcome(repetitions, from_ns, to_ns, first or last)


def run_copies(copies: int, make: MakeStage, *, long_ns: int) -> list[Outcome]:
    """Return the outcome of each copy. Raise ProgramError with the message of the first that failed."""
    meeting = Meeting(copies)
    with _forked(copies, lambda number: live(number, make, meeting=meeting, long_ns=long_ns)) as tellers:
        meeting.open()
        told = [json.loads(_read(each) or "{}") for each in tellers]
    errors = [each.get("error", SILENT) for each in told if "repetitions" not in each]
    if errors:
        raise ProgramError(next((each for each in errors if each != OTHER), errors[0]))
    return [Outcome(**each) for each in told]


@contextmanager
def _forked(copies: int, do: Callable[[int], Outcome]) -> Iterator[list[int]]:
    """Fork the copies; yield what each can be read from, and wait for all at the end."""
    pids, tellers = [], []
    for number in range(copies):
        tells, tell = os.pipe()
        pid = os.fork()
        if pid == 0:
            _be(tell, partial(do, number))
        os.close(tell)
        pids.append(pid)
        tellers.append(tells)
    try:
        yield tellers
    finally:
        for pid in pids:
            os.waitpid(pid, 0)


def _be(tell: int, do: Callable[[], Outcome]) -> None:
    """Run as a copy: write the outcome, and exit without returning, whatever happens."""
    told: dict[str, object] = {"error": SILENT}
    try:
        told = asdict(do())
    except (ProgramError, OSError, LookupError, ValueError) as error:
        told = {"error": str(error) if isinstance(error, ProgramError) else f"{type(error).__name__}: {error}"}
    finally:
        os.write(tell, json.dumps(told).encode())
        os._exit(0)


def _read(fd: int) -> bytes:
    with os.fdopen(fd, "rb") as file:
        return file.read()
