"""Reuse the interval of a ratio that a comparison decided wherever it is shown again: one ratio, one interval."""

from dataclasses import replace

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.analysis.sweeps import Scaling
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.report.context import ExperimentContext

_EQUAL = 1e-6
"""Ratios closer than this are one quantity."""


def ratio_of(context: ExperimentContext, comparison: ComparisonResult, *, metric: str, case: Case) -> Estimate | None:
    """Return the ratio of a metric in a case: as decided, or exploratory; None if it was not compared.

    What several copies do in all is what each of them does times their number: it is decided with that.
    """
    decided, result = comparison.ratio, context.result
    if not case and metric == result.primary.name:
        return decided
    found = next((each.ratio for each in comparison.exploratory if (each.case, each.metric) == (case, metric)), None)
    many = copies(context, comparison.other) / copies(context, comparison.baseline)
    if found is None or decided is None or decided.interval is None or case != WHOLE_RUN or many == 1:
        return found
    if abs(found.value / (decided.value * many) - 1) > _EQUAL:
        return found
    ends = decided.interval
    return replace(decided, value=found.value, interval=replace(ends, low=ends.low * many, high=ends.high * many))


def copies(context: ExperimentContext, label: str) -> float:
    """Return how many copies a setup has, if the metric is counted for each of them; else 1."""
    per, planned = context.result.metric.per, context.planned
    levels = [each.levels.get(per) for each in planned.treatments if each.label == label] if per and planned else []
    known = [float(level) for level in levels if isinstance(level, int | float) and level > 0]
    return known[0] if known else 1.0


def with_ratio(scaling: Scaling, ratio: Estimate | None) -> Scaling:
    """Return a gain with the value and interval of this ratio; unchanged if there is none."""
    if ratio is None or ratio.interval is None:
        return scaling
    ends = Interval(ratio.interval.low - 1, ratio.interval.high - 1, ratio.interval.confidence)
    return replace(scaling, gain=ratio.value - 1, interval=ends)
