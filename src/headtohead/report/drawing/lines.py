"""Draws one quantity against the offered load: a line a treatment, every trial as a point, the capacity marked."""

import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from headtohead.report.drawing.intervals import LETTER, MARKERS, POINTS_PER_INCH, Axis, write_text
from headtohead.report.drawing.svg import BAND, INK, MUTED, PAPER, RULE, SERIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW, _TITLE, _FOOT, _RIGHT = 21.0, 26.0, 42.0, 16.0
_SHARE, _LOWEST = 0.42, 210.0
"""The height of the plot: this share of its width, and at least this many points."""

_CROWDED = 30
"""Lines with more marks than this have small ones."""

Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Series:
    """One treatment: its name, its result as text, every trial, the line through them, and its capacity.

    ``beneath`` is a second, thinner line: the median next to the quantile.
    """

    label: str
    text: str
    points: Points
    line: Points
    beneath: Points = ()
    capacity: float | None = None
    interval: tuple[float, float] | None = None
    bars: tuple[tuple[float, float, float], ...] = ()
    """Intervals: the place across, the lower and the upper end."""


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
    salt: str = field(default="headtohead")


def draw(plot: Plot, *, width: float) -> str:
    """Return the plot as matplotlib's SVG, ``width`` points wide, with the names of its lines above it."""
    import matplotlib as mpl  # noqa: PLC0415  importing it takes longer than most commands
    from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    rows = _rows(plot, width)
    head = rows * _ROW + _TITLE
    inside = max(_LOWEST, _SHARE * width)
    height = head + inside + _FOOT
    left = max(len(label) for _, label in plot.up.ticks) * LETTER + 14.0
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": plot.salt, "font.size": 12.0}):
        figure = Figure(figsize=(width / POINTS_PER_INCH, height / POINTS_PER_INCH))
        FigureCanvasSVG(figure)
        figure.patch.set_visible(False)
        axes = figure.add_axes(
            (left / width, _FOOT / height, 1 - (left + _RIGHT) / width, inside / height),
        )
        _frame(axes, plot, size=(width - left - _RIGHT, inside))
        _names(axes, plot, place=(width, left, inside, rows))
        for number, each in enumerate(plot.series):
            _series(axes, each, number)
        page = io.StringIO()
        figure.savefig(page, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return page.getvalue()


def _rows(plot: Plot, width: float) -> int:
    """Return the number of rows of names: two for a name and a text that do not fit side by side."""
    return sum(1 if _side_by_side(each, width) else 2 for each in plot.series)


def _side_by_side(series: Series, width: float) -> bool:
    return (len(series.label) + len(series.text) + 4) * LETTER + 30 < width


def _frame(axes: "Axes", plot: Plot, *, size: tuple[float, float]) -> None:
    """Draw both axes: light rules at the ticks, their labels outside, and the titles above and below."""
    wide, high = size
    for axis, set_scale, set_limits in (
        (plot.across, axes.set_xscale, axes.set_xlim),
        (plot.up, axes.set_yscale, axes.set_ylim),
    ):
        set_scale("log" if axis.logarithmic else "linear")
        set_limits(axis.low, axis.high)
    axes.patch.set_visible(False)
    axes.xaxis.set_visible(False)
    axes.yaxis.set_visible(False)
    for edge in axes.spines.values():
        edge.set_visible(False)
    _places(axes, plot, size=size)
    for value, label in plot.across.ticks:
        axes.axvline(value, color=RULE, linewidth=0.8)
        write_text(axes, value, -5 / high, label, va="top", ha="center", transform=axes.get_xaxis_transform(), **_SMALL)
    for value, label in plot.up.ticks:
        axes.axhline(value, color=RULE, linewidth=0.8)
        write_text(
            axes, -6 / wide, value, label, va="center", ha="right", transform=axes.get_yaxis_transform(), **_SMALL
        )
    write_text(axes, 0.5, -24 / high, plot.across.below, va="top", ha="center", transform=axes.transAxes, **_SMALL)
    if plot.diagonal:
        most = min(plot.across.high, plot.up.high)
        least = max(plot.across.low, plot.up.low)
        axes.plot([least, most], [least, most], color=MUTED, linewidth=1.0, linestyle=(0, (2, 3)))
    if plot.limit:
        height, name = plot.limit
        axes.axhline(height, color=INK, linewidth=1.0, linestyle=(0, (4, 3)))
        behind = {"facecolor": PAPER, "edgecolor": "none", "pad": 1.5}
        how = {"va": "center", "ha": "right", "transform": axes.get_yaxis_transform(), "zorder": 6, "bbox": behind}
        write_text(axes, 1 - 4 / wide, height, name, **how, **_SMALL)


def _places(axes: "Axes", plot: Plot, *, size: tuple[float, float]) -> None:
    """Draw the bands, their names at the foot, and the vertical lines, theirs at the top, each within its room."""
    wide, high = size
    how: dict[str, object] = {"transform": axes.get_xaxis_transform(), "zorder": 6, **_SMALL}
    for low, top, name in plot.bands:
        axes.axvspan(low, top, color=BAND, linewidth=0, zorder=0)
        write_text(axes, _between(low, top, plot.across), 6 / high, name, va="bottom", ha="center", **how)
    for number, (place, name) in enumerate(plot.uprights):
        axes.axvline(place, color=MUTED, linewidth=1.0, linestyle=(0, (2, 2)))
        # One below the other, because a narrow screen has no room side by side.
        behind = {"facecolor": PAPER, "edgecolor": "none", "pad": 1.0}
        height = 1 - (8 + 15 * (number % 3)) / high
        last = place > plot.across.high / (plot.across.high / plot.across.low) ** 0.25
        side = {"ha": "right"} if last else {"ha": "left"}
        beside = place * (plot.across.high / plot.across.low) ** ((-4 if last else 4) / wide)
        write_text(axes, beside, height, name, va="center", bbox=behind, **side, **how)


def _between(low: float, high: float, axis: Axis) -> float:
    return (low * high) ** 0.5 if axis.logarithmic else (low + high) / 2


_SMALL: dict[str, object] = {"color": MUTED, "size": 11}


def _names(axes: "Axes", plot: Plot, *, place: tuple[float, float, float, int]) -> None:
    """Write, above the plot, each line's name with its mark, and what is drawn."""
    width, left, inside, rows = place
    wide = width - left - _RIGHT
    above = inside + _TITLE + rows * _ROW

    def put(x: float, y: float, text: str, **how: object) -> None:
        write_text(axes, x / wide, y / inside, text, va="center", transform=axes.transAxes, **how)

    for number, each in enumerate(plot.series):
        above -= _ROW
        color, marker = _look(number)
        axes.plot(
            [(14 - left) / wide],
            [(above + _ROW / 2) / inside],
            marker,
            color=color,
            markersize=6,
            transform=axes.transAxes,
            clip_on=False,
        )
        put(26 - left, above + _ROW / 2, each.label, ha="left", color=INK, size=12)
        if not _side_by_side(each, width):
            above -= _ROW
        put(wide, above + _ROW / 2, each.text, ha="right", color=INK, size=12)
    put(-left + 2, inside + 12, plot.title, ha="left", **_SMALL)


def _series(axes: "Axes", each: Series, number: int) -> None:
    """Draw the points small and hollow, the line with marks, the capacity as an upright with its interval as a band."""
    color, marker = _look(number)
    if each.interval:
        axes.axvspan(*each.interval, color=color, alpha=0.14, linewidth=0)
    if each.capacity is not None:
        axes.axvline(each.capacity, color=color, linewidth=1.2)
    axes.plot(
        [x for x, _ in each.points],
        [y for _, y in each.points],
        "o",
        color="none",
        markeredgecolor=color,
        markersize=2.6,
        markeredgewidth=0.6,
        alpha=0.7,
    )
    for across, low, high in each.bars:
        axes.plot([across, across], [low, high], color=color, linewidth=1.4, alpha=0.5, solid_capstyle="butt")
    if each.beneath:
        axes.plot(*zip(*each.beneath, strict=True), color=color, linewidth=0.9)
    if each.line:
        mark = 4.5 if len(each.line) <= _CROWDED else 2.4
        axes.plot(*zip(*each.line, strict=True), color=color, linewidth=1.8, marker=marker, markersize=mark)


def _look(number: int) -> tuple[str, str]:
    return SERIES[number % len(SERIES)], MARKERS[number % len(MARKERS)]
