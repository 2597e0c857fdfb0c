"""The summary of the cases of one run: one number, on which the verdict rests."""

import math
from collections.abc import Mapping, Sequence

from headtohead.analyze.runs.records_and_times_of_case import planned_cases
from headtohead.model.analysis.estimates import Key
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import By, Summary, scalar_text

WHERE: By = "where-max"
"""The one summary that is a level and not a value of the metric: shown, never judged."""


def summaries(experiment: PlannedExperiment) -> tuple[Summary, ...]:
    """Return the primary summary and the others of the experiment, each name once, the primary first."""
    named = {experiment.primary.name: experiment.primary}
    for each in experiment.summaries:
        named.setdefault(each.name, each)
    return tuple(named.values())


def cases_of(summary: Summary, experiment: PlannedExperiment) -> tuple[Case, ...]:
    """Return the planned cases whose fields are in the summary's ``where``."""
    return tuple(case for case in planned_cases(experiment) if _is_in(case, summary.where))


def levels_of(summary: Summary, experiment: PlannedExperiment) -> tuple[float, ...] | None:
    """Return the level of the summary's case field ``at`` in each of its cases; None if one has no number there."""
    values = [case.get(summary.at) for case in cases_of(summary, experiment)] if summary.at else []
    levels = [float(each) for each in values if isinstance(each, int | float) and not isinstance(each, bool)]
    return tuple(levels) if levels and len(levels) == len(values) else None


def summarize(values: Sequence[float], by: By) -> float | None:
    """Return the summary of the values; None for none, or for a geometric mean of a negative one.

    None for ``where-max`` too, which is no value: see where_highest.

    >>> summarize([1.0, 4.0], "geometric-mean"), summarize([0.0, 4.0], "geometric-mean")
    (2.0, 0.0)
    """
    if not values or by == WHERE:
        return None
    if len(values) == 1:
        return values[0]
    if by == "max":
        return max(values)
    if by == "min":
        return min(values)
    if by == "mean":
        return math.fsum(values) / len(values)
    if min(values) <= 0:
        return 0.0 if min(values) == 0 else None
    return math.exp(math.fsum(math.log(value) for value in values) / len(values))


def where_highest(levels: Sequence[float], values: Sequence[float]) -> float:
    """Return the level at which the value is highest, the smallest of equals.

    >>> where_highest([1, 5, 20, 50], [240.0, 508.0, 508.0, 497.0])
    5
    """
    return min(level for level, value in zip(levels, values, strict=True) if value == max(values))


def value_of(summary: Summary, values: Mapping[Key, float], *, experiment: PlannedExperiment) -> float | None:
    """Return the summary of one run's values, by (case, metric); None if a single case of it is missing.

    A metric of the run as a whole (its case is empty) is its own summary.
    """
    metric = experiment.metrics.get(summary.of)
    if metric is not None and metric.source == "run":
        return values.get(Key(WHOLE_RUN, summary.of))
    found = [values.get(Key(case, summary.of)) for case in cases_of(summary, experiment)]
    present = [value for value in found if value is not None]
    if len(present) < len(found) or not present:
        return None
    if summary.by == WHERE:
        levels = levels_of(summary, experiment)
        return None if levels is None else where_highest(levels, present)
    return summarize(present, summary.by)


def _is_in(case: Case, where: Mapping[str, Sequence[str | int | float | bool]]) -> bool:
    return all(
        name in case and scalar_text(case[name]) in {scalar_text(value) for value in allowed}
        for name, allowed in where.items()
    )
