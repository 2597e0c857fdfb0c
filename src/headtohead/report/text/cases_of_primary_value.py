"""The cases of which a primary value is made: which they are, their levels in words, whether they are unlike work."""

from collections.abc import Sequence, Set

from headtohead.model.analysis.estimates import Interval
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.case import Case
from headtohead.model.quantity import Scalar, Summary, scalar_text
from headtohead.report.text.names import counted, counted_many, metric_title
from headtohead.report.text.wording import listed, plural

BEST_AT = "_at"
"""What the summary with the level of a best value is called after it."""
OFFERED = "rate_per_s"
"""The field of an offered load: no mean over several is a rate that was served."""
RANGE = 3
"""From this many levels on that follow each other, only the first and the last are named."""


def levels_text(levels: Sequence[str]) -> str:
    """Return levels as text: many that follow each other as a range.

    >>> levels_text(["1", "2"]), levels_text(["10", "20", "35", "50"])
    ('1 and 2', '10 to 50')
    """
    return f"{levels[0]} to {levels[-1]}" if len(levels) >= RANGE else listed([*levels])


def averaged_over(experiment: ExperimentResult) -> str:
    """Return the levels that a mean over some of a sweep's is of: ``5 to 50 connections``; empty if it has all.

    Of three or more offered rates, and of clients of batch work, all are named too: ``7 offered rates (5 to 320 /s)``.
    """
    field, levels = experiment.sweep, experiment.primary.where.get(experiment.sweep, ())
    measured = {each for sweep in experiment.sweeps for each in sweep.levels}
    kept = [each for each in levels if not isinstance(each, str)]
    if not field or experiment.primary.by not in ("mean", "geometric-mean"):
        return ""
    if field == OFFERED and (offered := sorted(kept or measured))[1:]:
        return f"{len(offered)} offered rates ({levels_text([scalar_text(each) for each in offered])} /s)"
    if experiment.metric.source == "batch" and counted(field) != field and not kept and len(measured) > 1:
        return _span(field, sorted(measured))
    return _span(field, kept) if 1 < len(kept) < len(measured) else ""


def best_of(experiment: ExperimentResult) -> str:
    """Return the levels of a sweep of which each setup's best counts: ``1 to 50 connections``; else empty."""
    field = experiment.sweep
    levels = sorted({each for sweep in experiment.sweeps for each in sweep.levels})
    if not field or experiment.primary.by != "max" or experiment.primary.where.get(field) or len(levels) < 2:
        return ""
    return _span(field, levels)


def best_levels(experiment: ExperimentResult, labels: Sequence[str]) -> str:
    """Return at which level of a sweep each of these setups has its best value on average, if they differ; else empty.

    ``PostgreSQL at 1 or 10, MariaDB at 10``: all levels in the interval of that level.
    """
    found = {label: _best_level(experiment, label) for label in labels}
    if not all(found.values()) or len(set(found.values())) < 2:
        return ""
    return ", ".join(f"{label} at {level}" for label, level in found.items())


def _best_level(experiment: ExperimentResult, label: str) -> str:
    cells = [
        cell
        for treatment in experiment.treatments
        if treatment.label == label
        for cell in treatment.cells
        if cell.metric == experiment.primary.of and experiment.sweep in cell.case
    ]
    sign = 1 if experiment.metric.better != "lower" else -1
    best = max(cells, key=lambda each: sign * each.estimate.value, default=None)
    if best is None:
        return ""
    at = _best_at(experiment, label)
    levels = sorted({float(cell.case.levels[experiment.sweep]) for cell in cells}) if at else []
    within = [scalar_text(each) for each in levels if at and at.low <= each <= at.high]
    if len(within) < 2:
        return best.case.levels[experiment.sweep]
    return f"{within[0]} to {within[-1]}" if len(within) >= RANGE else " or ".join(within)


def _best_at(experiment: ExperimentResult, label: str) -> Interval | None:
    """Return the interval of the level at which a setup's runs have their best value; None if it was not computed."""
    name = f"{experiment.primary.name}{BEST_AT}"
    cells = [cell for each in experiment.treatments if each.label == label for cell in each.cells]
    return next((each.estimate.interval for each in cells if each.metric == name and not each.case), None)


def _span(field: str, levels: Sequence[float]) -> str:
    span = levels_text([scalar_text(each) for each in levels])
    return f"{span} {counted_many(field)}" if counted(field) != field else f"{metric_title(field)} {span}"


ONLY_RATIOS = "The mean over all cases is of unlike work: only its ratios mean something."


def over_unlike(experiment: ExperimentResult) -> bool:
    """Return whether the primary value is a mean over unlike work, such as kernels: only its ratio means something.

    The same work for more clients, threads or copies is not unlike.
    """
    if experiment.suite:
        return True
    if experiment.metric.source != "batch" or experiment.primary.by not in ("mean", "geometric-mean"):
        return False
    cases = [each.levels for each in _cases(experiment)]
    fields = {name for each in cases for name in each}
    differ = [name for name in fields if len({each.get(name) for each in cases}) > 1]
    return any(counted(name) == name for name in differ)


def mean_of(experiment: ExperimentResult) -> str:
    """Return that an answer is about a mean over a suite: ``on average over 8 kernels``; empty if it is not."""
    cases = _cases(experiment)
    if not experiment.suite or len(cases) < 2:
        return ""
    each = f"all {experiment.metric.per} and " if experiment.metric.per else ""
    return f"on average over {each}{plural(len(cases), experiment.suite)}"


def _cases(experiment: ExperimentResult) -> Set[Case]:
    """Return the cases that the primary value is made of."""
    primary = experiment.primary
    return {
        cell.case
        for each in experiment.treatments
        for cell in each.cells
        if cell.metric == primary.of and cell.case and decides(cell.case, primary)
    }


def decides(case: Case, primary: Summary) -> bool:
    """Return whether a case is one of those that the primary value is made of."""
    return all(_within(case, name, levels) for name, levels in primary.where.items())


def _within(case: Case, name: str, levels: Sequence[Scalar]) -> bool:
    return any(Case({name: level}).covers(case) for level in levels)
