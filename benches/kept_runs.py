"""Whether a study that was killed at random moments lost a run or has one twice; shared by the benches that kill."""

import collections
import contextlib
import json
import signal
import subprocess
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from headtohead.execute.carry_out_plan import ATTEMPTS
from headtohead.model.record import REPLACEMENT
from headtohead.store import read
from tests.end_to_end.command import environment

NEVER = threading.Event()
"""For a bench that is not stopped between two studies."""
LOOK_EVERY_S = 0.2


@dataclass
class Victim(ABC):
    """A study that is killed, and what was kept of it so far."""

    kind: str
    study: Path
    results: Path
    kept: frozenset[str] = field(default=frozenset(), init=False)

    @property
    def ended(self) -> bool:
        """Whether the study came to its end."""
        return any(self.results.glob("*/end.json"))

    @property
    @abstractmethod
    def command(self) -> list[str]:
        """The command that starts or resumes it."""

    @property
    def environment(self) -> Mapping[str, str]:
        """The environment of that command."""
        return environment()


@dataclass
class Tally:
    """What was seen: blows by kind, and whatever was wrong, in words."""

    blows: collections.Counter[tuple[str, str]] = field(default_factory=collections.Counter)
    wrong: list[str] = field(default_factory=list)
    slowest_s: float = 0.0

    def add(self, other: "Tally") -> None:
        """Count what another lane saw too."""
        self.blows += other.blows
        self.wrong += other.wrong
        self.slowest_s = max(self.slowest_s, other.slowest_s)


def compare(one: Victim, blow: str, tally: Tally) -> None:
    """Hold the results to what was there before the blow."""
    found = frozenset(str(path) for path in one.results.glob("*/runs/[0-9]*"))
    if not one.kept <= found:
        tally.wrong.append(f"{one.kind}, {blow}: lost {sorted(one.kept - found)}")
    one.kept = found
    seen = collections.Counter(_places(one))
    if twice := [place for place, times in seen.items() if times > 1]:
        tally.wrong.append(f"{one.kind}, {blow}: twice {twice}")
    if more := _measured_again(one):
        tally.wrong.append(f"{one.kind}, {blow}: measured again, though nothing asked for it: {more}")
    if len(list(one.results.glob("*"))) > 1:
        tally.wrong.append(f"{one.kind}, {blow}: it began anew instead of going on")


def _places(one: Victim) -> Iterator[tuple[int, int, int]]:
    for path in one.results.glob("*/runs/[0-9]*/run.json"):
        run = json.loads(path.read_text())
        yield run["block"], run["place"], run["attempt"]


def _measured_again(one: Victim) -> list[tuple[int, int, int]]:
    """Return the runs that nothing asked for: a second attempt after a valid first, or a third without cause.

    A block is measured a third time as a whole if rules excluded a run of it and its repetition: its valid runs too.
    """
    runs = [json.loads(path.read_text()) for path in one.results.glob("*/runs/[0-9]*/run.json")]
    status = {(run["block"], run["place"], run["attempt"]): run["status"] for run in runs}
    excluded = {
        block
        for block, place, _ in status
        if "valid" not in (own := [status.get((block, place, attempt)) for attempt in ATTEMPTS]) and "invalid" in own
    }
    return sorted(
        (block, place, attempt)
        for block, place, attempt in status
        if (attempt == REPLACEMENT and block not in excluded)
        or (attempt in ATTEMPTS[1:] and status.get((block, place, attempt - 1)) in (None, "valid"))
    )


def _measured_labels(one: Victim) -> set[str]:
    """Return the treatments that were measured: one all of whose runs were killed is dropped, as its runs failed."""
    runs = (json.loads(path.read_text()) for path in one.results.glob("*/runs/[0-9]*/run.json"))
    return {run["label"] for run in runs if run["status"] == "valid"}


def _resumed(one: Victim, stop: threading.Event) -> str:
    """Resume a study, and return what it printed when it has ended; it is interrupted if the bench is to stop."""
    argv, pipe, interrupted = ["env", "--default-signal=INT", *one.command], subprocess.PIPE, False
    with subprocess.Popen(
        argv, env=one.environment, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    ) as process:
        try:
            while True:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    return process.communicate(timeout=LOOK_EVERY_S)[1]
                if stop.is_set() and not interrupted:
                    process.send_signal(signal.SIGINT)
                    interrupted = True
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)
            raise


def finish(one: Victim, tally: Tally, *, stop: threading.Event = NEVER) -> None:
    """Resume a study to its end, and hold its runs to its plan and seal; it is interrupted if the bench is to stop."""
    if stop.is_set():
        return
    said = "" if one.ended else _resumed(one, stop)
    if stop.is_set():
        return
    plans = list(one.results.glob("*/plan.json"))
    if not one.ended or len(plans) != 1 or "Traceback" in said:
        tally.wrong.append(f"{one.kind}: it cannot be resumed: {said[-2000:]}")
        return
    compare(one, "resumed", tally)
    proof = read.recording(plans[0].parent).proof
    if proof is None or proof.flaws:
        tally.wrong.append(f"{one.kind}, resumed: its seal does not hold: {proof}")
    runs, labels = json.loads(plans[0].read_text())["experiments"][0]["runs"], _measured_labels(one)
    planned = {(each["block"], each["place"]): each["treatment"] in labels for each in runs}
    measured = {(block, place) for block, place, _ in _places(one)}
    needed = {place for place, measurable in planned.items() if measurable}
    if not needed <= measured <= planned.keys():
        tally.wrong.append(f"{one.kind}: planned but not there {sorted(needed - measured)}")
    tally.blows[one.kind, "resumed"] += 1
