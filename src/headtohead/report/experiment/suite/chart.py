"""The chart of a suite: each case is a point on one axis of ratios, next to the mean with its two intervals."""

import math
from collections.abc import Iterator, Sequence

from headtohead.model.analysis.estimates import Interval
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.analysis.suite import Suite
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Figure
from headtohead.report.drawing.axes import Axis, far_apart, nice_step
from headtohead.report.drawing.intervals import Line
from headtohead.report.experiment.change_charts import series_of, values_to_fit, wide_and_narrow
from headtohead.report.experiment.suite.sentences import TIMES, level_of, like_text, ratio_text, suite_title
from headtohead.report.text.differences import direction_word
from headtohead.report.text.names import metric_title
from headtohead.report.text.numbers.values_with_units import plain
from headtohead.report.text.wording import listed, plural

_CLOSE = 2.5
"""Ratios that span less than this factor have an axis of percent, others one of factors."""


def draw_suites(context: ExperimentContext, *, prefix: str) -> tuple[Figure, ...]:
    """Return the chart of the comparisons of a suite, and that of its treatments against the reference machine."""
    result = context.result
    kinds = [[each for each in result.suites if each.reference == reference] for reference in (False, True)]
    return tuple(_chart(result, each, prefix=f"{prefix}s{number}") for number, each in enumerate(kinds) if each)


def _chart(result: ExperimentResult, suites: Sequence[Suite], *, prefix: str) -> Figure:
    lines = [line for each in suites for line in _lines(each, result.suite, series=series_of(result, each.treatment))]
    reach = [*values_to_fit(lines), 1.0]
    kind, reference = result.suite, suites[0].reference
    ends = f"\u2190 {direction_word(result.metric, 0.5)}", f"{direction_word(result.metric, 2.0)} \u2192"
    whom = "the reference machine" if reference else "its baseline"
    caption = (
        f"Each circle is one {kind}: its ratio against {whom} (the vertical line). Below it, the mark on each "
        f"bar is the geometric mean and the bar its interval: full for these {kind}s, hollow for {kind}s like "
        f"these.{_tails(suites, kind)}"
    )
    if ratio_axis(reach, ends=ends, most=6).logarithmic:
        caption += " The axis is logarithmic."
    heading = f"Each {kind} against {whom}, {metric_title(result.primary.of)}"
    return wide_and_narrow(
        lines, lambda most: ratio_axis(reach, ends=ends, most=most), prefix=prefix, title=heading, caption=caption
    )


def _lines(suite: Suite, field: str, *, series: int) -> Iterator[Line]:
    """Yield the heading, the points, and a bar for each interval."""
    ratio = " ".join(ratio_text(suite, suite.ratio)).strip()
    yield Line(suite_title(suite))
    ratios = tuple(each.ratio.value for each in suite.cases)
    ends = f"{ratio_text(suite, suite.cases[-1].ratio)[0]} to {ratio_text(suite, suite.cases[0].ratio)[0]}"
    named = tuple(f"{level_of(each.case, field)}: {ratio_text(suite, each.ratio)[0]}" for each in suite.cases)
    tail = frozenset(place for place, each in enumerate(suite.cases) if each.tail)
    yield Line(plural(len(ratios), field), text=ends, points=ratios, series=series, filled=tail, titles=named)
    yield _bar(suite, suite.ratio.interval, f"for these {field}s", text=ratio, series=series)
    if suite.like_these:
        like = like_text(suite)
        yield _bar(suite, suite.like_these, f"for {field}s like these", text=like, series=series, solid=False)


def _bar(suite: Suite, interval: Interval | None, label: str, *, text: str, series: int, solid: bool = True) -> Line:
    low, high = (interval.low, interval.high) if interval else (None, None)
    return Line(label, text=text, low=low, value=suite.ratio.value, high=high, series=series, solid=solid)


def _tails(suites: Sequence[Suite], field: str) -> str:
    """Return the cases of the tails by name, as circles have no labels."""
    tails = [(suite_title(each), [level_of(case.case, field) for case in each.cases if case.tail]) for each in suites]
    found = [f"{name}: {listed(far)}" for name, far in tails if far]
    return f" Full circles are the tail: {'; '.join(found)}." if found else ""


def ratio_axis(reach: Sequence[float], *, ends: tuple[str, str], most: int) -> Axis:
    """Return an axis of ratios, logarithmic if far apart: percent of change if close, else factors."""
    low, high = min(reach), max(reach)
    if high / low < _CLOSE:
        room = max(0.06 * (high - low), 0.001)
        return Axis(low - room, high + room, False, tuple(_percents(low, high, most=most)), ends=ends, mark=1.0)
    if not far_apart(reach):
        step = nice_step(high, most=most)
        ticks = tuple((each, f"{plain(each)}{TIMES}") for each in (n * step for n in range(int(high / step) + 1)))
        return Axis(-0.02 * high, 1.06 * high, False, ticks, ends=ends, mark=1.0)
    room = max((high / low) ** 0.06, 1.001)
    return Axis(low / room, high * room, True, tuple(_factors(low, high, most=most)), ends=ends, mark=1.0)


def _percents(low: float, high: float, *, most: int) -> Iterator[tuple[float, str]]:
    step = nice_step(100 * (high - low), most=most)
    places = max(0, -math.floor(math.log10(step)))
    for number in range(math.ceil(100 * (low - 1) / step), math.floor(100 * (high - 1) / step) + 1):
        change = number * step
        yield 1 + change / 100, f"{change:+.{places}f} %" if number else "0 %"


def _factors(low: float, high: float, *, most: int) -> Iterator[tuple[float, str]]:
    """Yield round factors, as many as there is room for."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for steps in ((1, 1.5, 2, 3, 5, 7), (1, 2, 5), (1,)):
        shown = [each for power in powers for times in steps if low <= (each := times * 10.0**power) <= high]
        if len(shown) <= most + 1:
            break
    yield from ((each, f"{plain(each)}{TIMES}") for each in shown)
