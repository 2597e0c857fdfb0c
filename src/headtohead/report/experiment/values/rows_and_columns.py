"""The columns of a table of values, its rows of cases, and the levels of its intervals."""

from headtohead.model.analysis.results import ExperimentResult, TreatmentResult
from headtohead.model.case import Case
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Entry
from headtohead.report.experiment.reuse_interval_of_decided_ratio import ratio_of
from headtohead.report.experiment.values.cells import NOTHING, estimate_entry, ratio_entry
from headtohead.report.text.names import case_title
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.numbers.values_with_units import Scale


def row_title(context: ExperimentContext, case: Case) -> str:
    """Return the head of a case's row: what distinguishes it from the others, in a sweep only its level."""
    if context.result.sweep in case:
        return case.levels[context.result.sweep]
    every = context.cases()
    telling = case.only(name for name in case if not all(case.only([name]).covers(each) for each in every))
    return case_title(telling or case)


def columns_of(result: ExperimentResult) -> tuple[str, ...]:
    """Return the heads: what decides comes first, so that a narrow screen shows it."""
    return (
        *(f"{each.other} against {each.baseline}" for each in result.comparisons),
        *(each.label for each in arms_of(result)),
        *(f"{each.label} (the harness's own limit)" for each in floors_of(result)),
    )


def ratio_columns(result: ExperimentResult) -> tuple[int, ...]:
    """Return the indexes of the columns of ratios, which come first."""
    return tuple(range(len(result.comparisons)))


def arms_of(result: ExperimentResult) -> list[TreatmentResult]:
    """Return the treatments of an experiment, without floors."""
    return [each for each in result.treatments if not each.floor]


def floors_of(result: ExperimentResult) -> list[TreatmentResult]:
    """Return the floors of an experiment."""
    return [each for each in result.treatments if each.floor]


def levels_note(result: ExperimentResult) -> str:
    """Return the confidence of the table's intervals, and what n counts."""
    decided = {
        share(each.ratio.interval.confidence) for each in result.comparisons if each.ratio and each.ratio.interval
    }
    cases = {
        share(each.ratio.interval.confidence)
        for comparison in result.comparisons
        for each in comparison.exploratory
        if each.ratio.interval
    }
    values = {
        share(each.primary.interval.confidence) for each in result.treatments if each.primary and each.primary.interval
    }
    levels_over_all = {share(1 - each.alpha) for each in result.comparisons if each.alpha is not None}
    together = bool(cases) and cases <= levels_over_all
    checks = ", the level of each check (at least 95 % over all checks)" if len(result.looks) > 1 else ""
    alone = " all together" if together else f" each, so that all together have {' and '.join(sorted(levels_over_all))}"
    parts = [
        f"{what} at {' and '.join(sorted(levels))}{why}"
        for what, levels, why in (
            ("values", values, ""),
            ("the deciding ratio", decided, checks),
            ("exploratory ratios", cases, alone if levels_over_all else ""),
        )
        if levels
    ]
    intervals = f"Intervals: {'; '.join(parts)}. " if parts else ""
    return f"{intervals}n counts blocks (one run of each setup), never requests or starts within a run."


def case_cells(
    context: ExperimentContext, *, metric: str, case: Case, scale: Scale, as_factors: bool = False
) -> tuple[Entry, ...]:
    """Return the cells of a metric in a case, in the order of the columns."""
    arms, floors = (
        [_value_entry(context, each, metric=metric, case=case, scale=scale) for each in which(context.result)]
        for which in (arms_of, floors_of)
    )
    ratios = (
        ratio_entry(ratio_of(context, each, metric=metric, case=case), as_factors=as_factors)
        for each in context.result.comparisons
    )
    return (*ratios, *arms, *floors)


def _value_entry(
    context: ExperimentContext, treatment: TreatmentResult, *, metric: str, case: Case, scale: Scale
) -> Entry:
    cell = context.cell(treatment, case=case, metric=metric)
    return estimate_entry(cell.estimate, scale) if cell else NOTHING
