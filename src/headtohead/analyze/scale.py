"""What more of something countable bought: gain, ideal, efficiency, serial share (METHOD.md 5.3)."""

from headtohead.model.analysis import Estimate, Interval, Scaling
from headtohead.model.plan import Comparison, PlannedExperiment
from headtohead.model.quantity import Scalar, Summary

COUNTABLE = ("cpus", "copies", "threads", "processes", "workers")
"""Factors whose levels count things that could each do their part of the work."""


def scaling(
    comparison: Comparison, experiment: PlannedExperiment, *, ratio: Estimate | None, summary: Summary | None = None
) -> Scaling | None:
    """Return what the higher level bought over the lower, from the ratio other / baseline of a summary (the primary).

    None where that has no meaning: another factor, a metric of which less is better or that is counted per copy
    already, no interval.
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


def serial_share(ratio: float, *, low: float, high: float) -> float | None:
    """Return Karp and Flatt's e, as a share of the time at ``low``; None where it is no share (slower, or superlinear).

    >>> round(serial_share(1.6, low=2, high=4), 3)
    0.25
    """
    step = low / high
    share = (1 / ratio - step) / (1 - step)
    return share if 0 <= share <= 1 else None


def _count(experiment: PlannedExperiment, label: str, *, factor: str) -> float | None:
    treatment = experiment.treatment(label)
    level: Scalar | None = treatment.levels.get(factor, treatment.settings.get(factor))
    if isinstance(level, bool | str) or level is None or level <= 0:
        return None
    return float(level)
