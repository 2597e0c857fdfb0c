"""Draws a matrix as squares: the stronger the color, the larger the value; empty squares were not measured."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from headtohead.report.drawing.axes import Axis
from headtohead.report.drawing.canvas import Canvas, Frame, Layout
from headtohead.report.drawing.chart_style import LETTER
from headtohead.report.drawing.page_svg import MUTED, RULE, SERIES

STEPS = 8
"""The number of color strengths; people cannot distinguish more."""
MOST_A_SIDE = 128
"""Larger matrices are drawn as the medians of blocks: a square must remain larger than a point."""
_PALE, _STRONG = 0.10, 1.0
_TOP, _FOOT, _RIGHT = 26.0, 62.0, 16.0
_WITH_NUMBERS = 44.0
"""Squares from this many points on hold their number."""
_MOST_SIDE, _MOST_SQUARE, _KEY = 560.0, 90.0, 14.0

Values = Sequence[Sequence[float | None]]


@dataclass(frozen=True)
class Heat:
    """A matrix to draw: names of rows and columns, values, what they are, and how one is written."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    texts: tuple[tuple[str, ...], ...]
    title: str
    ends: tuple[str, str]
    """The least and the greatest value as text."""

    def lay_out(self, width: float) -> Layout:
        """Return the matrix at a width, with the legend of strengths below it."""
        many = max(len(self.rows), len(self.columns))
        left = max(max(map(len, self.rows), default=0) * LETTER + 14.0, 40.0)
        square = min(_MOST_SQUARE, min(width - left - _RIGHT, _MOST_SIDE) / many)
        wide, high = square * len(self.columns), square * len(self.rows)
        frame = Frame(width, _TOP + high + _FOOT, left, _TOP, left + wide, _TOP + high)
        across = Axis(0.0, float(len(self.columns)), False, ())
        up = Axis(float(len(self.rows)), 0.0, False, ())
        return Layout(frame, across, up, lambda canvas: self._paint(canvas, square=square))

    def _paint(self, canvas: Canvas, *, square: float) -> None:
        _names(canvas, self, square=square)
        _squares(canvas, self)
        if square >= _WITH_NUMBERS:
            _numbers(canvas, self)
        _key(canvas, self)


def blocks(values: Values, most: int = MOST_A_SIDE) -> tuple[int, tuple[tuple[float | None, ...], ...]]:
    """Return how many rows and columns make a block, and the median of each block.

    >>> blocks([[1.0, 3.0], [5.0, None]], most=1)
    (2, ((3.0,),))
    """
    side = max(len(values), max((len(row) for row in values), default=0))
    times = max(1, math.ceil(side / most))
    if times == 1:
        return 1, tuple(tuple(row) for row in values)
    found = []
    for top in range(0, len(values), times):
        line = []
        for left in range(0, len(values[0]), times):
            part = [each for row in values[top : top + times] for each in row[left : left + times] if each is not None]
            line.append(statistics.median(part) if part else None)
        found.append(tuple(line))
    return times, tuple(found)


def _names(canvas: Canvas, heat: Heat, *, square: float) -> None:
    """Draw the edge of the matrix, and write the names of rows and columns, as many as there is room for."""
    frame = canvas.frame
    canvas.line(
        [frame.left, frame.right, frame.right, frame.left, frame.left],
        [frame.top, frame.top, frame.bottom, frame.bottom, frame.top],
        RULE,
        width=0.8,
        space="px",
    )
    each = max(1, math.ceil(24.0 / square))
    for number in range(0, len(heat.columns), each):
        middle = frame.left + (number + 0.5) * square
        canvas.write(middle, frame.bottom + 5, heat.columns[number], color=MUTED, size=11, side="center", level="top")
    for number in range(0, len(heat.rows), each):
        middle = frame.top + (number + 0.5) * square
        canvas.write(frame.left - 6, middle, heat.rows[number], color=MUTED, size=11, side="right")
    canvas.write(frame.left - 34, frame.top - 10, heat.title, color=MUTED, size=11)


def _squares(canvas: Canvas, heat: Heat) -> None:
    """Draw the squares of one strength as one shape, neighbors joined, so that large matrices stay small files."""
    strengths = _strengths(heat.values)
    for step in range(STEPS):
        outlines = [
            [(first, row), (last, row), (last, row + 1), (first, row + 1), (first, row)]
            for row, line in enumerate(strengths)
            for first, last in _stretches(line, step)
        ]
        if outlines:
            canvas.shapes(outlines, SERIES[0], alpha=_alpha(step))


def _strengths(values: Values) -> list[list[int | None]]:
    """Return the strength of each square, from the least value to the greatest."""
    known = [each for row in values for each in row if each is not None]
    least, span = min(known), max(known) - min(known)
    return [
        [None if each is None else min(STEPS - 1, int(STEPS * (each - least) / span)) if span else 0 for each in row]
        for row in values
    ]


def _stretches(line: Sequence[int | None], step: int) -> list[tuple[int, int]]:
    """Return the stretches of a line that have this strength, as (first, one after the last).

    >>> _stretches([1, 1, None, 1, 2], 1)
    [(0, 2), (3, 4)]
    """
    found: list[tuple[int, int]] = []
    for place, each in enumerate(line):
        if each != step:
            continue
        if found and found[-1][1] == place:
            found[-1] = (found[-1][0], place + 1)
        else:
            found.append((place, place + 1))
    return found


def _alpha(step: int) -> float:
    return round(_PALE + (_STRONG - _PALE) * step / (STEPS - 1), 3)


def _numbers(canvas: Canvas, heat: Heat) -> None:
    """Write each value on its square, with the color of the page behind it so that it can be read on every strength."""
    for row, line in enumerate(heat.texts):
        for column, text in enumerate(line):
            if text:
                canvas.write(column + 0.5, row + 0.5, text, size=11, side="center", behind=True, space="data")


def _key(canvas: Canvas, heat: Heat) -> None:
    """Draw the legend of strengths below the matrix."""
    left, top = canvas.frame.left, canvas.frame.bottom + 34
    for step in range(STEPS):
        canvas.box(
            (left + step * _KEY, left + (step + 1) * _KEY), (top, top + 12), SERIES[0], alpha=_alpha(step), space="px"
        )
    range_text = f"{heat.ends[0]} to {heat.ends[1]}" if heat.ends[0] != heat.ends[1] else heat.ends[0]
    canvas.write(left + STEPS * _KEY + 6, top + 6, range_text, color=MUTED, size=11)
