"""Draws lines over a numbered axis, as the offered load: a line a treatment, its points, and the capacity marked."""

import math
from dataclasses import dataclass
from typing import Literal

from headtohead.report.drawing.axes import Axis, labels_with_room
from headtohead.report.drawing.canvas import Canvas, Frame, Layout
from headtohead.report.drawing.chart_style import LETTER, color_of, marker_of
from headtohead.report.drawing.page_svg import BAND, INK, MUTED, RULE

_ROW, _TITLE, _FOOT, _RIGHT = 21.0, 26.0, 42.0, 16.0
_SHARE, _LOWEST = 0.42, 210.0
"""The height of the plot: this share of its width, and at least this many points."""

_CROWDED = 30
"""Lines with more marks than this have small ones."""
_DASHES = (5.0, 3.0)
_ABOVE = 9.0
"""How far above its line the name of a limit is, in px."""

Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Series:
    """One treatment: its name, its result as text, every trial, the line through them, and its capacity.

    ``beneath`` is a second, thinner line: the median next to the quantile. ``apart`` and ``apart_beneath`` are drawn
    like these two, but dashed: what was measured in another way.
    """

    label: str
    text: str
    points: Points
    line: Points
    beneath: Points = ()
    apart: Points = ()
    apart_beneath: Points = ()
    capacity: float | None = None
    interval: tuple[float, float] | None = None
    bars: tuple[tuple[float, float, float], ...] = ()
    """Intervals: the place across, the lower and the upper end."""
    number: int | None = None
    """The number of its treatment, which gives color and mark; None: its place in the plot."""
    titles: tuple[str, ...] = ()
    """What the points of the line show under the pointer, one for each, or none."""


@dataclass(frozen=True)
class Plot:
    """A plot to draw. On the ``diagonal`` responses equal requests; ``limit`` is a height with its name.

    ``bands`` are stretches across with their names, ``uprights`` places across with theirs.
    """

    series: tuple[Series, ...]
    across: Axis
    up: Axis
    title: str
    diagonal: bool = False
    limit: tuple[float, str] | None = None
    bands: tuple[tuple[float, float, str], ...] = ()
    uprights: tuple[tuple[float, str], ...] = ()

    def lay_out(self, width: float) -> Layout:
        """Return the plot at a width, with the names of its lines above it."""
        head = _rows(self, width) * _ROW + _TITLE
        inside = max(_LOWEST, _SHARE * width)
        left = max(len(label) for _, label in self.up.ticks) * LETTER + 14.0
        frame = Frame(width, head + inside + _FOOT, left, head, width - _RIGHT, head + inside)
        return Layout(frame, self.across, self.up, self._paint)

    def _paint(self, canvas: Canvas) -> None:
        _ground(canvas, self)
        _names(canvas, self)
        for place, each in enumerate(self.series):
            _series(canvas, each, _number(each, place))


def logarithmic_note(plot: Plot) -> str:
    """Return the note of a caption that axes are logarithmic; empty if none is."""
    across, up = plot.across.logarithmic, plot.up.logarithmic
    if across and up:
        return " Both axes are logarithmic."
    return f" The {'horizontal' if across else 'vertical'} axis is logarithmic." if across or up else ""


def _number(series: Series, place: int) -> int:
    return place if series.number is None else series.number


def _rows(plot: Plot, width: float) -> int:
    """Return the number of rows of names: two for a name and a text that do not fit side by side."""
    return sum(1 if _side_by_side(each, width) else 2 for each in plot.series)


def _side_by_side(series: Series, width: float) -> bool:
    return (len(series.label) + len(series.text) + 8) * LETTER + 30 < width


