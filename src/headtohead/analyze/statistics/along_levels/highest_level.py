"""The level at which a metric is highest."""

from collections.abc import Sequence

import numpy as np

from headtohead.analyze.statistics.paired import Floats, center_and_half_width
from headtohead.model.analysis.estimates import Estimate, Interval


def highest(levels: Sequence[float], logs: Floats, *, alpha: float) -> Estimate:
    """Return the level at which a metric is highest, from the logarithms of its values: a row a run, a column a level.

    The value is the level of the highest mean, the first of equals. The interval is from the least to the greatest
    level that no other is shown to exceed; a single run has none.

    Assumes:    at least one run and one level; all values finite.
    Invariant:  adding a constant to a run's row changes nothing.
    Covers:     the true level with 1 - alpha at least: it falls out only where one of the others is shown above it,
                and each of these is held to a one-sided t at alpha / (levels - 1).
    Reference:  after Hsu (1984), Ann. Statist. 12, on comparisons with the best.
    """
    runs, count = logs.shape
    value = float(levels[int(np.argmax(logs.mean(axis=0)))])
    if runs < 2:
        return Estimate(value=value, interval=None, n=runs)
    if count == 1:
        return Estimate(value=value, interval=Interval(value, value, 1 - alpha), n=runs)
    over = logs.T[:, np.newaxis, :] - logs.T[np.newaxis, :, :]
    center, half = center_and_half_width(over, alpha=2 * alpha / (count - 1))
    beaten = np.any(center - half > 0, axis=0).tolist()
    kept = [float(level) for level, lower in zip(levels, beaten, strict=True) if not lower]
    return Estimate(value=value, interval=Interval(min(kept), max(kept), 1 - alpha), n=runs)
