"""The charts of an experiment: every comparison as change against its baseline, every value with its interval."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.results import TreatmentResult
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Figure
from headtohead.report.drawing.axes import clipped_ends, cut_off_note, far_apart, nice_step, value_axis
from headtohead.report.drawing.intervals import NARROW, WIDE, Axis, IntervalChart, Line
from headtohead.report.drawing.intervals import draw as draw_lines
from headtohead.report.drawing.svg import adopt
from headtohead.report.text.names import capital, case_title, metric_title
from headtohead.report.text.numbers import Scale, changes, scale_for, unit_words
from headtohead.report.text.verdicts import direction_word, margin_text, verdict_text


def draw_ratios(context: ExperimentContext, *, prefix: str) -> tuple[Figure, ...]:
    """Return the charts of one experiment; ``prefix`` makes their ids unique in the page."""
    ratios = (
        _ratio_chart(context, comparison, prefix=f"{prefix}r{number}")
        for number, comparison in enumerate(context.result.comparisons, start=1)
        if comparison.ratio
    )
    values = _values_chart(context, prefix=f"{prefix}v")
    return (*ratios, *((values,) if values else ()))


def wide_and_narrow(
    lines: Sequence[Line], axis: Callable[[int], Axis], *, prefix: str, title: str, caption: str
) -> Figure:
    """Return the chart for both widths; ``axis`` returns the axis with at most the given number of steps."""
    described = "; ".join(f"{line.label}: {line.text}" if line.text else line.label for line in lines)
    wide, narrow = (
        adopt(
            draw_lines(IntervalChart(tuple(lines), axis(most), salt=prefix), width=width),
            prefix=f"{prefix}{kind}",
            title=title,
            description=described,
        )
        for kind, width, most in (("w", WIDE, 6), ("n", NARROW, 3))
    )
    return Figure(wide, narrow, caption)


def _ratio_chart(context: ExperimentContext, comparison: ComparisonResult, *, prefix: str) -> Figure:
    result = context.result
    decides = metric_title(result.primary.name)
    lines = [_ratio_line(decides, comparison.ratio, solid=True, points=comparison.blocks)]
    cases = [
        each
        for case in ([] if result.suite else context.cases())
        for each in comparison.exploratory
        if (each.case, each.metric) == (case, result.primary.of)
    ]
    if cases:
        lines.insert(0, Line("Decides"))
        lines.append(Line("Exploratory: each case"))
        lines.extend(_ratio_line(case_title(each.case), each.ratio, solid=False) for each in cases)
    span = 100 * (result.matters - 1), 100 * (1 / result.matters - 1)
    reach = [*values_to_fit(lines, origin=-100.0), 0.0, *span]

    def axis(most: int) -> Axis:
        return _change_axis(reach, band=(span[1], span[0]), ends=_ends(context), most=most)

    told = verdict_text(comparison, result)
    caption = (
        f"{comparison.other} against {comparison.baseline} (the upright line at 0 %). Circles: each block. "
        f"Bar: the interval. The shaded band is the margin of {margin_text(result.matters)}. Verdict: {told.tag}."
        f"{cut_off_note(_ends_of(lines), reach)}"
    )
    title = f"{comparison.other} against {comparison.baseline}, change of {metric_title(result.primary.of)}"
    return wide_and_narrow(lines, axis, prefix=prefix, title=title, caption=caption)


def _ratio_line(label: str, ratio: Estimate | None, *, solid: bool, points: Sequence[float] = ()) -> Line:
    if ratio is None:
        return Line(label)
    ends = [100 * (each - 1) for each in (ratio.interval.low, ratio.interval.high)] if ratio.interval else [None, None]
    return Line(
        label,
        text=changes(ratio)[0],
        points=tuple(100 * (each - 1) for each in points),
        low=ends[0],
        value=100 * (ratio.value - 1),
        high=ends[1],
        solid=solid,
    )


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
    room = 0.06 * (high - low)
    step = nice_step(high - low, most=most)
    first = math.ceil((low - room) / step)
    last = math.floor((high + room) / step)
    places = max(0, -math.floor(math.log10(step)))
    ticks = tuple((number * step, _tick(number * step, places)) for number in range(first, last + 1))
    return Axis(low - room, high + room, False, ticks, ends=ends, band=band, mark=0.0)


def _tick(value: float, places: int) -> str:
    return f"{value:+,.{places}f} %" if round(value, places) else "0 %"


def _values_chart(context: ExperimentContext, *, prefix: str) -> Figure | None:
    result = context.result
    lines = _value_lines(context)
    reach = [each for each in values_to_fit(lines) if each >= 0]
    if not reach:
        return None
    scale = scale_for(result.metric.unit, _finite(each for line in lines for each in (*line.points, line.value)))
    lines = [_texted(line, scale) for line in lines]
    measured = context.titled(result.primary.of)
    below = f"{measured}, {unit_words(scale.unit)}" if scale.unit else measured
    kind = "The axis is logarithmic." if far_apart(reach) else "The axis begins at zero."
    better = {"higher": "Further right is better. ", "lower": "Further left is better. "}.get(result.metric.better, "")
    caption = f"{capital(measured)} of each treatment. Circles: each run. Bar: the interval. {better}{kind}"
    caption += cut_off_note(_ends_of(lines), reach)
    title = f"{capital(measured)} of each treatment"
    return wide_and_narrow(
        lines,
        lambda most: value_axis(reach, scale, below=below, most=most),
        prefix=prefix,
        title=title,
        caption=caption,
    )


def _value_lines(context: ExperimentContext) -> list[Line]:
    result = context.result
    cases = [] if result.sweeps or result.suite else context.cases()
    lines = [Line(capital(metric_title(result.primary.name)))]
    lines.extend(
        _value_line(each, number, estimate=each.primary, points=each.points)
        for number, each in enumerate(result.treatments)
        if each.primary
    )
    for case in cases:
        found = [context.cell(each, case=case, metric=result.primary.of) for each in result.treatments]
        if any(found):
            lines.append(Line(capital(case_title(case))))
        told = enumerate(zip(result.treatments, found, strict=True))
        lines.extend(_value_line(each, number, estimate=cell.estimate) for number, (each, cell) in told if cell)
    return lines


def _value_line(
    treatment: TreatmentResult, number: int, *, estimate: Estimate | None, points: tuple[float, ...] = ()
) -> Line:
    interval = estimate.interval if estimate else None
    return Line(
        treatment.label,
        points=points,
        low=interval.low if interval else None,
        value=estimate.value if estimate else None,
        high=interval.high if interval else None,
        series=number,
        solid=not treatment.floor,
    )


def _texted(line: Line, scale: Scale) -> Line:
    if line.value is None:
        return line
    return replace(line, text=scale.full(line.value))
