"""Whether values rose or fell over the blocks of a study: the change along a straight line, and its p."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from headtohead.analyze.statistics.error_of_checks import ENOUGH, SURE
from headtohead.analyze.statistics.over_time.straight_line import slope
from headtohead.analyze.statistics.paired import Floats

SMALL = 0.01
"""A smaller drift is not reported."""
EXACT_UP_TO = 8
"""Up to this many blocks all orders are counted."""
DRAWN, SEED = 20_000, 20261125
ROUNDING = 1e-9
"""Rounding must not part orders that tie with the observed one."""


@dataclass(frozen=True)
class Trend:
    """The change of a straight line from the first block to the last, as a share, and its two-sided p."""

    change: float
    p: float


def trend_of(logs: Mapping[int, float]) -> Trend | None:
    """Return the trend of values, given as logarithms by block; None for fewer than 6 blocks.

    The p is the greater of two: that of Student's t, and the share of orders of the values with as steep a line, which
    also holds where runs have two speeds. Only if the first is small is the second computed.

    Assumes:    without a trend every order of the values is as likely.
    Invariant:  a factor on all values changes nothing.
    Reference:  Good (2005), Permutation Tests; calibrated in tests/analyze/test_trend.py.

    >>> trend_of({block: 0.1 * block + 0.01 * (block % 2) for block in range(6)}).change > 0.6
    True
    """
    blocks = sorted(logs)
    if len(blocks) < ENOUGH:
        return None
    at, values = [float(each) for each in blocks], [logs[each] for each in blocks]
    steep, p = slope(at, values)
    p = max(p, _p_by_order(np.asarray(at), np.asarray(values))) if p < SURE else p
    return Trend(math.expm1(steep * (blocks[-1] - blocks[0])), p)


def _p_by_order(at: Floats, values: Floats) -> float:
    """Return the share of orders of the values that follow a line at least as closely, which needs no distribution.

    Of all orders up to 8 values; beyond, of ``DRAWN`` seeded ones, one added so that it is never 0.
    """
    centered = at - at.mean()
    reached = abs(float(centered @ values)) - ROUNDING * float(np.abs(values).sum())
    if len(values) <= EXACT_UP_TO:
        return float(np.mean(np.abs(values[_orders(len(values))] @ centered) >= reached))
    drawn = np.random.default_rng(SEED).permuted(np.tile(values, (DRAWN, 1)), axis=1)
    return float((1 + np.sum(np.abs(drawn @ centered) >= reached)) / (DRAWN + 1))


@lru_cache(maxsize=4)
def _orders(n: int) -> NDArray[np.intp]:
    return np.asarray(list(permutations(range(n))), dtype=np.intp)


def sure_trends(series: Sequence[Mapping[int, float]], *, least: float = SMALL) -> list[Trend | None]:
    """Return the trend of each series that chance explains in at most 1 of 100 sets of series; None for the others.

    The series share that error (Bonferroni).
    """
    found = [trend_of(each) for each in series]
    sure = SURE / max(1, len(series))
    return [each if each and each.p < sure and abs(each.change) > least else None for each in found]
