"""Is anything left on any machine of a bench when one of its parts fails? ``make bench-rig-faults``.

A study of two servers and two drivers runs on a rig. At random moments headtohead is killed, one of its connections is,
all processes of a driver are, or the cable of a driver or of a server is pulled. Within 45 s nothing of ours may be on
any machine, and headtohead must have ended. Then the same command resumes the study: no run is lost, each planned
run is valid once, and a process of somebody else still runs on each machine. Exit 1 if anything is not so.

The gates let every case begin at once. ``--lanes N`` uses N rigs side by side. A start of headtohead removes what dead
owners left, on every rig, as they share one kernel: so the lanes start together, and a blow falls only when every lane
has a run under way. With one lane, every third blow falls at any moment after the start. A blow that came after the end
of its study falls once more, for as many misses as there are blows.
"""

import argparse
import contextlib
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from benches.bench_rig import need_rig
from benches.kept_runs import Tally, finish
from benches.meter import BenchError
from benches.rig_blows import BLOWS, Lane, lane, strike

ROUNDS = 20
LATEST_S = 6.0
"""A blow falls within this time after the first run began: some runs, and what is between them."""
EARLY_EVERY = 3
LONGEST_S = 300.0


@dataclass
class Together:
    """What the lanes share: the blows that are left, and the point at which they wait for each other."""

    blows: list[tuple[str, float]]
    lanes: int
    until_s: float
    tally: Tally = field(default_factory=Tally)
    gone_s: dict[str, float] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Count the blows."""
        self.begun = threading.Barrier(self.lanes, timeout=LONGEST_S)
        self.total = self.again = len(self.blows)

    def batch(self) -> Sequence[tuple[str, float]]:
        """Take a blow for each lane; none if they are over, or the time is."""
        with self.lock:
            if time.monotonic() > self.until_s:
                self.blows.clear()
            taken, self.blows = self.blows[: self.lanes], self.blows[self.lanes :]
        return taken


def main(argv: Sequence[str] | None = None) -> int:
    """Strike; print the table and what was wrong."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--rounds", type=int, default=ROUNDS, help="the number of blows of each kind")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--lanes", type=int, default=1, metavar="N")
    words.add_argument("--minutes", type=float, default=1e6, metavar="N", help="begin no blow after this time")
    words.add_argument("--only", choices=BLOWS, action="append", help="this kind of blow only (repeatable)")
    asked = words.parse_args(argv)
    try:
        need_rig()
        return _report(asked, carry_out(asked))
    except BenchError as error:
        sys.stderr.write(f"bench-rig-faults: {error}\n")
        return 2


def carry_out(asked: argparse.Namespace) -> Together:
    """Strike on as many rigs as there are lanes."""
    rng = random.Random(asked.seed)
    blows = [(kind, rng.uniform(0.0, LATEST_S)) for kind in asked.only or tuple(BLOWS) for _ in range(asked.rounds)]
    rng.shuffle(blows)
    blows.sort(key=lambda blow: "cable" not in blow[0])  # a pulled cable is noticed late: lanes wait for each other
    together = Together(blows, asked.lanes, time.monotonic() + 60 * asked.minutes)
    with contextlib.ExitStack() as stack:
        # One after the other, before any blow: building a rig removes what dead owners left.
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-rig-faults-")))
        lanes = [stack.enter_context(lane(folder / f"{number}", asked.seed + number)) for number in range(asked.lanes)]
        pool = stack.enter_context(ThreadPoolExecutor(asked.lanes))
        while batch := together.batch():
            early = asked.lanes == 1 and len(together.blows) % EARLY_EVERY == 0
            together.begun = threading.Barrier(len(batch), timeout=LONGEST_S)
            tasks = [
                pool.submit(_one, own, *blow, together, early=early) for own, blow in zip(lanes, batch, strict=False)
            ]
            for task in tasks:
                task.result()
            _progress(together)
        for own in lanes:
            finish(own.victim, together.tally)
            together.tally.wrong += own.touched()
    return together


def _one(own: Lane, kind: str, after_s: float, together: Together, *, early: bool) -> None:
    seen = strike(own, kind, after_s, together.begun, early=early)
    with together.lock:
        together.tally.blows[kind, "blows" if seen.met else "missed"] += 1
        if not seen.met and together.again > 0:
            together.again -= 1
            together.blows.append((kind, after_s))
        together.tally.wrong += seen.wrong
        together.gone_s[kind] = max(together.gone_s.get(kind, 0.0), seen.gone_s)
        for each in seen.wrong:
            sys.stderr.write(f"{each}\n")
    if own.victim.ended:
        finish(own.victim, together.tally)
        own.begin_another()


def _progress(together: Together) -> None:
    done, wrong = together.total - len(together.blows), len(together.tally.wrong)
    sys.stderr.write(f"{done} of {together.total} blows, {wrong} wrong\n")
    sys.stderr.flush()


def _report(asked: argparse.Namespace, together: Together) -> int:
    tally = together.tally
    sys.stdout.write("".join(_rows(tally.blows, together.gone_s, asked.only or tuple(BLOWS))))
    sys.stdout.write(f"studies resumed to their end: {sum(tally.blows[kind, 'resumed'] for kind, _ in tally.blows)}\n")
    for each in tally.wrong:
        sys.stdout.write(f"{each}\n")
    kept = not tally.wrong and any(count for (_, what), count in tally.blows.items() if what == "blows")
    sys.stdout.write(f"bench-rig-faults: {'kept' if kept else 'NOT KEPT'}, {len(tally.wrong)} wrong\n")
    return 0 if kept else 1


def _rows(blows: Mapping[tuple[str, str], int], gone_s: Mapping[str, float], kinds: Sequence[str]) -> Iterator[str]:
    yield f"{'blow':<20}{'struck':>8}{'missed':>8}{'nothing left after, at most':>30}\n"
    for kind in kinds:
        yield f"{kind:<20}{blows[kind, 'blows']:>8}{blows[kind, 'missed']:>8}{gone_s.get(kind, 0.0):>28.1f} s\n"


if __name__ == "__main__":
    sys.exit(main())
