"""How often are verdicts wrong? ``make bench-verdicts``: the tables of ADR 23, 27, 28, 38, 50, 56, 57, by ours.

Each part prints a line a cell. Exit 0: every cell keeps its limit; 1: some cell does not.
"""

import argparse
import math
import sys
from collections.abc import Iterator, Sequence

import numpy as np

from benches.bench_search import say
from benches.verdicts.carry_over import Design, found
from benches.verdicts.coverage import CLAIMED, CLAIMED_OF_STUDIES, EXPERIMENTS, by_chance, false_studies, printed
from benches.verdicts.days import cut, days, judged, pairs, relative, trace
from benches.verdicts.history import (
    BLOCKS,
    MOST_BLOCKS,
    RACES,
    changed,
    found_soon,
    raced,
    real_ratios,
    sessions_of,
    stated,
    white,
)
from benches.verdicts.places import named
from benches.verdicts.queues import SERVERS, searched
from benches.verdicts.suites import covered
from benches.verdicts.table import AT_MOST, COVERED, Cell
from benches.verdicts.tails import LONG, LONGEST, MARGIN, MIDDLE, SHAPES, SHORT, added, ended
from headtohead.analyze.statistics.over_time.change_points import SOON

SEED = 20261123
"""Another one is given by ``--seed``: what was chosen on one seed is confirmed on others."""
SLACK = 0.062
"""False winners of the calibration without margin."""
ONE_IN_TWENTY = 0.05
"""Histories with a false change."""
SHOWN = 0.87
"""Histories that show the step that they state as one of which they show 9 of 10."""
BIAS = 0.01
"""The mean error of a search."""


def of_days(size: int, seed: int) -> Iterator[Cell]:
    """Yield equal machines on different days: measured once, in several sessions, once with a recorded spread."""
    chance = np.random.default_rng(seed)
    for spread in (0.01, 0.03, 0.05):
        for sessions in ((1, 1), (2, 2), (2, 5), (3, 3), (6, 6)):
            sides = [days(chance, size=size, sessions=count, spread=spread) for count in sessions]
            shares = judged(sides[0], sides[1])
            name = f"days {spread:.0%}, {sessions[0]} and {sessions[1]} sessions"
            yield Cell(name, shares.winners, AT_MOST)
            if sessions == (1, 1):
                yield Cell(f"{name}, by runs (before)", judged(sides[0], sides[1], runs_only=True).winners, None)
                known = [days(chance, size=size, sessions=4, spread=spread) for _ in sides]
                told = judged(sides[0], sides[1], earlier=(known[0], known[1]))
                yield Cell(f"{name}, recorded spread of 4", told.winners, AT_MOST)
            else:
                yield Cell(f"{name}: covered", shares.covered, COVERED, at_least=True)
    yield from of_relative(size, seed)
    for runs in (6, 10):
        for count in (1, 2, 3):
            first, second = cut(chance, trace(), size=size, sessions=count, runs=runs)
            name = f"recorded trace, {count} x {runs} runs a side"
            yield Cell(name, judged(first, second).winners, AT_MOST)
            if count == 1:
                yield Cell(f"{name}, by runs (before)", judged(first, second, runs_only=True).winners, None)


def of_relative(size: int, seed: int) -> Iterator[Cell]:
    """Yield machines on different days, each run as it is, and relative to another server in the same block."""
    chance = np.random.default_rng(seed + 1)
    for own in (0.0, 0.005, 0.02):
        for sessions in (1, 2, 3):
            sides = [relative(chance, size=size, sessions=sessions, spread=0.05, own=own) for _ in range(2)]
            name = f"days 5 %, {own:.1%} of it own, {sessions} sessions, relative"
            multiples = sides[0][1], sides[1][1]
            yield Cell(f"{name}: false winners", judged(*multiples).winners, AT_MOST)
            if sessions == 1:
                yield Cell(f"{name}: by blocks (not done)", judged(*multiples, runs_only=True).winners, None)
            else:
                yield Cell(f"{name}: covered", judged(*multiples).covered, COVERED, at_least=True)
                for what, first, second in (("absolute", sides[0][0], sides[1][0]), ("relative", *multiples)):
                    told = judged(first, second + math.log(1.10)).winners
                    yield Cell(f"{name}: a true 10 % found, {what}", told, None)
    for count in (2, 3):
        first, second = cut(chance, trace(), size=size, sessions=count, runs=12)
        for what, made in (("absolute", lambda each: each), ("relative", pairs)):
            name = f"recorded trace, {count} x 12 runs, {what}"
            yield Cell(f"{name}: false winners", judged(made(first), made(second)).winners, AT_MOST)
            told = judged(made(first), made(second) + math.log(1.10)).winners
            yield Cell(f"{name}: a true 10 % found", told, None)


