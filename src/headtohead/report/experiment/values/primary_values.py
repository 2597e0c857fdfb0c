"""The primary values: the summary that decides and each case, every ratio next to its absolute values."""

from collections.abc import Iterator

from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.quantity import Summary
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Row, RowGroup, Table, with_heading
from headtohead.report.experiment.reuse_interval_of_decided_ratio import ratio_of
from headtohead.report.experiment.values.cells import estimate_entry, ratio_entry
from headtohead.report.experiment.values.rows_and_columns import (
    arms_of,
    case_cells,
    columns_of,
    floors_of,
    levels_note,
    ratio_columns,
    row_title,
)
from headtohead.report.text.cases_of_primary_value import ONLY_RATIOS, over_unlike
from headtohead.report.text.names import metric_title, summary_of
from headtohead.report.text.numbers.values_with_units import Levels, Scale, scale_for, unit_words
from headtohead.report.text.wording import capital


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
    unlike = [ONLY_RATIOS] if over_unlike(result) else []
    note = " ".join((*context.places, *unlike, levels_note(result), *_dash_note(context)))
    return Table(caption, corner, columns_of(result), kept, note=note, deciding=ratio_columns(result))


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
        *(estimate_entry(each.primary, scale) for each in arms_of(result)),
        *(estimate_entry(each.primary, scale) for each in floors_of(result)),
    )
    small = context.refusal(result.primary.name) or summary_of(result.primary)
    return Row(metric_title(result.primary.name), cells, small=small, mark="decides")


def _case_row(context: ExperimentContext, case: Case, *, scale: Scale) -> Row:
    metric = context.result.primary.of
    cells = case_cells(context, metric=metric, case=case, scale=scale)
    return Row(row_title(context, case), cells, small=context.refusal(metric, case))


def _summary_row(context: ExperimentContext, summary: Summary, *, scale: Scale) -> Row:
    own = Levels() if summary.at else scale
    cells = case_cells(context, metric=summary.name, case=WHOLE_RUN, scale=own)
    return Row(metric_title(summary.name), cells, small=context.refusal(summary.name) or summary_of(summary))
