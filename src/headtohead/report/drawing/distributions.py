"""Draws times as distributions: the share of responses that took longer than each time; percentiles are read off."""

from collections.abc import Sequence
from dataclasses import dataclass

from headtohead.report.drawing.axes import Axis, time_axis
from headtohead.report.drawing.canvas import Canvas, Layout
from headtohead.report.drawing.chart_style import color_of, marker_of
from headtohead.report.drawing.lines import Plot, Points, Series

_NAMED = {0.5: "half (p50)", 0.1: "10 % (p90)", 0.01: "1 % (p99)", 0.001: "0.1 % (p99.9)", 0.0001: "0.01 %"}
"""The ticks of the axis of shares: percentiles as people know them."""
UP = "share of responses that took longer"


@dataclass(frozen=True)
class Mark:
    """A percentile on a curve: its time in ns, the share of responses beyond it, and what the pointer shows."""

    time_ns: float
    share: float
    title: str


@dataclass(frozen=True)
class Curve:
    """One treatment: its name, its percentiles as text, its number, and the time in ns that each share exceeds.

    ``lowest`` and ``highest`` are the same of its lowest and its highest run: between them is its band.
    """

    label: str
    text: str
    number: int
    line: Points
    lowest: Points
    highest: Points
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Distributions:
    """The distributions of several treatments over one axis of times with at most about ``most`` ticks."""

    curves: tuple[Curve, ...]
    below: str
    most: int

    @property
    def logarithmic(self) -> bool:
        """Whether the axis of times is logarithmic: its times span more than two powers of ten."""
        return self._plot.across.logarithmic

    def lay_out(self, width: float) -> Layout:
        """Return the chart at a width: names with percentiles above, times across, shares up."""
        ground = self._plot.lay_out(width)

        def paint(canvas: Canvas) -> None:
            ground.paint(canvas)
            for draw in (_band, _line):
                for each in self.curves:
                    draw(canvas, each)

        return Layout(ground.frame, ground.across, ground.up, paint)

    @property
    def _plot(self) -> Plot:
        """The names, axes and rules, without a line."""
        names = tuple(Series(each.label, each.text, (), (), number=each.number) for each in self.curves)
        times = time_axis([time for each in self.curves for time, _ in (*each.lowest, *each.highest)], most=self.most)
        across = Axis(times.low, times.high, times.logarithmic, times.ticks, below=self.below)
        return Plot(names, across, _shares([share for each in self.curves for _, share in each.line]), UP)


def _shares(shares: Sequence[float]) -> Axis:
    """Return the axis of shares, always logarithmic: p99 is as far from p90 as p99.9 is from p99."""
    low = min(0.1, *shares) / 1.25
    return Axis(low, 1.0, True, tuple((share, name) for share, name in _NAMED.items() if share >= low))


def _band(canvas: Canvas, curve: Curve) -> None:
    if curve.lowest != curve.highest:
        canvas.shapes([(*curve.lowest, *reversed(curve.highest), curve.lowest[0])], color_of(curve.number), alpha=0.16)


def _line(canvas: Canvas, curve: Curve) -> None:
    color = color_of(curve.number)
    canvas.line([time for time, _ in curve.line], [share for _, share in curve.line], color, width=1.8)
    times, shares = [each.time_ns for each in curve.marks], [each.share for each in curve.marks]
    titles = [each.title for each in curve.marks]
    canvas.dots(times, shares, color, marker=marker_of(curve.number), size=5.5, edge=1.0, titles=titles)
