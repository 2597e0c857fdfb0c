"""Histories of 100 sessions: how often one without a change has one, and how soon a step is found (ADR 57)."""

import csv
import math
from pathlib import Path

import numpy as np

from headtohead.analyze.statistics.over_time.change_points import change_points, step_found_soon
from headtohead.analyze.statistics.paired import Floats

POINTS = 100
BLOCKS, MOST_BLOCKS = 6, 24
"""Blocks of a session: the fewest with a verdict, and those of a race that is open to its end."""
NEAR = 2
"""A change this many points from the step is the step."""
RECORDED = Path(__file__).parents[2] / "reference" / "recorded"
RACES = {each: RECORDED / f"2026-11-28-{each}-races.csv" for each in ("program", "server")}
"""A program against itself, raced as pipelines race; a server against itself, by the study ``noise``."""


def real_ratios(chance: np.random.Generator, logs: Floats, *, size: int) -> Floats:
    """Return the logarithms of ratios of a server to itself: each of the blocks of one session, at a random place.

    A block is two runs made one after the other, in random order.
    """
    blocks = logs[: len(logs) // 2 * 2].reshape(-1, 2)
    return sessions_of(chance, blocks[:, 1] - blocks[:, 0], size=size)


def sessions_of(chance: np.random.Generator, ratios: Floats, *, size: int, blocks: int = BLOCKS) -> Floats:
    """Return histories of the means of blocks in a row, from a random one on; either setup may be the baseline."""
    starts = chance.integers(0, len(ratios) - blocks + 1, size=(size, POINTS, 1))
    drawn = ratios[starts + np.arange(blocks)]
    signs = 1 - 2 * chance.integers(0, 2, size=drawn.shape)
    return np.asarray((drawn * signs).mean(axis=-1))


def raced(path: Path) -> Floats:
    """Return the logarithms of the ratios of the blocks of races, in the order in which they were made."""
    with path.open(encoding="utf-8", newline="") as file:
        return np.log([float(each["b"]) / float(each["a"]) for each in csv.DictReader(file)])


def white(chance: np.random.Generator, *, size: int, spread: float = 0.02) -> Floats:
    """Return series without a change and without memory."""
    return np.asarray(spread * chance.standard_normal((size, POINTS)))


def stated(series: Floats) -> float:
    """Return the step that a typical one of these series states as one that it shows soon, as a ratio less 1."""
    steps = [step_found_soon(each) for each in series]
    return math.expm1(float(np.median([each for each in steps if each is not None])))


def changed(series: Floats) -> float:
    """Return the share of the series in which a change is found."""
    return sum(bool(change_points(each)) for each in series) / len(series)


def found_soon(series: Floats, *, step: float, after: int) -> float:
    """Return the share of the series in which a step is found when its new level has ``after`` points."""
    place = series.shape[1] - after
    moved = series + math.log(1 + step) * (np.arange(series.shape[1]) >= place)
    return sum(any(abs(each - place) <= NEAR for each in change_points(one)) for one in moved) / len(series)
