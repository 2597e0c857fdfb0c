"""The command line of a generator: generate.py --scale 1 --seed 1 --out DIR."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path


def run(
    arguments: Sequence[str], *, data_set: str, scale_1: str, largest_scale: int, write: Callable[..., None]
) -> int:
    """Write a data set as the arguments say, by ``write(out, scale=..., seed=...)``; return 0.

    ``scale_1`` says what the data set is at scale 1. Exit with 2 if the arguments are wrong or the folder is not empty.
    """
    parser = argparse.ArgumentParser(description=f"Write the data set '{data_set}'.")
    parser.add_argument("--scale", type=float, default=1.0, help=f"1 is {scale_1} (default 1)")
    parser.add_argument("--seed", type=int, default=1, help="what everything is drawn from (default 1)")
    parser.add_argument("--out", type=Path, required=True, help="an empty or missing folder")
    options = parser.parse_args(arguments)
    if not 0 < options.scale <= largest_scale:
        parser.error(f"--scale is above 0 and at most {largest_scale}")
    options.out.mkdir(parents=True, exist_ok=True)
    if any(options.out.iterdir()):
        parser.error(f"{options.out} is not empty: name an empty or missing folder, so that nothing is overwritten")
    write(options.out, scale=options.scale, seed=options.seed)
    return 0