def of_carry_over(size: int, seed: int) -> Iterator[Cell]:
    """Yield studies in which the first arm slows the run after it, or nothing does."""
    few = max(size // 10, 1000)
    for blocks in (6, 10, 16, 24):
        for wandering in (0.0, 0.01, 0.05):
            name = f"{blocks} blocks that differ by {wandering:.0%}"
            told = found(Design(blocks, wandering=wandering), size=few, seed=seed)
            yield Cell(f"carry-over of 0 %, {name}: found", told, 0.018)
            for carried in (0.02, 0.06):
                told = found(Design(blocks, carried=math.log(1 - carried), wandering=wandering), size=few, seed=seed)
                bar = 0.9 if (blocks, wandering, carried) in ((10, 0.0, 0.06), (24, 0.05, 0.06)) else None
                yield Cell(f"carry-over of {carried:.0%}, {name}: found", told, bar, at_least=True)


def of_tails(size: int, seed: int) -> Iterator[Cell]:
    """Yield servers that differ in more than their mean: false winners, coverage, and the power that remains."""
    for name, shape in SHAPES.items():
        for looks in (LONGEST, LONG, MIDDLE, SHORT):
            before, now = (ended(shape, size=size, seed=seed, looks=looks, careful=each) for each in (False, True))
            what = f"{name}, {len(looks)} looks"
            yield Cell(f"{what}: false winners before", before.winners, None)
            yield Cell(f"{what}: false winners", now.winners, AT_MOST)
            yield Cell(f"{what}: covered", now.covered, None)
        for others in (2, 4):
            few = ended(shape, size=max(size // 4, 500), seed=seed, others=others)
            yield Cell(f"{name}, {others + 1} arms: false winners", few.winners, AT_MOST)
            yield Cell(f"{name}, {others + 1} arms: all covered", few.covered, None)
    for percent in (3, 5, 10):
        truth = math.log(1 + percent / 100)
        for looks in (LONGEST, LONG, MIDDLE, SHORT):
            for careful in (False, True):
                told = ended(
                    SHAPES["both noisy (5 %)"], size=size, seed=seed, truth=truth, careful=careful, looks=looks
                )
                what = f"a true {percent} % at 5 %, {len(looks)} looks: found{'' if careful else ' before'}"
                yield Cell(f"{what} ({told.blocks:.1f} blocks)", told.winners, None)


def of_more(size: int, seed: int) -> Iterator[Cell]:
    """Yield studies to which blocks are added, up to three times, whenever they end without a verdict."""
    for name, shape in SHAPES.items():
        for looks in (LONGEST, LONG, MIDDLE, SHORT):
            told = ended(shape, size=size, seed=seed, **added(looks))
            yield Cell(f"{name}, {len(looks)} looks and more: false winners", told.winners, AT_MOST)
            yield Cell(f"{name}, {len(looks)} looks and more: covered", told.covered, None)
        few = ended(shape, size=max(size // 4, 500), seed=seed, others=4, **added(LONG))
        yield Cell(f"{name}, 5 arms and more: false winners", few.winners, AT_MOST)


def of_history(size: int, seed: int) -> Iterator[Cell]:
    """Yield histories of 100 sessions, of recorded ratios of a server or program to itself and of white noise."""
    chance = np.random.default_rng(seed)
    series = {
        "recorded on a bad day": real_ratios(chance, trace(), size=size),
        "white, 2 %": white(chance, size=size),
    }
    for kind, path in RACES.items():
        for blocks in (BLOCKS, MOST_BLOCKS):
            ratios = sessions_of(chance, raced(path), size=size, blocks=blocks)
            series[f"races of a {kind}, {blocks} blocks"] = ratios
    for name, each in series.items():
        spread = float(np.std(each))
        yield Cell(f"history, {name} (spread {spread:.1%}): false changes", changed(each), ONE_IN_TWENTY)
        for after in (3, 5, 10):
            yield Cell(
                f"history, {name}: a step of 5 % found with {after} points",
                found_soon(each, step=0.05, after=after),
                None,
            )
        step = stated(each)
        what = f"history, {name}: the step that it states, {step:.1%}, found with {SOON} points"
        yield Cell(what, found_soon(each, step=step, after=SOON), SHOWN, at_least=True)


def of_places(size: int, seed: int) -> Iterator[Cell]:
    """Yield equal arms of which the second in a block loses, without a margin: false winners."""
    for looks in (LONG, MIDDLE, SHORT):
        for percent in (3, 6, 12):
            before, now = (
                named(looks, lost=percent / 100, size=size, seed=seed, orders=each) for each in (False, True)
            )
            what = f"second runs {percent} % slower, {len(looks)} looks: false winners"
            yield Cell(f"{what} before", before, None)
            yield Cell(what, now, SLACK)


def of_coverage(size: int, seed: int) -> Iterator[Cell]:
    """Yield what reports claim: intervals that hold after stopping, and studies of three that name a false winner."""
    for looks in (SHORT, (6, 12, 24), LONG):
        for others in (1, 3):
            for percent, margin in ((0, 1.0), (0, MARGIN), (1, MARGIN), (3, MARGIN), (10, MARGIN)):
                truth = math.log(1 + percent / 100)
                told = printed(size=3 * size, seed=seed, looks=looks, others=others, truth=truth, margin=margin)
                name = f"{looks}, {others + 1} arms, {percent} %, margin {margin - 1:.0%}: interval holds"
                yield Cell(name, told.covered, CLAIMED - by_chance(CLAIMED, size=3 * size), at_least=True)
        for margin in (1.0, MARGIN):
            share = false_studies(size=size, seed=seed, looks=looks, margin=margin)
            name = f"{looks}, studies of {EXPERIMENTS}, margin {margin - 1:.0%}: any false winner"
            yield Cell(name, share, CLAIMED_OF_STUDIES)


def of_levels(size: int, seed: int) -> Iterator[Cell]:
    """Yield what rising levels and freezing would change, of ADR 28: false winners, and the power at a true 3 %."""
    few, truth = max(size // 4, 500), math.log(1.03)
    flat, rising = (0.0158,) * 4, (0.0059, 0.0119, 0.0190, 0.0238)
    for name in ("both noisy (5 %)", "stalls of 12 % in 15 % of runs", "stalls of 12 % on average, exponential"):
        for others in (1, 4):
            for frozen in (False, True)[:others]:
                for levels in (flat, rising):
                    told = ended(SHAPES[name], size=few, seed=seed, others=others, levels=levels, frozen=frozen)
                    how = f"{'rising' if levels == rising else 'flat'}{', frozen' if frozen else ''}"
                    yield Cell(f"{name}, {others + 1} arms, {how}: false winners", told.winners, None)
    for levels in (flat, rising):
        told = ended(SHAPES["both noisy (5 %)"], size=few, seed=seed, truth=truth, levels=levels)
        yield Cell(f"a true 3 % at 5 %, {'rising' if levels == rising else 'flat'}: found", told.winners, None)


def of_suites(size: int, seed: int) -> Iterator[Cell]:
    """Yield suites of skewed kernels: coverage of the interval for kernels like these."""
    for kernels in (8, 12, 20, 34):
        for shape in (0.0, 0.5, 1.0):
            told = covered(kernels=kernels, shape=shape, size=max(size // 3, 500), seed=seed)
            yield Cell(f"{kernels} kernels, lognormal of shape {shape:g}: covered", told, COVERED, at_least=True)


def of_queues(size: int, seed: int) -> Iterator[Cell]:
    """Yield servers with queues: coverage of one search's interval, bias, and what a search takes."""
    for name, (_, limits) in SERVERS.items():
        for utilization in limits:
            told = searched(name, utilization, size=max(size // 50, 50), seed=seed)
            what = f"{name}, utilization {utilization:g}"
            yield Cell(
                f"{what}: covered ({told.trials:.1f} trials, width {told.width:.0%})",
                told.covered,
                COVERED,
                at_least=True,
            )
            yield Cell(f"{what}: bias ({'high' if told.bias > 0 else 'low'})", abs(told.bias), BIAS)


PARTS = {
    "days": of_days,
    "carry-over": of_carry_over,
    "tails": of_tails,
    "more": of_more,
    "history": of_history,
    "places": of_places,
    "coverage": of_coverage,
    "levels": of_levels,
    "suites": of_suites,
    "queues": of_queues,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Print the cells; 0 if each keeps its limit."""
    words = argparse.ArgumentParser(prog="bench_verdicts", description=(__doc__ or "").splitlines()[0])
    words.add_argument("--replicates", type=int, default=10_000, metavar="N")
    words.add_argument("--seed", type=int, default=SEED, metavar="N")
    words.add_argument("--only", choices=list(PARTS), action="append", help="one part; may be given again")
    told = words.parse_args(argv)
    kept = True
    for name in told.only or PARTS:
        for cell in PARTS[name](told.replicates, told.seed):
            say(cell.line)
            kept = kept and cell.kept
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
