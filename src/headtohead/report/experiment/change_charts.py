"""The charts of an experiment's comparisons: each as change against its baseline, with its interval."""

import math
from collections.abc import Callable, Iterable, Sequence

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.results import ExperimentResult
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Figure
from headtohead.report.drawing.axes import FEWEST_TICKS, Axis, clipped_ends, cut_off_note, nice_step
from headtohead.report.drawing.chart import Chart
from headtohead.report.drawing.chart_style import FLOOR
from headtohead.report.drawing.intervals import MOST_POINTS, IntervalChart, Line
from headtohead.report.text.differences import direction_word, margin_text
from headtohead.report.text.names import case_title, metric_title
from headtohead.report.text.numbers.ratios import TWICE, changes
from headtohead.report.text.verdicts import verdict_text


def draw_ratios(context: ExperimentContext, *, prefix: str) -> tuple[Figure, ...]:
    """Return the charts of one experiment; ``prefix`` makes their ids unique in the page."""
    ratios = (
        _ratio_chart(context, comparison, prefix=f"{prefix}r{number}")
        for number, comparison in enumerate(context.result.comparisons, start=1)
        if comparison.ratio
    )
    return tuple(ratios)


def wide_and_narrow(
    lines: Sequence[Line], axis: Callable[[int], Axis], *, prefix: str, title: str, caption: str
) -> Figure:
    """Return the chart for both widths; ``axis`` returns the axis with at most the given number of steps."""
    described = "; ".join(f"{line.label}: {line.text}" if line.text else line.label for line in lines)
    wide, narrow = (IntervalChart(tuple(lines), axis(most)) for most in (6, 3))
    return Figure(Chart(prefix, title, described, wide, narrow), caption)


def _ratio_chart(context: ExperimentContext, comparison: ComparisonResult, *, prefix: str) -> Figure:
    result = context.result
    decides = metric_title(result.primary.name)
    lines = [ratio_line(result, comparison, comparison.ratio, decides, solid=True, points=comparison.blocks)]
    cases = [
        each
        for case in ([] if result.suite else context.cases())
        for each in comparison.exploratory
        if (each.case, each.metric) == (case, result.primary.of)
    ]
    if cases:
        lines.insert(0, Line("Decides"))
        lines.append(Line("Exploratory: each case"))
        lines.extend(ratio_line(result, comparison, each.ratio, case_title(each.case), solid=False) for each in cases)
    verdict = verdict_text(comparison, result)
    caption = (
        f"{comparison.other} against {comparison.baseline} (the vertical line). Circles: each block. "
        f"Bar: the interval. The shaded band is the margin of {margin_text(result.matters)}. Verdict: {verdict.tag}."
    )
    title = f"{comparison.other} against {comparison.baseline}, change of {metric_title(result.primary.of)}"
    return change_figure(context, lines, prefix=prefix, title=title, caption=caption)


def change_figure(
    context: ExperimentContext, lines: Sequence[Line], *, prefix: str, title: str, caption: str
) -> Figure:
    """Return lines of changes in percent as a chart: no change marked, the margin as a band, both directions named."""
    result = context.result
    span = 100 * (result.matters - 1), 100 * (1 / result.matters - 1)
    reach = [*values_to_fit(lines, origin=-100.0), 0.0, *span]

    def axis(most: int) -> Axis:
        return _change_axis(reach, band=(span[1], span[0]), ends=_ends(context), most=most)

    noted = f"{caption}{cut_off_note(_ends_of(lines), reach)}{thinned_note(lines)}"
    return wide_and_narrow(lines, axis, prefix=prefix, title=title, caption=noted)


def ratio_line(
    result: ExperimentResult,
    comparison: ComparisonResult,
    ratio: Estimate | None,
    label: str,
    *,
    solid: bool,
    points: Sequence[float] = (),
) -> Line:
    """Return a ratio of a comparison as a line of change in percent, in the color of what is compared."""
    if ratio is None:
        return Line(label)
    ends = [100 * (each - 1) for each in (ratio.interval.low, ratio.interval.high)] if ratio.interval else [None, None]
    return Line(
        label,
        text=changes(ratio)[0],
        points=tuple(100 * (each - 1) for each in points),
        titles=tuple(f"one block: {changes(Estimate(each, None, 1))[0]}" for each in points),
        low=ends[0],
        value=100 * (ratio.value - 1),
        high=ends[1],
        series=series_of(result, comparison.other),
        solid=solid,
    )


def series_of(result: ExperimentResult, label: str) -> int:
    """Return the number of the treatment with this label, which gives its color in every chart: a floor has none."""
    found = ((number, each) for number, each in enumerate(result.treatments) if each.label == label)
    return next((FLOOR if each.floor else number for number, each in found), 0)


def thinned_note(lines: Iterable[Line]) -> str:
    """Return the note of a caption that not all points are drawn; empty if all are."""
    most = max((len(each.points) for each in lines), default=0)
    return f" Of {most:,} circles {MOST_POINTS} are drawn, evenly by rank." if most > MOST_POINTS else ""


def _ends(context: ExperimentContext) -> tuple[str, str]:
    """Return the labels of the ends of a ratio axis, in the metric's own words."""
    metric = context.result.metric
    return f"\u2190 {direction_word(metric, 0.5)}", f"{direction_word(metric, 2.0)} \u2192"


def values_to_fit(lines: Iterable[Line], *, origin: float = 0.0) -> list[float]:
    """Return every number that a chart must have room for; ``origin`` is that of ``clipped_ends``."""
    drawn = list(lines)
    seen = _finite(each for line in drawn for each in (*line.points, line.value))
    return [*seen, *clipped_ends(_ends_of(drawn), seen, origin=origin)]


def _ends_of(lines: Iterable[Line]) -> list[float]:
    return _finite(each for line in lines for each in (line.low, line.high))


def _finite(values: Iterable[float | None]) -> list[float]:
    return [each for each in values if each is not None and math.isfinite(each)]


def _change_axis(reach: Sequence[float], *, band: tuple[float, float], ends: tuple[str, str], most: int) -> Axis:
    low, high = min(reach), max(reach)
    room, tick = 0.06 * (high - low), _times if high >= 100 * (TWICE - 1) else _tick
    for finer in range(most, 2 * most + 1):
        step = nice_step(high - low, most=finer)
        first, last = math.ceil((low - room) / step), math.floor((high + room) / step)
        if last - first + 1 >= FEWEST_TICKS:
            break
    places = max(0, -math.floor(math.log10(step)))
    ticks = tuple((number * step, tick(number * step, places)) for number in range(first, last + 1))
    return Axis(low - room, high + room, False, ticks, ends=ends, band=band, mark=0.0)


def _times(value: float, places: int) -> str:
    return f"{1 + value / 100:,.{places + 2}f}".rstrip("0").rstrip(".") + "x"


def _tick(value: float, places: int) -> str:
    return f"{value:+,.{places}f} %" if round(value, places) else "0 %"
