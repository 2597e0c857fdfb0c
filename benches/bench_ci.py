"""Does continuous integration fail for a regression, and only for one? ``make bench-ci``.

Races a program of fixed work by ``headtohead race --fail-if worse``, as a pipeline does: against itself with 10 % more
work, which must exit with 3, and against itself, which must exit with 0 in at least 19 of 20. ``--short`` races twice
against itself. Exit 0 if all is so, else 1.
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benches.stand import folder

PROGRAM = "import hashlib, sys\nhashlib.pbkdf2_hmac('sha256', b'a', b'b', int(sys.argv[1]))\n"
ROUNDS = 1_600_000
"""About 0.5 s: the start of the interpreter, which does not grow with them, is a small part of the time."""
TENTH_MORE = ROUNDS * 11 // 10
AS_IN_PIPELINES = ("--budget", "10m", "--fail-if", "worse")
"""The words of the example for pipelines in docs/how-to/compare-my-service.md."""
WORSE = 3
WRONG_OF_20 = 1


def main() -> int:
    """Race, print each exit status, and return whether they are the right ones."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--short", action="store_true", help="Race twice against itself, not 20 times.")
    races = 2 if given.parse_args().short else 20
    with folder() as made:
        made.chmod(0o755)  # the user of the runs works in it
        (made / "work.py").write_text(PROGRAM)
        planted = race(made, ROUNDS, TENTH_MORE)
        say(f"10 % more work: exit {planted} ({WORSE} wanted)")
        same = []
        for number in range(1, races + 1):
            same.append(race(made, ROUNDS, ROUNDS))
            say(f"against itself, race {number}: exit {same[-1]} (0 wanted)")
    wrong = sum(each != 0 for each in same)
    say(f"against itself: {races - wrong} of {races} exit with 0")
    return 0 if planted == WORSE and 20 * wrong <= WRONG_OF_20 * races else 1


def say(text: str) -> None:
    """Print a line at once: races take long."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def race(made: Path, *rounds: int) -> int:
    """Return the exit status of a race of the program with these amounts of work."""
    return subprocess.run(race_argv(made, rounds), cwd=made, stdout=subprocess.DEVNULL, check=False).returncode


def race_argv(made: Path, rounds: Sequence[int]) -> list[str]:
    """Return the command of a race, whose results go to a new folder each time."""
    programs = [f"python3 work.py {each}" for each in rounds]
    named = [
        word for name, program in zip("ab", programs, strict=True) for word in ("--name", name, "--batch", program)
    ]
    results = made / f"results-{len(list(made.iterdir()))}"
    words = ["--measure", "1s", *AS_IN_PIPELINES, "--wait", "--results", str(results)]
    return [sys.executable, "-m", "headtohead", "race", *named, *words]


if __name__ == "__main__":
    sys.exit(main())
