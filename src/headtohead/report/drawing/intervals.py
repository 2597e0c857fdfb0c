"""Draws rows of points with intervals, on one axis: comparisons and values, not curves."""

from collections.abc import Sequence
from dataclasses import dataclass

from headtohead.report.drawing.axes import Axis, labels_with_room
from headtohead.report.drawing.canvas import Canvas, Frame, Layout
from headtohead.report.drawing.chart_style import WIDE, color_of, marker_of, width_of
from headtohead.report.drawing.page_svg import BAND, INK, MUTED, PAPER, RULE

_LINE, _HEAD, _FOOT, _GAP, _INDENT, _EDGE = 21.0, 4.0, 40.0, 10.0, 12.0, 14.0
_BOLD = 1.12
"""Bold letters are this many times as wide."""
_JITTER = (0.0, 0.16, -0.16, 0.08, -0.08)
"""Points are offset in a fixed order, not at random: equal ones stay visible, and the picture is reproducible."""
MOST_POINTS = 300
"""A line has at most this many points; of more it shows evenly spaced ones in order of value, the ends included."""


@dataclass(frozen=True)
class Line:
    """One line of a chart: a label, its value as text, points, and an estimate with its interval.

    A line without ``value`` is a heading; ``solid`` lines have a verdict or a primary value, hollow ones do not.
    ``filled`` are the indexes of points drawn full, because they are far from the others. ``titles`` are what the
    points show under the pointer, one for each, or none.
    """

    label: str
    text: str = ""
    points: tuple[float, ...] = ()
    low: float | None = None
    value: float | None = None
    high: float | None = None
    series: int = 0
    solid: bool = True
    filled: frozenset[int] = frozenset()
    titles: tuple[str, ...] = ()

    @property
    def head(self) -> bool:
        """Whether the line is the heading of those below it."""
        return self.value is None and not self.points


@dataclass(frozen=True)
class IntervalChart:
    """A chart to draw: lines from top to bottom over one axis; labels that are too long go above their line."""

    lines: tuple[Line, ...]
    axis: Axis

    def lay_out(self, width: float) -> Layout:
        """Return the chart at a width."""
        rows = [line for line in self.lines if not line.head]
        labels = max((width_of(line.label) for line in rows), default=0.0)
        texts = max((width_of(line.text) for line in rows), default=0.0)
        above = labels > 0.34 * width or labels + texts > (0.5 if width < WIDE else 0.75) * width
        heads = max((_BOLD * width_of(line.label) for line in self.lines if line.head), default=0.0)
        left, right = (_EDGE, _EDGE) if above else (max(labels + _INDENT, heads) + _EDGE, texts + _EDGE)
        half = max((width_of(text) / 2 for _, text in self.axis.ticks), default=0.0)  # an end of the axis may have one
        left, right = max(left, half), max(right, half)
        bottom = _HEAD + sum(_step(line, above=above) for line in self.lines)
        frame = Frame(width, bottom + _FOOT, left, _HEAD, width - right, bottom)
        return Layout(frame, self.axis, None, lambda canvas: self._paint(canvas, above=above))

    def _paint(self, canvas: Canvas, *, above: bool) -> None:
        _ground(canvas, self.axis)
        top = _HEAD
        for line in self.lines:
            top += _step(line, above=above)
            _line(canvas, line, middle=top - _LINE / 2, above=above)


def _step(line: Line, *, above: bool) -> float:
    if line.head:
        return _LINE + _GAP / 2
    return _LINE * 1.75 if above else _LINE


def _ground(canvas: Canvas, axis: Axis) -> None:
    """Draw the axis: light vertical rules at the ticks with labels below, the band, the mark, and its ends' words."""
    frame = canvas.frame
    if axis.band:
        canvas.box(axis.band, (frame.top, frame.bottom), BAND, space="across")
    canvas.rules(labels_with_room(axis, frame.inside[0]), RULE)
    if axis.mark is not None:
        canvas.line([axis.mark] * 2, [frame.top, frame.bottom], INK, space="across")
    low = frame.bottom + 22
    middle = (frame.left + frame.right) / 2
    canvas.write(frame.left, low, axis.ends[0], color=MUTED, size=11, level="top")
    canvas.write(frame.right, low, axis.ends[1], color=MUTED, size=11, side="right", level="top")
    canvas.write(middle, low, axis.below, color=MUTED, size=11, side="center", level="top")


def _line(canvas: Canvas, line: Line, *, middle: float, above: bool) -> None:
    if line.head:
        canvas.write(0, middle + 1, line.label, bold=True, behind=True)
        return
    height = middle - _LINE * 0.8 if above else middle
    canvas.write(_INDENT, height, line.label, behind=above)
    canvas.write(canvas.frame.width, height, line.text, side="right", behind=above)
    _marks(canvas, line, middle)


def _marks(canvas: Canvas, line: Line, middle: float) -> None:
    """Draw the points small and hollow, the interval as a bar, the estimate as a mark on it."""
    color = color_of(line.series)
    shown = thinned(line.points)
    for face in ("", "none"):  # all of one face at once: a mark of its own for each takes a millisecond
        drawn = [number for number in shown if (number in line.filled) == (face == "")]
        if drawn:
            heights = [middle + _JITTER[number % len(_JITTER)] * _LINE * 1.6 for number in drawn]
            titles = [line.titles[number] for number in drawn] if line.titles else ()
            places = [line.points[number] for number in drawn]
            canvas.dots(places, heights, color, face=face, space="across", titles=titles)
    if line.low is not None and line.high is not None:
        least, most = canvas.axes.get_xlim()
        low, high = max(line.low, least), min(line.high, most)
        canvas.line([low, high], [middle, middle], color, width=2.2, space="across")
        for end in (each for each in (line.low, line.high) if least <= each <= most):  # one beyond the axis has no end
            canvas.line([end, end], [middle - 4, middle + 4], color, width=1.4, space="across")
    if line.value is not None:
        face = "" if line.solid else PAPER
        marker = marker_of(line.series)
        canvas.dots([line.value], [middle], color, marker=marker, size=6, edge=1.4, face=face, space="across")


def thinned(points: Sequence[float], most: int = MOST_POINTS) -> list[int]:
    """Return which points to draw, in their order: all, or of very many evenly spaced ones by rank, both ends included.

    >>> thinned([5.0, 1.0, 9.0, 7.0, 3.0], most=3)
    [0, 1, 2]
    """
    if len(points) <= most:
        return list(range(len(points)))
    by_value = sorted(range(len(points)), key=points.__getitem__)
    last = len(points) - 1
    return sorted({by_value[round(place * last / (most - 1))] for place in range(most)})
