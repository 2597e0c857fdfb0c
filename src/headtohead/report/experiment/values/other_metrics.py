"""All metrics and summaries but the primary one: exploratory, they decide nothing."""

import math
from collections.abc import Iterator, Mapping, Sequence

from headtohead.model.analysis.estimates import Cell
from headtohead.model.analysis.results import TreatmentResult
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Row, RowGroup, Table, folded
from headtohead.report.experiment.reuse_interval_of_decided_ratio import ratio_of
from headtohead.report.experiment.values.rows_and_columns import case_cells, columns_of, levels_note, ratio_columns
from headtohead.report.text.names import case_title, counted_many, metric_of
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.numbers.ratios import far
from headtohead.report.text.numbers.values_with_units import Levels, Scale, quantity, scale_for, unit_words
from headtohead.report.text.wording import listed

RESPONSE, SERVICE = "response_time", "service_time"
ALIKE = 0.005
"""Times closer than this share are one in a table of three digits."""


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
    shown = other_metrics(context)
    same = {name: value for name in shown if (value := _same_everywhere(context, name)) is not None}
    served = _response_times(context, [name for name in shown if name not in same])
    groups = tuple(_other_group(context, name) for name in shown if name not in same and name not in served)
    if not groups:
        return None
    caption = 'Other metrics: exploratory unless a row has "as decided"'
    note = " ".join([levels_note(context.result), *_left_out(context, same, served)])
    columns, deciding = columns_of(context.result), ratio_columns(context.result)
    return Table(caption, "Metric and case", columns, groups, note=note, headed=True, deciding=deciding)


def _same_everywhere(context: ExperimentContext, name: str) -> float | None:
    """Return the value of a metric that every setup has in every case and every run; None if it varies."""
    found = [cell.estimate for each in context.result.treatments for cell in each.cells if cell.metric == name]
    values = {each.value for each in found}
    values |= {end for each in found if each.interval for end in (each.interval.low, each.interval.high)}
    return values.pop() if len(values) == 1 and len(found) > 1 and not context.summaries.get(name) else None


def _response_times(context: ExperimentContext, names: Sequence[str]) -> Sequence[str]:
    """Return the service times that have values if each is the response time: where no request waits to be sent."""
    service = [(name, each, cell) for name in names for each, cell in _cells(context, name) if name.startswith(SERVICE)]
    response = [
        context.cell(each, case=cell.case, metric=name.replace(SERVICE, RESPONSE, 1)) for name, each, cell in service
    ]
    values = [cell.estimate.value for _, _, cell in service]
    alike = (
        own is not None and math.isclose(value, own.estimate.value, rel_tol=ALIKE)
        for value, own in zip(values, response, strict=True)
    )
    return list(dict.fromkeys(name for name, _, _ in service)) if all(alike) else []


def _cells(context: ExperimentContext, name: str) -> Iterator[tuple[TreatmentResult, Cell]]:
    return ((each, cell) for each in context.result.treatments for cell in each.cells if cell.metric == name)


def _left_out(context: ExperimentContext, same: Mapping[str, float], served: Sequence[str]) -> Iterator[str]:
    """Yield which metrics have no rows: those that never vary, and service times that are response times."""
    if same:
        units = {name: metric_of(context.result, name, context.summaries) for name in same}
        shown = {name: quantity(value, own.unit if (own := units[name]) else "1") for name, value in same.items()}
        yield f"The same everywhere: {listed([f'{context.titled(name)} {value}' for name, value in shown.items()])}."
    if served:
        yield "Service times are the response times: no request waited in the load generator."


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
    cells = case_cells(context, metric=name, case=case, scale=scale, as_factors=as_factors)
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
