"""Whether the level of a setup changed between two of its runs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from headtohead.analyze.statistics.error_of_checks import SURE
from headtohead.analyze.statistics.paired import Floats, t_tail

SMALL = 0.01
"""A smaller step is not reported."""
ROUNDING = 1e-9
"""Logarithms that differ by less are equal."""
FEWEST_IN_STEP = 3
"""The runs before a step, and after it, at least."""


@dataclass(frozen=True)
class Step:
    """A change of level: how many runs follow it, of how many, its size as a share, and its two-sided p."""

    last: int
    of: int
    change: float
    p: float
    left: float
    """The sum of squares, of logarithms, that it leaves unexplained."""


def sure_steps(series: Mapping[str, Sequence[float]]) -> dict[str, Step]:
    """Return the step of each series of logarithms that chance explains in at most 1 of 100 sets of series.

    By a t of each place where the level may change, at an error that these places and the series share.
    """
    found = {}
    for label, logs in series.items():
        step = step_of(logs)
        if step and step[2] < SURE / len(series) and abs(math.expm1(step[1])) > SMALL:
            at, log, p = step
            found[label] = Step(len(logs) - at, len(logs), math.expm1(log), p, _left([logs[:at], logs[at:]]))
    return found


def step_of(logs: Sequence[float]) -> tuple[int, float, float] | None:
    """Return the place of the likeliest step of a series, its size (a log) and its two-sided p; None if there is none.

    All values from that place on are on one side of all before it. The p is that of Student's t times the number of
    places (Bonferroni).

    Assumes:    without a step values are alike and independent.
    Invariant:  adding a constant changes nothing; in reverse order the step has the same p.

    >>> step_of([0.0, 0.01, 0.0, -0.04, -0.03, -0.04])[0]
    3
    """
    places = range(FEWEST_IN_STEP, len(logs) - FEWEST_IN_STEP + 1)
    found = [(at, *_step_at(logs, at)) for at in places if _apart(logs[:at], logs[at:])]
    at, log, p = min(found, key=lambda each: each[2], default=(0, 0.0, 1.0))
    return (at, log, min(1.0, p * len(places))) if at else None


def _apart(before: Sequence[float], after: Sequence[float]) -> bool:
    return max(before) < min(after) or max(after) < min(before)


def _step_at(logs: Sequence[float], at: int) -> tuple[float, float]:
    parts = [np.asarray(each, dtype=np.float64) for each in (logs[:at], logs[at:])]
    log, df = float(parts[1].mean() - parts[0].mean()), len(logs) - 2
    error = math.sqrt(_left(parts) / df * math.fsum(1 / len(each) for each in parts))
    return log, (t_tail(log / error, df) if error > ROUNDING else 0.0)


def _left(parts: Sequence[Sequence[float] | Floats]) -> float:
    """Return the sum of squares around the mean of each part."""
    return math.fsum(float(np.var(each)) * len(each) for each in parts)
