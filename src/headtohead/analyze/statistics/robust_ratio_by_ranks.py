"""The robust companion of the t interval: Hodges-Lehmann, by ranks, of log ratios within blocks.

It never decides. A few outlying runs pull a mean and widen its interval; a median of pairwise means stays.
"""

from functools import lru_cache

import numpy as np

from headtohead.analyze.statistics.paired import Floats, ratio_of
from headtohead.model.analysis.estimates import Estimate, Interval

LEAST_BLOCKS = 12
"""Fewer blocks have none: their intervals come in steps too coarse to compare with those of t."""


def hodges_lehmann(logs: Floats, *, alpha: float) -> Estimate | None:
    """Return the ratio of log ratios by ranks: the median of the means of all pairs, with the exact interval.

    The interval is that of Wilcoxon's signed ranks: all ratios that the test does not reject at ``alpha``. None for
    fewer than 12 blocks, or if ``alpha`` is so small that all signs alike do not reach it.

    Assumes:    one axis; all finite; blocks independent and their noise symmetrical.
    Invariant:  adding a constant moves all three by it; none of them depends on the order.
    Reference:  METHOD.md 3.2; Hodges and Lehmann, 1963; calibrated in tests/analyze/test_robust_ratio_by_ranks.py.
    """
    n = len(logs)
    if n < LEAST_BLOCKS or alpha / 2 < 2.0**-n:
        return None
    first, second = np.triu_indices(n)
    means = np.sort((logs[first] + logs[second]) / 2)
    cut = ranks_cut(n, alpha=alpha)
    low, high = float(means[cut]), float(means[len(means) - 1 - cut])
    return Estimate(
        value=ratio_of(float(np.median(means))),
        interval=Interval(low=ratio_of(low), high=ratio_of(high), confidence=1 - alpha),
        n=n,
    )


@lru_cache(maxsize=256)
def ranks_cut(n: int, *, alpha: float) -> int:
    """Return how many of the ordered pairwise means are outside the interval at each end.

    That is the largest sum of positive ranks that n signs reach, or fall below, with a probability of at most
    ``alpha`` / 2.

    Assumes:    ``alpha`` / 2 is at least 2^-n, the probability of the smallest sum.

    >>> ranks_cut(12, alpha=0.05)
    13
    """
    ways = np.zeros(n * (n + 1) // 2 + 1)
    ways[0] = 1.0
    for rank in range(1, n + 1):
        ways[rank:] += ways[:-rank].copy()
    below = np.cumsum(ways) / 2.0**n
    return int(np.searchsorted(below, alpha / 2, side="right")) - 1
