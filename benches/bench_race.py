"""Does `race` agree with hyperfine about two programs? ``make bench-race``.

Both time the same two programs, of which the second does more work by a known factor. hyperfine runs before the race
and after it; the interval of its ratio is what it prints after "+/-": the standard deviations of all of its runs. Where
runs scatter by a fifth, as on virtual machines, that interval may hold 1 at the default factor however many runs there
are: ``--factor 2`` shows then whether the two agree on more.
Exit 0: both name the same program faster, and each one's ratio is within the other's interval; 1: something is not
so, or an interval holds 1.
"""

import argparse
import json
import math
import shutil
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benches.meter import BenchError
from benches.stand import folder
from tests.end_to_end.command import argv as headtohead
from tests.end_to_end.command import environment, own_lane

PROGRAM = "/usr/bin/awk 'BEGIN {{ for (i = 0; i < {steps}; i++) s += i; print \"done\" }}'"
STEPS = 1_000_000


@dataclass(frozen=True)
class Ratio:
    """How many times as long the second program takes, with its interval."""

    value: float
    low: float
    high: float

    def holds(self, value: float) -> bool:
        """Return whether the interval holds a value."""
        return self.low <= value <= self.high

    def __str__(self) -> str:
        """Return it for people."""
        return f"{self.value:.3f}x ({self.low:.3f} to {self.high:.3f})"


def main(argv: Sequence[str] | None = None) -> int:
    """Run both on both programs; 0 if they agree."""
    options = argparse.ArgumentParser(prog="bench_race", description=(__doc__ or "").splitlines()[0])
    options.add_argument("--factor", type=float, default=1.3, help="how much more the second program does")
    options.add_argument("--runs", type=int, default=50, help="runs of hyperfine, before the race and after it")
    options.add_argument("--measure", default="1s", help="how long each run of the race is")
    options.add_argument("--budget", default="5m", help="how long the race takes at most")
    options.add_argument("--noisy", action="store_true", help="count runs that other programs of this machine disturb")
    asked = options.parse_args(argv)
    programs = [PROGRAM.format(steps=steps) for steps in (STEPS, round(STEPS * asked.factor))]
    try:
        before = hyperfine(programs, runs=asked.runs)
        raced = race(programs, measure=asked.measure, budget=asked.budget, noisy=asked.noisy)
        after = hyperfine(programs, runs=asked.runs)
    except BenchError as error:
        sys.stderr.write(f"bench-race: {error}\n")
        return 2
    timed = ratio_of([[*one, *more] for one, more in zip(before, after, strict=True)])
    agree = (raced.value > 1) == (timed.value > 1) and raced.holds(timed.value) and timed.holds(raced.value)
    ranked = not raced.holds(1) and not timed.holds(1)
    said = "They do not agree." if not agree else "They agree." if ranked else "No ranking: an interval holds 1."
    sys.stdout.write(f"hyperfine  {timed}\nrace       {raced}\n{said}\n")
    return 0 if agree and ranked else 1


def hyperfine(programs: Sequence[str], *, runs: int) -> list[list[float]]:
    """Return the times that hyperfine saw of each program, in seconds."""
    found = shutil.which("hyperfine")
    if found is None:
        raise BenchError("no hyperfine here. Install the package hyperfine.")
    with folder() as place:
        file = place / "times.json"
        words = (found, "-N", "--style", "none", "--warmup", "1", "--runs", str(runs), "--export-json", str(file))
        done = subprocess.run([*words, *programs], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise BenchError(f"hyperfine failed: {done.stderr.strip()}. Run it by hand.")
        return [each["times"] for each in json.loads(file.read_text(encoding="utf-8"))["results"]]


def ratio_of(times: Sequence[Sequence[float]]) -> Ratio:
    """Return the ratio of the means, second to first, and its error as hyperfine computes it."""
    first, second = (statistics.mean(each) for each in times)
    shares = [statistics.stdev(each) / statistics.mean(each) for each in times]
    value = second / first
    error = value * math.hypot(*shares)
    return Ratio(value, value - error, value + error)


def race(programs: Sequence[str], *, measure: str, budget: str, noisy: bool) -> Ratio:
    """Return the ratio that `headtohead race` gives; its progress is seen meanwhile."""
    words = ["--batch", programs[0], "--batch", programs[1], "--name", "first", "--name", "second", "--json"]
    words += ["--measure", measure, "--budget", budget]
    with folder() as place, own_lane() as lane:
        line = headtohead("race", *words, "--results", place / "results", hurried=noisy)
        told = environment(lane=lane if noisy else None)
        done = subprocess.run(line, stdout=subprocess.PIPE, text=True, env=told, cwd=Path("/"), check=False)
    if not done.stdout:
        raise BenchError(f"the race ended with {done.returncode}; what it said stands above.")
    (comparison,) = json.loads(done.stdout)["experiments"][0]["comparisons"]
    ratio = comparison["ratio"]
    if ratio is None or ratio["interval"] is None:
        raise BenchError(
            f"the race compared nothing: {comparison['because']}. Let the machine be quiet, or see --noisy."
        )
    return Ratio(ratio["value"], ratio["interval"]["low"], ratio["interval"]["high"])


if __name__ == "__main__":
    sys.exit(main())
