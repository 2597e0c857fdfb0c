"""How far the median of a few rounds may be off, whatever their distribution."""

from collections.abc import Sequence
from math import comb

CONFIDENCE = 0.95


def interval(ratios: Sequence[float]) -> tuple[float, float]:
    """Return the interval of the median by order statistics: the narrowest that holds it with 95 %, else all there is.

    >>> interval([1.0, 3.0, 2.0])
    (1.0, 3.0)
    >>> interval([float(each) for each in range(1, 10)])
    (2.0, 8.0)
    """
    ordered, n = sorted(ratios), len(ratios)
    kept = 0
    while 2 * (kept + 1) < n and 1 - 2 * sum(comb(n, each) for each in range(kept + 2)) / 2**n >= CONFIDENCE:
        kept += 1
    return ordered[kept], ordered[n - 1 - kept]
