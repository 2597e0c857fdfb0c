"""The curves of an experiment: response rate and response time against the offered load, to twice the capacity."""

import math
from collections.abc import Callable, Sequence

from headtohead.model.analysis.curves import CurvePoint
from headtohead.model.analysis.results import TreatmentResult
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Figure
from headtohead.report.drawing.axes import far_apart, rate_axis, time_axis
from headtohead.report.drawing.chart import Chart
from headtohead.report.drawing.lines import Plot, Points, Series, logarithmic_note
from headtohead.report.experiment.change_charts import series_of
from headtohead.report.experiment.load.capacities_found import capacity_of
from headtohead.report.experiment.load.merge_loads_into_steps import LoadStep, load_steps
from headtohead.report.text.numbers.values_with_units import plain, quantity
from headtohead.report.text.wording import capital

P99 = "response_time_p99_ns"

_MARKED = " The vertical lines are the capacities, each in its interval."
_PAST = " Dashed, past the capacity: each load had lasted for a timeout before it was measured."
_FEW = "Each hollow circle is one trial; the line goes through the medians of trials at like loads. It decides nothing."


def draw_curves(context: ExperimentContext, *, prefix: str) -> tuple[Figure, ...]:
    """Return the curves of an experiment whose load is a rate; none for others. ``prefix`` makes their ids unique."""
    drawn = [each for each in context.result.treatments if len(load_steps(each)) > 1]
    if not drawn:
        return ()
    return (_rates(context, drawn, prefix=f"{prefix}q"), *_times(context, drawn, prefix=f"{prefix}t"))


def _rates(context: ExperimentContext, treatments: Sequence[TreatmentResult], *, prefix: str) -> Figure:
    series = [_series(context, each, lambda point: point.response_rate_per_s, unit="1/s") for each in treatments]
    reach = [y for each in series for _, y in each.points]
    offered = [x for each in series for x, _ in each.points]
    logarithmic = far_apart([*reach, *offered])

    def plot(most: int) -> Plot:
        across = rate_axis(offered, below="offered load, requests per second", most=most, logarithmic=logarithmic)
        up = rate_axis(reach, below="", most=5, logarithmic=logarithmic)
        return Plot(tuple(series), across, up, "response rate, per second", diagonal=True)

    marked = _marked(series)
    caption = f"Responses per second against requests offered; on the dotted line each has its response.{marked} {_FEW}"
    return plot_figure(plot, prefix=prefix, title="Response rate against offered load", caption=caption)


def _times(context: ExperimentContext, treatments: Sequence[TreatmentResult], *, prefix: str) -> tuple[Figure, ...]:
    series = [_series(context, each, _p99, unit="ns", beneath=_median) for each in treatments]
    reach = [y for each in series for _, y in (*each.points, *each.beneath, *each.apart_beneath) if y > 0]
    if not reach:
        return ()
    offered = [x for each in series for x, _ in each.points]
    limits = {name: limit for name, limit in context.objective.items() if name == P99}
    limit = (limits[P99], f"objective: p99 within {quantity(limits[P99], 'ns')}") if limits else None

    def plot(most: int) -> Plot:
        across = rate_axis(
            offered, below="offered load, requests per second", most=most, logarithmic=far_apart(offered)
        )
        up = time_axis([*reach, *limits.values()], most=6)
        return Plot(tuple(series), across, up, "p99 (bold) and p50 (thin)", limit=limit)

    marked = _marked(series)
    caption = f"{capital(context.titled('response_time_ns'))} against the offered load.{marked} {_FEW}"
    return (plot_figure(plot, prefix=prefix, title="Response time against offered load", caption=caption),)


def _series(
    context: ExperimentContext,
    treatment: TreatmentResult,
    of: Callable[[CurvePoint | LoadStep], float | None],
    *,
    unit: str,
    beneath: Callable[[CurvePoint | LoadStep], float | None] | None = None,
) -> Series:
    """Return the line of a treatment through the loads that its searches tried; past the capacity another one."""
    steps, found = load_steps(treatment), capacity_of(treatment)
    tried = [each for each in steps if each.overload_percent is None]
    past = [each for each in steps if each.overload_percent is not None]
    ends = found.interval if found else None
    capacity = f"capacity {quantity(found.value, '1/s')}" if found else ""
    line, own = _points(tried, of), treatment.label
    return Series(
        label=treatment.label,
        text=capacity,
        points=_points(treatment.curve, of),
        line=line,
        titles=tuple(f"{own}, offered {quantity(x, '1/s')}: {quantity(y, unit)}" for x, y in line),
        number=series_of(context.result, own),
        beneath=_points(tried, beneath) if beneath else (),
        apart=_points(past, of),
        apart_beneath=_points(past, beneath) if beneath else (),
        capacity=found.value if found else None,
        interval=(ends.low, ends.high) if ends else None,
    )


def _marked(series: Sequence[Series]) -> str:
    """Return a caption's sentences on the vertical and the dashed lines."""
    capacities = _MARKED if any(each.capacity for each in series) else ""
    return f"{capacities}{_PAST if any(each.apart for each in series) else ''}"


def _p99(point: CurvePoint | LoadStep) -> float | None:
    return point.response_time_p99_ns


def _median(point: CurvePoint | LoadStep) -> float | None:
    return point.response_time_p50_ns


def _points(
    points: Sequence[CurvePoint] | Sequence[LoadStep], of: Callable[[CurvePoint | LoadStep], float | None]
) -> Points:
    pairs = ((each.offered_load_per_s, of(each)) for each in points)
    return tuple((x, y) for x, y in pairs if y is not None and math.isfinite(y))


def plot_figure(
    plot: Callable[[int], Plot], *, prefix: str, title: str, caption: str, across: str = "offered from {} /s to {} /s"
) -> Figure:
    """Return the chart for both widths; ``plot`` returns it with at most the given number of steps across."""
    described = "; ".join(_described(each, across) for each in plot(6).series)
    return Figure(Chart(prefix, title, described, plot(8), plot(4)), f"{caption}{logarithmic_note(plot(8))}")


def _described(series: Series, across: str) -> str:
    loads = [x for x, _ in (*series.line, *series.apart)]
    ends = [plain(min(loads)), plain(max(loads))] if loads else ["nothing", "nothing"]
    return ", ".join(each for each in (f"{series.label}: {across.format(*ends)}", series.text) if each)
