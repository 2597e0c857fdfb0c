"""The tables of an experiment: absolute values with the ratio next to them."""

from collections.abc import Iterable, Iterator

from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.results import ExperimentResult, TreatmentResult
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.quantity import Summary
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Row, RowGroup, Table, folded, with_heading
from headtohead.report.experiment.decided_ratio import ratio_of
from headtohead.report.text.names import case_title, counted_many, metric_of, metric_title, summary_of
from headtohead.report.text.numbers import Levels, Scale, bracketed, changes, far, scale_for, share, unit_words
from headtohead.report.text.wording import capital

NOTHING = Entry("\u2013", number=True)


def estimate_entry(estimate: Estimate | None, scale: Scale) -> Entry:
    """Return an absolute value with its interval below it."""
    if estimate is None:
        return NOTHING
    ends = estimate.interval
    small = bracketed(scale.bare(ends.low), scale.bare(ends.high)) if ends else ""
    return Entry(scale.bare(estimate.value), small, number=True)


def level_text(estimates: Iterable[Estimate | None]) -> str:
    """Return the confidence of the intervals of estimates, to follow a word: `` at 95 %``; empty for none."""
    levels = sorted({share(each.interval.confidence) for each in estimates if each and each.interval})
    return f" at {' and '.join(levels)}" if levels else ""


def ratio_entry(ratio: Estimate | None, *, as_factors: bool = False) -> Entry:
    """Return a ratio as the change in percent, or as a factor, with its interval below it."""
    return NOTHING if ratio is None else Entry(*changes(ratio, as_factors=as_factors), number=True)


def values_blocks(context: ExperimentContext) -> Blocks:
    """Yield the primary values."""
    return with_heading("The numbers", values_table(context))


def values_table(context: ExperimentContext) -> Table:
    """Return the primary values: the summary that decides and each case, every ratio next to its absolute values.

    In a sweep the levels come first, as in the articles, and their summaries below. A suite's cases have a table of
    their own.
    """
    result = context.result
    estimates = [each.primary for each in result.treatments if each.primary]
    cells = [cell.estimate for each in result.treatments for cell in each.cells if cell.metric == result.primary.of]
    scale = scale_for(result.metric.unit, [each.value for each in (*estimates, *cells)])
    decides = RowGroup(_DECIDES, (_decides_row(context, scale),))
    cases = RowGroup(_EACH_CASE, tuple(_case_row(context, case, scale=scale) for case in context.cases()))
    others = RowGroup(_SUMMARIES, tuple(_summary_row(context, each, scale=scale) for each in context.other_summaries()))
    groups = (cases, decides, others) if result.sweep else (decides, cases)
    title = context.titled(result.primary.of)
    unit = f", {unit_words(scale.unit)}" if scale.unit else ""
    caption = f"{capital(title)}{unit}; each number with its interval"
    corner = capital(metric_title(result.sweep)) if result.sweep else "Case"
    kept = tuple(each for each in groups if each.rows and not (result.suite and each is cases))
    note = " ".join((*context.places, _levels_note(result), *_dash_note(context)))
    return Table(caption, corner, _columns(result), kept, note=note, deciding=_ratio_columns(result))


def _dash_note(context: ExperimentContext) -> Iterator[str]:
    """Yield why a case has values and no ratio: as a summary of its own it has one there."""
    result = context.result
    missing = [
        case
        for case in context.cases()
        for each in result.comparisons
        if each.ratio and ratio_of(context, each, metric=result.primary.of, case=case) is None
    ]
    if missing and not result.suite and context.summaries:
        yield "A case without a ratio is a summary of its own, whose row has the ratio, here or under Other metrics."


_DECIDES = "The primary summary, on which the verdict rests"
_EACH_CASE = "Each case: exploratory, decides nothing"
_SUMMARIES = "Other summaries: exploratory, decide nothing"


def _decides_row(context: ExperimentContext, scale: Scale) -> Row:
    result = context.result
    cells = (
        *(ratio_entry(each.ratio) for each in result.comparisons),
        *(estimate_entry(each.primary, scale) for each in _arms(result)),
        *(estimate_entry(each.primary, scale) for each in _floors(result)),
    )
    small = context.refusal(result.primary.name) or summary_of(result.primary)
    return Row(metric_title(result.primary.name), cells, small=small, mark="decides")


def _case_row(context: ExperimentContext, case: Case, *, scale: Scale) -> Row:
    metric = context.result.primary.of
    cells = _case_cells(context, metric=metric, case=case, scale=scale)
    return Row(row_title(context, case), cells, small=context.refusal(metric, case))


def _summary_row(context: ExperimentContext, summary: Summary, *, scale: Scale) -> Row:
    own = Levels() if summary.at else scale
    cells = _case_cells(context, metric=summary.name, case=WHOLE_RUN, scale=own)
    return Row(metric_title(summary.name), cells, small=context.refusal(summary.name) or summary_of(summary))


