"""The interval of a comparison: the t interval, wider on the side of a long tail if the two vary unlike each other.

A few runs rarely include one of the long tail, and then both their mean and their spread are too small.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headtohead.analyze.statistics.paired import Floats, center_and_half_width, ratio_of
from headtohead.model.analysis.estimates import Estimate, Interval

UNLIKE = 0.20
"""Below this p of Pitman and Morgan the two vary unlike each other: an interval may be wider on one side."""
STRETCH = 2.0
"""The wider side grows by this times the skewness over the square root of the number of blocks (docs/adr/0051)."""
EQUAL = 1e-9
"""Values that differ by less are equal: the difference is rounding."""


def skewness(values: Floats) -> Floats:
    """Return the sample skewness along the last axis; 0 if all values are equal.

    Invariant:  turning the signs turns it; adding a constant or multiplying by a positive one changes nothing.

    >>> skewness(np.array([[0.0, 0.0, 3.0], [1.0, 1.0, 1.0]])).round(3).tolist()
    [0.707, 0.0]
    """
    centered = values - values.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centered**2).mean(axis=-1))
    known = spread >= EQUAL
    return np.asarray(np.divide((centered**3).mean(axis=-1), spread**3, out=np.zeros_like(spread), where=known))


@dataclass(frozen=True)
class Reach:
    """The mean of log ratios, and how far their interval reaches below and above it."""

    center: Floats
    below: Floats
    above: Floats

    def estimate(self, *, alpha: float, n: int) -> Estimate:
        """Return the ratio of one comparison, with its interval at 1 - alpha."""
        center, below, above = (float(each) for each in (self.center, self.below, self.above))
        interval = Interval(low=ratio_of(center - below), high=ratio_of(center + above), confidence=1 - alpha)
        return Estimate(value=ratio_of(center), interval=interval, n=n)


def reach(logs: Floats, *, alpha: float, unlike: NDArray[np.bool_] | bool) -> Reach:
    """Return the interval at 1 - alpha of two or more log ratios, along the last axis.

    ``unlike``: whether the two treatments vary unlike each other. Of two that vary alike, the differences have no long
    tail on one side, and each interval is that of t.

    Assumes:    all finite.
    Invariant:  turning the signs exchanges below and above; it is nowhere narrower than the t interval.
    Reference:  docs/adr/0051; calibrated in tests/analyze/test_tails.py.
    """
    center, half = center_and_half_width(logs, alpha=alpha)
    grows = np.where(unlike, STRETCH * skewness(logs) / math.sqrt(logs.shape[-1]), 0.0)
    return Reach(center, half * (1 + np.maximum(0.0, -grows)), half * (1 + np.maximum(0.0, grows)))
