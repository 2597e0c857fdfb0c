"""How often are verdicts wrong? ``make bench-verdicts``: the tables of ADR 23, by the project's own functions.

Each part prints a line a cell. Exit 0: every cell keeps its limit; 1: some cell does not.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence

import numpy as np

from benches.bench_search import say
from benches.verdicts.days import cut, days, judged, trace
from benches.verdicts.table import AT_MOST, COVERED, Cell

SEED = 20261123


def of_days(size: int) -> Iterator[Cell]:
    """Yield equal machines on different days: measured once, in several sessions, once with a recorded spread."""
    chance = np.random.default_rng(SEED)
    for spread in (0.01, 0.03, 0.05):
        for sessions in ((1, 1), (2, 2), (2, 5), (3, 3), (6, 6)):
            sides = [days(chance, size=size, sessions=count, spread=spread) for count in sessions]
            found = judged(sides[0], sides[1])
            name = f"days {spread:.0%}, {sessions[0]} and {sessions[1]} sessions"
            yield Cell(name, found.winners, AT_MOST)
            if sessions == (1, 1):
                yield Cell(f"{name}, by runs (before)", judged(sides[0], sides[1], runs_only=True).winners, None)
                known = [days(chance, size=size, sessions=4, spread=spread) for _ in sides]
                told = judged(sides[0], sides[1], earlier=(known[0], known[1]))
                yield Cell(f"{name}, recorded spread of 4", told.winners, AT_MOST)
            else:
                yield Cell(f"{name}: covered", found.covered, COVERED, at_least=True)
    for runs in (6, 10):
        for count in (1, 2, 3):
            first, second = cut(chance, trace(), size=size, sessions=count, runs=runs)
            name = f"recorded trace, {count} x {runs} runs a side"
            yield Cell(name, judged(first, second).winners, AT_MOST)
            if count == 1:
                yield Cell(f"{name}, by runs (before)", judged(first, second, runs_only=True).winners, None)


PARTS = {"days": of_days}


def main(argv: Sequence[str] | None = None) -> int:
    """Print the cells; 0 if each keeps its limit."""
    words = argparse.ArgumentParser(prog="bench_verdicts", description=(__doc__ or "").splitlines()[0])
    words.add_argument("--replicates", type=int, default=10_000, metavar="N")
    words.add_argument("--only", choices=list(PARTS), action="append", help="one part; may be given again")
    told = words.parse_args(argv)
    kept = True
    for name in told.only or PARTS:
        for cell in PARTS[name](told.replicates):
            say(cell.line)
            kept = kept and cell.kept
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
