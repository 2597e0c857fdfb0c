"""The distributions of response times: each setup's, in each case, from the histograms of its runs."""

import statistics
from collections.abc import Mapping, Sequence

from headtohead.model.analysis.results import TreatmentResult
from headtohead.model.case import Case
from headtohead.model.quantiles import BEYOND
from headtohead.model.record import CaseTimes
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Figure
from headtohead.report.drawing.chart import Chart
from headtohead.report.drawing.distributions import Curve, Distributions, Mark
from headtohead.report.experiment.change_charts import series_of
from headtohead.report.text.names import case_phrase, quantile_text
from headtohead.report.text.numbers.values_with_units import quantity, scale_for
from headtohead.report.text.wording import capital, plural

MOST_CASES = 3
"""Cases with a chart: of more, the first, the middle and the last."""
_MARKED = {
    0.5: "response_time_p50_ns",
    0.1: "response_time_p90_ns",
    0.01: "response_time_p99_ns",
    0.001: "response_time_p999_ns",
}
"""Shares that have a mark, with the metric that is the same percentile."""
_PRINTED = (0.5, 0.01)
"""Of these, the ones written next to a name."""


def draw_distributions(context: ExperimentContext, *, prefix: str) -> tuple[Figure, ...]:
    """Return a chart for each of a few cases; none without histograms."""
    every = context.planned.cases if context.planned else ()
    cases = [each for each in every if _curves(context, each)]
    return tuple(_figure(context, each, prefix=f"{prefix}d{place}") for place, each in enumerate(_few(cases)))


def _few(cases: Sequence[Case]) -> Sequence[Case]:
    if len(cases) <= MOST_CASES:
        return cases
    return cases[0], cases[len(cases) // 2], cases[-1]


def _figure(context: ExperimentContext, case: Case, *, prefix: str) -> Figure:
    curves, what = _curves(context, case), capital(context.titled("response_time_ns"))
    runs = [len(_times(context, each, case)) for each in context.result.treatments]
    wide, narrow = (Distributions(curves, "response time", most) for most in (8, 4))
    where = f" {case_phrase(case)}" if case else ""
    described = "; ".join(mark.title for each in curves for mark in each.marks)
    axis = " The axis of times is logarithmic." if wide.logarithmic else ""
    caption = (
        f"{what}{where}: the share of responses that took longer than each time; further left is faster. Line: the "
        f"geometric mean of {plural(max(runs), 'run')}; shaded: lowest to highest. A line ends where a run "
        f"has fewer than {BEYOND} slower responses.{axis}"
    )
    return Figure(Chart(prefix, f"Distribution of response times{where}", described, wide, narrow), caption)


def _curves(context: ExperimentContext, case: Case) -> tuple[Curve, ...]:
    found = (
        _curve(context, each, series_of(context.result, each.label), case)
        for each in context.result.treatments
        if _times(context, each, case)
    )
    return tuple(each for each in found if len(each.line) > 1)


def _times(context: ExperimentContext, treatment: TreatmentResult, case: Case) -> list[CaseTimes]:
    """Return the times of each run of a treatment in a case, of those runs that were read."""
    own = (each for each in context.runs if each.run.label == treatment.label)
    return [times for each in own for times in each.times if times.case == case]


def _curve(context: ExperimentContext, treatment: TreatmentResult, number: int, case: Case) -> Curve:
    tables = [dict(each.beyond) for each in _times(context, treatment, case)]
    shares = [share for share in tables[0] if all(table.get(share, 0.0) > 0 for table in tables)]
    runs = {share: [table[share] for table in tables] for share in shares}
    marks = tuple(_mark(context, treatment, case, runs, percentile=each) for each in _MARKED if each in runs)
    quantiles = (f"{_name(each.share)} {quantity(each.time_ns, 'ns')}" for each in marks if each.share in _PRINTED)
    return Curve(
        label=f"limit ({treatment.label})" if treatment.floor else treatment.label,
        text=" · ".join(quantiles),
        number=number,
        line=tuple((statistics.geometric_mean(runs[share]), share) for share in shares),
        lowest=tuple((min(runs[share]), share) for share in shares),
        highest=tuple((max(runs[share]), share) for share in shares),
        marks=marks,
    )


def _mark(
    context: ExperimentContext,
    treatment: TreatmentResult,
    case: Case,
    runs: Mapping[float, Sequence[float]],
    *,
    percentile: float,
) -> Mark:
    """Return the mark of a percentile: as the tables have it, with its interval, or else with the range of the runs."""
    of = runs[percentile]
    cell = context.cell(treatment, case=case, metric=_MARKED[percentile])
    time_ns = cell.estimate.value if cell else statistics.geometric_mean(of)
    interval = cell.estimate.interval if cell else None
    low, high = (interval.low, interval.high) if interval else (min(of), max(of))
    scale = scale_for("ns", [time_ns])
    between = f"{'interval' if interval else 'runs from'} {scale.bare(low)} to {scale.full(high)}"
    number = plural(cell.estimate.n if cell else len(of), "run")
    return Mark(
        time_ns, percentile, f"{treatment.label}, {_name(percentile)}: {scale.full(time_ns)}, {between}, {number}"
    )


def _name(percentile: float) -> str:
    return quantile_text(_MARKED[percentile])
