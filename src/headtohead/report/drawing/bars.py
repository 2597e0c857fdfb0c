"""Draws values as horizontal bars from zero, with their intervals, and a limit as a dashed line."""

import math
from dataclasses import dataclass

from headtohead.report.drawing.axes import Axis
from headtohead.report.drawing.canvas import Canvas, Frame, Layout
from headtohead.report.drawing.chart_style import color_of, width_of
from headtohead.report.drawing.page_svg import INK, MUTED, PAPER, RULE

_ROW, _HEAD, _EDGE, _BAR = 26.0, 24.0, 6.0, 15.0
_GAP = 8.0


@dataclass(frozen=True)
class Bar:
    """One value from zero: its label, itself with its interval in the chart's one unit, and as text with its unit.

    ``series`` is the number of its treatment, which gives the color. A ``limit`` is drawn as a dashed line; an interval
    that ``runs_on`` beyond ``high`` has no end there. A bar without a value is the heading of those below it. ``title``
    appears when the pointer is on it.
    """

    label: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    text: str = ""
    series: int = 0
    limit: bool = False
    runs_on: bool = False
    title: str = ""


@dataclass(frozen=True)
class BarChart:
    """Bars from top to bottom over one axis from zero; every value is written at its bar, so there are no ticks."""

    bars: tuple[Bar, ...]

    def lay_out(self, width: float) -> Layout:
        """Return the chart at a width: labels to the left, above their bars if they take too much of it."""
        labels = max((width_of(each.label) for each in self.bars if each.value is not None), default=0.0)
        texts = max((width_of(each.text) for each in self.bars), default=0.0)
        above = labels > 0.34 * width
        left = _EDGE if above else labels + 2 * _GAP
        height = _EDGE + sum(_height(each, above=above) for each in self.bars)
        frame = Frame(width, height, left, 0.0, width - texts - 2 * _GAP, height)
        reach = max((max(each.value, each.high or 0.0) for each in self.bars if each.value is not None), default=1.0)
        return Layout(frame, Axis(0.0, reach or 1.0, False, ()), None, lambda canvas: self._paint(canvas, above=above))

    def _paint(self, canvas: Canvas, *, above: bool) -> None:
        top = _EDGE / 2
        frame = canvas.frame
        for each in self.bars:
            foot = top + _height(each, above=above)
            if each.value is None:
                canvas.write(0, foot - _HEAD / 2, each.label, bold=True)
            else:
                middle = foot - _ROW / 2
                if above:
                    canvas.write(frame.left, middle - _ROW * 0.8, each.label)
                else:
                    canvas.write(frame.left - _GAP, middle, each.label, side="right")
                canvas.line([0.0, 0.0], [foot - _ROW, foot], RULE, width=1.0, space="across")
                _bar(canvas, each, each.value, middle)
            top = foot


def _height(bar: Bar, *, above: bool) -> float:
    if bar.value is None:
        return _HEAD
    return _ROW * (1.7 if above else 1.0)


def _bar(canvas: Canvas, bar: Bar, value: float, middle: float) -> None:
    """Draw one bar, its interval over it, and its text to the right of both."""
    color = MUTED if bar.limit else color_of(bar.series)
    if bar.limit:
        canvas.line([0.0, value], [middle] * 2, color, width=1.6, dash=(4, 3), space="across", title=bar.title)
        canvas.line([value, value], [middle - 6, middle + 6], color, width=1.6, space="across")
    else:
        canvas.box((0.0, value), (middle - _BAR / 2, middle + _BAR / 2), color, space="across", title=bar.title)
    end = value
    if bar.low is not None and bar.high is not None:
        end = max(value, bar.high)
        _interval(canvas, bar.low, bar.high, middle, runs_on=bar.runs_on)
    frame = canvas.frame
    across = frame.left + frame.inside[0] * end / canvas.axes.get_xlim()[1]
    canvas.write(across + _GAP, middle, bar.text, color=MUTED if bar.limit else INK)


def _interval(canvas: Canvas, low: float, high: float, middle: float, *, runs_on: bool) -> None:
    """Draw an interval in ink with an edge of paper, so that it can be seen on its bar and beyond it."""
    gap = math.nan
    xs = [low, high, gap, low, low, *(() if runs_on else (gap, high, high))]
    ys = [middle, middle, gap, middle - 4, middle + 4, *(() if runs_on else (gap, middle - 4, middle + 4))]
    for color, width in ((PAPER, 3.6), (INK, 1.4)):
        canvas.line(xs, ys, color, width=width, space="across")
