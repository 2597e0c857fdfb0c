"""What more of something countable gained, next to its ideal.

Gain, ideal, efficiency and serial share are those of METHOD.md 5.3. No law is fitted: every figure is of measured
levels.
"""

import math

from headtohead.analyze.statistics.paired import blocks_needed
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.analysis.sweeps import Scaling
from headtohead.model.plan import Comparison, PlannedExperiment
from headtohead.model.quantity import Scalar, Summary
from headtohead.model.study.count_words import COUNTABLE

CPUS = "cpus"


def scaling(
    comparison: Comparison, experiment: PlannedExperiment, *, ratio: Estimate | None, summary: Summary | None = None
) -> Scaling | None:
    """Return the gain of the higher level over the lower, from the ratio other / baseline of a summary (the primary).

    None if that has no meaning: another factor, a metric that is better lower or counted per copy, no interval, or more
    workers than CPUs that they could have, so that no ideal is known.
    """
    metric = experiment.metrics[(summary or experiment.primary).of]
    if comparison.factor not in COUNTABLE or metric.better != "higher" or metric.per is not None:
        return None
    baseline, other = (
        _count(experiment, label, factor=comparison.factor) for label in (comparison.baseline, comparison.other)
    )
    if ratio is None or ratio.interval is None or baseline is None or other is None or baseline == other:
        return None
    low, high = sorted((baseline, other))
    both = [experiment.treatment(each) for each in (comparison.baseline, comparison.other)]
    given = min(len(each.cpus) for each in both)
    quotas = [each.cpu_quota for each in both if each.cpu_quota is not None]
    if (comparison.factor != CPUS and 0 < given < high) or (quotas and min(quotas) < high):
        return None
    interval, value = ratio.interval, ratio.value
    if other < baseline:
        interval = Interval(low=1 / interval.high, high=1 / interval.low, confidence=interval.confidence)
        value = 1 / value
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


def _count(experiment: PlannedExperiment, label: str, *, factor: str) -> float | None:
    treatment = experiment.treatment(label)
    level: Scalar | None = treatment.levels.get(factor, treatment.settings.get(factor))
    if isinstance(level, bool | str) or level is None or level <= 0:
        return None
    return float(level)
