"""Draws a matrix as squares: the stronger the color, the larger the value; empty squares were not measured."""

import io
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from headtohead.report.drawing.intervals import LETTER, POINTS_PER_INCH, write_text
from headtohead.report.drawing.svg import INK, MUTED, PAPER, RULE, SERIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STEPS = 8
"""The number of color strengths; people cannot distinguish more."""
MOST_A_SIDE = 128
"""Larger matrices are drawn as the medians of blocks: a square must remain larger than a point."""
_PALE, _STRONG = 0.10, 1.0
_TOP, _FOOT, _RIGHT = 26.0, 62.0, 16.0
_WITH_NUMBERS = 44.0
"""Squares from this many points on hold their number."""
_MOST_SIDE, _MOST_SQUARE = 560.0, 90.0
_SMALL: dict[str, object] = {"color": MUTED, "size": 11}

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
    salt: str = field(default="headtohead")


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


def draw(heat: Heat, *, width: float) -> str:
    """Return the matrix as matplotlib's SVG, at most ``width`` points wide."""
    import matplotlib as mpl  # noqa: PLC0415  importing it takes longer than most commands
    from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    many = max(len(heat.rows), len(heat.columns))
    left = max(max(map(len, heat.rows), default=0) * LETTER + 14.0, 40.0)
    square = min(_MOST_SQUARE, min(width - left - _RIGHT, _MOST_SIDE) / many)
    wide, high = square * len(heat.columns), square * len(heat.rows)
    height = _TOP + high + _FOOT
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": heat.salt, "font.size": 12.0}):
        figure = Figure(figsize=(width / POINTS_PER_INCH, height / POINTS_PER_INCH))
        FigureCanvasSVG(figure)
        figure.patch.set_visible(False)
        axes = figure.add_axes((left / width, _FOOT / height, wide / width, high / height))
        _frame(axes, heat, square=square)
        _squares(axes, heat)
        if square >= _WITH_NUMBERS:
            _numbers(axes, heat)
        _key(axes, heat, square=square)
        page = io.StringIO()
        figure.savefig(page, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return page.getvalue()


def _frame(axes: "Axes", heat: Heat, *, square: float) -> None:
    axes.set_xlim(0, len(heat.columns))
    axes.set_ylim(len(heat.rows), 0)
    axes.patch.set_visible(False)
    axes.xaxis.set_visible(False)
    axes.yaxis.set_visible(False)
    for edge in axes.spines.values():
        edge.set(color=RULE, linewidth=0.8)
    each = max(1, math.ceil(24.0 / square))
    for number in range(0, len(heat.columns), each):
        write_text(
            axes, number + 0.5, len(heat.rows) + 5 / square, heat.columns[number], va="top", ha="center", **_SMALL
        )
    for number in range(0, len(heat.rows), each):
        write_text(axes, -6 / square, number + 0.5, heat.rows[number], va="center", ha="right", **_SMALL)
    write_text(axes, -34 / square, -10 / square, heat.title, va="center", ha="left", **_SMALL)


def _squares(axes: "Axes", heat: Heat) -> None:
    """Draw the squares of one strength as one shape, neighbors joined, so that large matrices stay small files."""
    from matplotlib.patches import PathPatch  # noqa: PLC0415
    from matplotlib.path import Path  # noqa: PLC0415

    strengths = _strengths(heat.values)
    for step in range(STEPS):
        shapes = [
            Path([(first, row), (last, row), (last, row + 1), (first, row + 1), (first, row)], closed=True)
            for row, line in enumerate(strengths)
            for first, last in _stretches(line, step)
        ]
        if shapes:
            shape = Path.make_compound_path(*shapes)
            axes.add_patch(PathPatch(shape, facecolor=SERIES[0], alpha=_alpha(step), linewidth=0))


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


def _numbers(axes: "Axes", heat: Heat) -> None:
    """Write each value on its square, with the color of the page behind it so that it can be read on every strength."""
    behind = {"facecolor": PAPER, "edgecolor": "none", "pad": 1.5}
    for row, line in enumerate(heat.texts):
        for column, text in enumerate(line):
            if text:
                how: dict[str, object] = {"va": "center", "ha": "center", "color": INK, "size": 11, "bbox": behind}
                write_text(axes, column + 0.5, row + 0.5, text, **how)


def _key(axes: "Axes", heat: Heat, *, square: float) -> None:
    """Draw the legend of strengths below the matrix."""
    from matplotlib.patches import Rectangle  # noqa: PLC0415

    top, wide = len(heat.rows) + 34 / square, 14 / square
    for step in range(STEPS):
        axes.add_patch(
            Rectangle(
                (step * wide, top),
                wide,
                12 / square,
                facecolor=SERIES[0],
                alpha=_alpha(step),
                linewidth=0,
                clip_on=False,
            )
        )
    middle = top + 6 / square
    told = f"{heat.ends[0]} to {heat.ends[1]}" if heat.ends[0] != heat.ends[1] else heat.ends[0]
    write_text(axes, STEPS * wide + 6 / square, middle, told, va="center", ha="left", **_SMALL)
