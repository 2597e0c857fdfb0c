"""What a report of many runs takes: ``make bench-report``.

Results folders of 100 to 10,000 runs in up to 50 experiments are made by ``benches.make_runs`` and kept under
build/benches. Then `headtohead report` is timed from start to end, with its memory. Exit 1 if the last is above a bar.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benches.bench_compare import Took, timed
from benches.bench_search import say
from benches.make_runs import EXPERIMENTS, RUNS, Asked, make
from benches.meter import BenchError

CURVE = (100, 300, 1000, 3000, RUNS)
MOST_S, MOST_BYTES = 20.0, 1024**3
"""The bars, for 10,000 runs."""
FEWEST_BLOCKS = 10
PLACE = Path("build/benches")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench; 0 when both bars are kept."""
    words = argparse.ArgumentParser(prog="bench_report", description=(__doc__ or "").splitlines()[0])
    words.add_argument("--runs", type=int, nargs="+", default=CURVE, metavar="N")
    try:
        return _bench(words.parse_args(argv).runs)
    except BenchError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1


def _bench(curve: Sequence[int]) -> int:
    say("   runs   experiments   whole command      its CPU   peak memory")
    for runs in curve:
        experiments = min(EXPERIMENTS, max(1, runs // (2 * FEWEST_BLOCKS)))
        took = _took(runs, experiments)
        say(f"{runs:7,} {experiments:13} {took.wall_s:13.1f} s {took.cpu_s:10.1f} s {took.peak_bytes / 2**20:9.0f} MiB")
    say(f"At most {MOST_S:.0f} s and {MOST_BYTES / 2**20:.0f} MiB for the last.")
    return 0 if took.wall_s <= MOST_S and took.peak_bytes <= MOST_BYTES else 1


def _took(runs: int, experiments: int) -> Took:
    folder = PLACE / f"runs-{runs}-in-{experiments}"
    if not folder.is_dir():
        sys.stderr.write(f"Making {runs:,} runs ...\n")
        PLACE.mkdir(parents=True, exist_ok=True)
        make(folder, Asked(runs, experiments))
    return timed(["report", str(folder)], text=PLACE / "report.txt")


if __name__ == "__main__":
    sys.exit(main())