def _ground(canvas: Canvas, plot: Plot) -> None:
    """Draw both axes: light rules at the ticks, their labels outside, and the titles above and below."""
    frame = canvas.frame
    _places(canvas, plot)
    canvas.rules(labels_with_room(plot.across, frame.inside[0]), RULE)
    canvas.rules(plot.up.ticks, RULE, upright=False)
    middle = (frame.left + frame.right) / 2
    canvas.write(middle, frame.bottom + 24, plot.across.below, color=MUTED, size=11, side="center", level="top")
    canvas.write(2, frame.top - 12, plot.title, color=MUTED, size=11)
    if plot.diagonal:
        most = min(plot.across.high, plot.up.high)
        least = max(plot.across.low, plot.up.low)
        canvas.line([least, most], [least, most], MUTED, dash=(2, 3))
    if plot.limit:
        height, name = plot.limit
        canvas.line([frame.left, frame.right], [height] * 2, INK, dash=(4, 3), space="up")
        above = height * (plot.up.high / plot.up.low) ** (_ABOVE / frame.inside[1]) if plot.up.logarithmic else height
        above += 0.0 if plot.up.logarithmic else (plot.up.high - plot.up.low) * _ABOVE / frame.inside[1]
        canvas.write(frame.right - 4, above, name, color=MUTED, size=11, side="right", behind=True, space="up")


def _places(canvas: Canvas, plot: Plot) -> None:
    """Draw the bands, their names at the foot, and the vertical lines, theirs at the top, each within its room."""
    frame = canvas.frame
    across = plot.across
    for low, top, name in plot.bands:
        canvas.box((low, top), (frame.top, frame.bottom), BAND, space="across")
        middle = (low * top) ** 0.5 if across.logarithmic else (low + top) / 2
        height = frame.bottom - 6
        canvas.write(middle, height, name, color=MUTED, size=11, side="center", level="bottom", space="across")
    for number, (place, name) in enumerate(plot.uprights):
        canvas.line([place] * 2, [frame.top, frame.bottom], MUTED, dash=(2, 2), space="across")
        # One below the other, because a narrow screen has no room side by side.
        height = frame.top + 8 + 15 * (number % 3)
        last = place > across.high / (across.high / across.low) ** 0.25
        beside = place * (across.high / across.low) ** ((-4 if last else 4) / frame.inside[0])
        side: Literal["left", "right"] = "right" if last else "left"
        canvas.write(beside, height, name, color=MUTED, size=11, side=side, behind=True, space="across")


def _names(canvas: Canvas, plot: Plot) -> None:
    """Write, above the plot, each line's name with its mark, and what is drawn."""
    width = canvas.frame.width
    top = 0.0
    for place, each in enumerate(plot.series):
        number = _number(each, place)
        canvas.dots([14], [top + _ROW / 2], color_of(number), marker=marker_of(number), size=6, edge=1.0, space="px")
        canvas.write(26, top + _ROW / 2, each.label)
        if not _side_by_side(each, width):
            top += _ROW
        canvas.write(width - _RIGHT, top + _ROW / 2, each.text, side="right")
        top += _ROW


def _series(canvas: Canvas, each: Series, number: int) -> None:
    """Draw the points small and hollow, the line with marks, the capacity as an upright with its interval as a band."""
    color, frame = color_of(number), canvas.frame
    if each.interval:
        canvas.box(each.interval, (frame.top, frame.bottom), color, alpha=0.14, space="across")
    if each.capacity is not None:
        canvas.line([each.capacity] * 2, [frame.top, frame.bottom], color, width=1.2, space="across")
    if each.points:
        canvas.dots(*_places_of(each.points), color, face="none", size=2.6, edge=0.6, alpha=0.7)
    if each.bars:
        xs = [x for across, _, _ in each.bars for x in (across, across, math.nan)]
        ys = [y for _, low, high in each.bars for y in (low, high, math.nan)]
        canvas.line(xs, ys, color, width=1.4, alpha=0.5)
    mark = 4.5 if len(each.line) <= _CROWDED else 2.4
    lines = ((each.beneath, each.line, (), each.titles), (each.apart_beneath, each.apart, _DASHES, ()))
    for thin, bold, dash, titles in lines:
        if thin:
            canvas.line(*_places_of(thin), color, width=0.9, dash=dash)
        if bold:
            canvas.line(*_places_of(bold), color, width=1.8, dash=dash)
            canvas.dots(*_places_of(bold), color, marker=marker_of(number), size=mark, edge=1.0, titles=titles)


def _places_of(points: Points) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]
