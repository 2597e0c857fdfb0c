"""Does continuous integration fail for a regression, and only for one? ``make bench-ci``.

Races a program of fixed work by ``headtohead race --fail-if worse``, as a pipeline does: against itself with 10 % more
work, which must exit with 3 in 5 of 5, and against itself, which must exit with 0 in at least 19 of 20.
``--short`` races once with more work and twice against itself, ``--same`` only against itself; ``--keep FOLDER`` keeps
the results. Exit 0 if all is so, else 1.
"""

import argparse
import hashlib
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benches.stand import folder

PROGRAM = "import hashlib, sys\nhashlib.pbkdf2_hmac('sha256', b'a', b'b', int(sys.argv[1]))\n"
ONE_RUN_S, SHORT_S = 0.5, 0.1
"""Of the first the start of the interpreter, which does not grow with the work, is a small part. The second is for
races against itself: how often noise alone is called worse does not depend on how long a run is, and a race of 120
blocks takes 3 minutes in place of 8."""
TRIED = 100_000
"""Rounds that are timed first: machines differ."""
AS_IN_PIPELINES = ("--budget", "10m", "--matters", "5%", "--fail-if", "worse")
"""The words of the example for pipelines in docs/how-to/compare-my-service.md."""
WORSE = 3
PLANTED = 5
SAME, QUIET = 20, 19


@dataclass(frozen=True)
class Pair:
    """The rounds of both programs of a race, and how long each run is measured."""

    first: int
    second: int
    measure: str


def main() -> int:
    """Race, print each exit status, and return whether they are the right ones."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--short", action="store_true", help="Race once with more work, and twice against itself.")
    given.add_argument("--same", action="store_true", help="Race only against itself.")
    given.add_argument("--keep", type=Path, help="Keep the results in this new folder.")
    options = given.parse_args()
    planted, same = (1, 2) if options.short else (PLANTED, SAME)
    planted = 0 if options.same else planted
    rounds_per_s = rounds_in_a_second()
    with folder() as made:
        made.chmod(0o755)  # the user of the runs works in it
        (made / "work.py").write_text(PROGRAM)
        results = made / "results" if options.keep is None else options.keep.resolve()
        long, short = (int(each * rounds_per_s) for each in (ONE_RUN_S, SHORT_S))
        slower = list(races(made, results / "more", Pair(long, long * 11 // 10, measure="1s"), number=planted))
        alike = list(races(made, results / "same", Pair(short, short, measure="200ms"), number=same))
    found, quiet = slower.count(WORSE), alike.count(0)
    say(f"10 % more work: {found} of {planted} exit with {WORSE}; against itself: {quiet} of {same} exit with 0")
    return 0 if found == planted and quiet * SAME >= QUIET * same else 1


def rounds_in_a_second() -> float:
    """Return how many rounds are done in a second here."""
    took_s = []
    for _ in range(3):
        began_s = time.perf_counter()
        hashlib.pbkdf2_hmac("sha256", b"a", b"b", TRIED)
        took_s.append(time.perf_counter() - began_s)
    return TRIED / min(took_s)


def races(made: Path, results: Path, pair: Pair, *, number: int) -> Iterator[int]:
    """Race the program with these amounts of work, and yield each exit status."""
    for race in range(1, number + 1):
        began_s = time.monotonic()
        argv = race_argv(results / str(race), pair)
        code = subprocess.run(argv, cwd=made, stdout=subprocess.DEVNULL, check=False).returncode
        say(f"{results.name}, race {race} of {number}: exit {code} after {time.monotonic() - began_s:.0f} s")
        yield code


def race_argv(results: Path, pair: Pair) -> list[str]:
    """Return the command of a race of the program, in whose folder it runs, with these amounts of work."""
    programs = [f"python3 work.py {each}" for each in (pair.first, pair.second)]
    named = [
        word for name, program in zip("ab", programs, strict=True) for word in ("--name", name, "--batch", program)
    ]
    words = ["--measure", pair.measure, *AS_IN_PIPELINES, "--wait", "--results", str(results)]
    return [sys.executable, "-m", "headtohead", "race", *named, *words]


def say(text: str) -> None:
    """Print a line at once: races take long."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