def row_title(context: ExperimentContext, case: Case) -> str:
    """Return the head of a case's row: what distinguishes it from the others, in a sweep only its level."""
    if context.result.sweep in case:
        return case.levels[context.result.sweep]
    every = context.cases()
    telling = case.only(name for name in case if not all(case.only([name]).covers(each) for each in every))
    return case_title(telling or case)


def _columns(result: ExperimentResult) -> tuple[str, ...]:
    """Return the heads: what decides comes first, so that a narrow screen shows it."""
    return (
        *(f"{each.other} against {each.baseline}" for each in result.comparisons),
        *(each.label for each in _arms(result)),
        *(f"{each.label} (the harness's own limit)" for each in _floors(result)),
    )


def _ratio_columns(result: ExperimentResult) -> tuple[int, ...]:
    """Return the indexes of the columns of ratios."""
    first = len(_arms(result))
    return tuple(range(first, first + len(result.comparisons)))


def _arms(result: ExperimentResult) -> list[TreatmentResult]:
    return [each for each in result.treatments if not each.floor]


def _floors(result: ExperimentResult) -> list[TreatmentResult]:
    return [each for each in result.treatments if each.floor]


def _levels_note(result: ExperimentResult) -> str:
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
    return f"{intervals}n counts blocks (one run of each setup), never requests."


def _case_cells(
    context: ExperimentContext, *, metric: str, case: Case, scale: Scale, as_factors: bool = False
) -> tuple[Entry, ...]:
    arms, floors = (
        [_value_entry(context, each, metric=metric, case=case, scale=scale) for each in which(context.result)]
        for which in (_arms, _floors)
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


def other_metrics(context: ExperimentContext) -> list[str]:
    """Return the metrics and summaries shown in addition to the primary one, in the order of the catalog."""
    result = context.result
    measured = {cell.metric for each in result.treatments for cell in each.cells}
    measured |= {each.metric for each in result.refused}
    measured -= {result.primary.name, result.primary.of, *(each.name for each in context.other_summaries())}
    known = [name for name in result.metrics if name in measured]
    return known + sorted(measured - set(known))


def others_blocks(context: ExperimentContext) -> Blocks:
    """Yield all other metrics, folded; nothing if there are none."""
    return folded("Other metrics, exploratory", others_table(context))


def others_table(context: ExperimentContext) -> Table | None:
    """Return all other metrics and summaries, marked as exploratory; None if there are none."""
    groups = tuple(_other_group(context, metric) for metric in other_metrics(context))
    if not groups:
        return None
    caption = "Other metrics: exploratory, decide nothing"
    note = _levels_note(context.result)
    columns, deciding = _columns(context.result), _ratio_columns(context.result)
    return Table(caption, "Metric and case", columns, groups, note=note, headed=True, deciding=deciding)


def _other_group(context: ExperimentContext, name: str) -> RowGroup:
    result = context.result
    metric = metric_of(result, name, context.summaries)
    values = [cell.estimate.value for each in result.treatments for cell in each.cells if cell.metric == name]
    summary = context.summaries.get(name)
    scale = Levels() if summary and summary.at else scale_for(metric.unit if metric else "1", values)
    cases = _cases_below(context, name)
    ratios = [ratio_of(context, each, metric=name, case=case) for each in result.comparisons for case in cases]
    as_factors = any(map(far, filter(None, ratios)))
    rows = tuple(_other_row(context, name, case, scale=scale, as_factors=as_factors) for case in cases)
    unit = f", {unit_words(scale.unit)}" if values and scale.unit else ""
    unit = f", {counted_many(summary.at)}" if summary and summary.at else unit
    return RowGroup(f"{context.titled(name)}{unit}", rows)


def _cases_below(context: ExperimentContext, name: str) -> list[Case]:
    """Return the cases that have a row below a metric's name: one for all of them if it is refused in all."""
    if context.refusal_everywhere(name):
        return [WHOLE_RUN]
    whole = [WHOLE_RUN] if any(context.cell(each, metric=name) for each in context.result.treatments) else []
    return [*whole, *context.cases_of(name)]


def _other_row(context: ExperimentContext, name: str, case: Case, *, scale: Scale, as_factors: bool) -> Row:
    cells = _case_cells(context, metric=name, case=case, scale=scale, as_factors=as_factors)
    small = context.refusal_everywhere(name) or context.refusal(name, case) or _decided_level(context, name, case)
    return Row(case_title(case), cells, small=small)


def _decided_level(context: ExperimentContext, name: str, case: Case) -> str:
    """Return the level of a ratio that a comparison decided, if that is not the one of the exploratory ratios."""
    own = [ratio_of(context, each, metric=name, case=case) for each in context.result.comparisons]
    others = {
        each.ratio.interval.confidence
        for comparison in context.result.comparisons
        for each in comparison.exploratory
        if each.ratio.interval
    }
    levels = {each.interval.confidence for each in own if each and each.interval} - others
    return f"ratio as decided, at {' and '.join(map(share, sorted(levels)))}" if levels else ""
