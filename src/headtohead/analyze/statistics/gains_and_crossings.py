"""What more of something countable gained, where a metric is highest, and where the order of two treatments changes.

Gain, ideal, efficiency and serial share are those of METHOD.md 5.3. No law is fitted: every figure is of measured
levels.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from headtohead.analyze.statistics.paired import Floats, blocks_needed, center_and_half_width
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.analysis.sweeps import Scaling
from headtohead.model.plan import Comparison, PlannedExperiment
from headtohead.model.quantity import Scalar, Summary
from headtohead.model.study.count_words import COUNTABLE


def scaling(
    comparison: Comparison, experiment: PlannedExperiment, *, ratio: Estimate | None, summary: Summary | None = None
) -> Scaling | None:
    """Return the gain of the higher level over the lower, from the ratio other / baseline of a summary (the primary).

    None if that has no meaning: another factor, a metric that is better lower or counted per copy, no interval.
    """
    metric = experiment.metrics[(summary or experiment.primary).of]
    if comparison.factor not in COUNTABLE or metric.better != "higher" or metric.per is not None:
        return None
    baseline, other = (
        _count(experiment, label, factor=comparison.factor) for label in (comparison.baseline, comparison.other)
    )
    if ratio is None or ratio.interval is None or baseline is None or other is None or baseline == other:
        return None
    interval, value = ratio.interval, ratio.value
    if other < baseline:
        interval = Interval(low=1 / interval.high, high=1 / interval.low, confidence=interval.confidence)
        value = 1 / value
    low, high = sorted((baseline, other))
    return Scaling(
        factor=comparison.factor,
        low=low,
        high=high,
        gain=value - 1,
        interval=Interval(low=interval.low - 1, high=interval.high - 1, confidence=interval.confidence),
        ideal=high / low - 1,
        efficiency=value * low / high,
        serial_share=serial_share(value, low=low, high=high),
    )


def blocks_for_ideal(found: Scaling, *, n: int, alpha: tuple[float, float]) -> int | None:
    """Return about how many blocks would leave the ideal out of the interval, if center and spread stayed the same.

    ``n`` is the number of blocks so far, ``alpha`` that of the interval, and that of the analysis which shall decide.
    None if the interval leaves the ideal out already, or if the gain equals it: then no number of blocks would do.
    """
    center = math.log1p(found.gain) - math.log1p(found.ideal)
    ends = [math.log1p(each) for each in (found.interval.low, found.interval.high)]
    half = max(abs(end - math.log1p(found.gain)) for end in ends)
    if not ends[0] <= math.log1p(found.ideal) <= ends[1]:
        return None
    return blocks_needed(center, half, n=n, matters=1.0, alpha=alpha)


def serial_share(ratio: float, *, low: float, high: float) -> float | None:
    """Return Karp and Flatt's e, as a share of the time at ``low``; None if it is no share (slower, or superlinear).

    >>> round(serial_share(1.6, low=2, high=4), 3)
    0.25
    """
    step = low / high
    share = (1 / ratio - step) / (1 - step)
    return share if 0 <= share <= 1 else None


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


@dataclass(frozen=True)
class OrderChange:
    """The two places of a sweep between which the order changes; ``upward`` if the ratio is above 1 after it.

    ``shown`` is whether the intervals at both places exclude 1.
    """

    low: int
    high: int
    upward: bool
    shown: bool


def order_changes(ratios: Sequence[Estimate]) -> tuple[OrderChange, ...]:
    """Return where a ratio crosses 1, from its estimates at rising levels.

    A change is shown between two places whose intervals are on opposite sides of 1, with none on either side between
    them. If nothing is shown but the estimates end on the other side, it is one change that is not shown: from the last
    estimate before the first change to the first one after the last.
    """
    sides = [_side(each) for each in ratios]
    decided = [place for place, side in enumerate(sides) if side]
    shown = tuple(
        OrderChange(low, high, upward=sides[high] > 0, shown=True)
        for low, high in pairwise(decided)
        if sides[low] != sides[high]
    )
    changes = [place for place, (one, next_) in enumerate(pairwise(ratios)) if (one.value > 1) != (next_.value > 1)]
    if shown or len(changes) % 2 == 0:
        return shown
    return (OrderChange(changes[0], changes[-1] + 1, upward=ratios[changes[-1] + 1].value > 1, shown=False),)


def _side(ratio: Estimate) -> int:
    """Return 1 or -1 if the whole interval is above or below 1, 0 if it includes 1 or there is none."""
    if ratio.interval is None:
        return 0
    return int(ratio.interval.low > 1) - int(ratio.interval.high < 1)


def _count(experiment: PlannedExperiment, label: str, *, factor: str) -> float | None:
    treatment = experiment.treatment(label)
    level: Scalar | None = treatment.levels.get(factor, treatment.settings.get(factor))
    if isinstance(level, bool | str) or level is None or level <= 0:
        return None
    return float(level)
