"""Draws rows of points with intervals, on one axis: comparisons and values, not curves."""

import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from headtohead.report.drawing.svg import BAND, INK, MUTED, PAPER, RULE, SERIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDE, NARROW = 720.0, 350.0
LETTER = 6.4
"""Mean width of a letter at 12 px in the page's fonts, generously."""
_LINE, _HEAD, _FOOT, _GAP, _INDENT = 21.0, 4.0, 40.0, 10.0, 12.0
MARKERS = ("o", "D", "s", "^", "v", "P")
_JITTER = (0.0, 0.16, -0.16, 0.08, -0.08)
"""Points are offset in a fixed order, not at random: equal ones stay visible, and the picture is reproducible."""
POINTS_PER_INCH = 72.0


@dataclass(frozen=True)
class Line:
    """One line of a chart: a label, its value as text, points, and an estimate with its interval.

    A line without ``value`` is a heading; ``solid`` lines have a verdict or a primary value, hollow ones do not.
    ``filled`` are the indexes of points drawn full, because they are far from the others.
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

    @property
    def head(self) -> bool:
        """Whether the line is the heading of those below it."""
        return self.value is None and not self.points


@dataclass(frozen=True)
class Axis:
    """An axis: its ends, whether it is logarithmic, its ticks, and the labels at its ends and below it."""

    low: float
    high: float
    logarithmic: bool
    ticks: tuple[tuple[float, str], ...]
    ends: tuple[str, str] = ("", "")
    below: str = ""
    band: tuple[float, float] | None = None
    mark: float | None = None


@dataclass(frozen=True)
class IntervalChart:
    """A chart to draw: lines from top to bottom over one axis."""

    lines: tuple[Line, ...]
    axis: Axis
    salt: str = field(default="headtohead")


@dataclass(frozen=True)
class _Place:
    """The layout of the picture, in points of its own width."""

    width: float
    left: float
    right: float
    above: bool

    def height(self, chart: IntervalChart) -> float:
        return sum(self.step(line) for line in chart.lines) + _HEAD + _FOOT

    def step(self, line: Line) -> float:
        if line.head:
            return _LINE + _GAP / 2
        return _LINE * 1.75 if self.above else _LINE


def draw(chart: IntervalChart, *, width: float) -> str:
    """Return the chart as matplotlib's SVG, ``width`` points wide; labels that are too long go above their line."""
    import matplotlib as mpl  # noqa: PLC0415  importing it takes longer than most commands
    from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    place = _place(chart, width)
    height = place.height(chart)
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": chart.salt, "font.size": 12.0}):
        figure = Figure(figsize=(width / POINTS_PER_INCH, height / POINTS_PER_INCH))
        FigureCanvasSVG(figure)
        figure.patch.set_visible(False)
        inner = (
            place.left / width,
            _FOOT / height,
            1 - (place.left + place.right) / width,
            1 - (_HEAD + _FOOT) / height,
        )
        axes = figure.add_axes(inner)
        _frame(axes, chart.axis, span=height - _HEAD - _FOOT)
        depth = 0.0
        for line in chart.lines:
            _line(axes, line, place=place, top=depth)
            depth += place.step(line)
        page = io.StringIO()
        figure.savefig(page, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return page.getvalue()


def _place(chart: IntervalChart, width: float) -> _Place:
    told = [line for line in chart.lines if not line.head]
    labels = max((len(line.label) for line in told), default=0) * LETTER
    texts = max((len(line.text) for line in told), default=0) * LETTER
    if labels > 0.34 * width or labels + texts > (0.5 if width < WIDE else 0.75) * width:
        return _Place(width, 14.0, 14.0, above=True)
    return _Place(width, labels + _INDENT + 14.0, texts + 14.0, above=False)


def _frame(axes: "Axes", axis: Axis, *, span: float) -> None:
    """Draw the axis: light vertical rules at the ticks with labels below, nothing else."""
    axes.set_xscale("log" if axis.logarithmic else "linear")
    axes.set_xlim(axis.low, axis.high)
    axes.set_ylim(span, 0.0)
    axes.patch.set_visible(False)
    axes.xaxis.set_visible(False)
    axes.yaxis.set_visible(False)
    for edge in axes.spines.values():
        edge.set_visible(False)
    if axis.band:
        axes.axvspan(*axis.band, color=BAND, linewidth=0)
    for value, label in axis.ticks:
        axes.axvline(value, color=RULE, linewidth=0.8)
        write_text(axes, value, span + 5, label, va="top", ha="center", color=MUTED, size=11)
    if axis.mark is not None:
        axes.axvline(axis.mark, color=INK, linewidth=1.0)
    across = axes.get_yaxis_transform()
    for place, text, side in ((0.0, axis.ends[0], "left"), (1.0, axis.ends[1], "right"), (0.5, axis.below, "center")):
        if text:
            write_text(axes, place, span + 22, text, va="top", ha=side, color=MUTED, size=11, transform=across)


def write_text(axes: "Axes", x: float, y: float, text: str, **how: object) -> None:
    """Write a text literally: a dollar sign in a label is no formula."""
    axes.text(x, y, text, parse_math=False, clip_on=False, **how)  # type: ignore[arg-type]


def _line(axes: "Axes", line: Line, *, place: _Place, top: float) -> None:
    across = axes.get_yaxis_transform()
    inside = 1 / (place.width - place.left - place.right)
    middle = top + place.step(line) - _LINE / 2
    start, edge = -place.left * inside, 1 + place.right * inside
    how: dict[str, object] = {"va": "center", "color": INK, "size": 12, "transform": across}
    behind = {"facecolor": PAPER, "edgecolor": "none", "pad": 1.5}
    if line.head:
        write_text(axes, start, middle + 1, line.label, ha="left", weight="bold", bbox=behind, **how)
        return
    if place.above:
        how["bbox"] = behind
    height = middle - _LINE * 0.8 if place.above else middle
    write_text(axes, start + _INDENT * inside, height, line.label, ha="left", **how)
    write_text(axes, edge, height, line.text, ha="right", **how)
    _marks(axes, line, middle)


def _marks(axes: "Axes", line: Line, middle: float) -> None:
    """Draw the points small and hollow, the interval as a bar, the estimate as a mark on it."""
    color = SERIES[line.series % len(SERIES)]
    marker = MARKERS[line.series % len(MARKERS)]
    heights = [middle + _JITTER[number % len(_JITTER)] * _LINE * 1.6 for number in range(len(line.points))]
    for face in (color, "none"):  # all of one face at once: a mark of its own for each takes a millisecond
        drawn = [number for number in range(len(line.points)) if (number in line.filled) == (face == color)]
        if drawn:
            places = [line.points[number] for number in drawn], [heights[number] for number in drawn]
            axes.plot(*places, "o", color=face, markeredgecolor=color, markersize=3.6, markeredgewidth=0.8)
    if line.low is not None and line.high is not None:
        axes.plot([line.low, line.high], [middle, middle], color=color, linewidth=2.2, solid_capstyle="butt")
        for end in (line.low, line.high):
            axes.plot([end, end], [middle - 4, middle + 4], color=color, linewidth=1.4, solid_capstyle="butt")
    if line.value is not None:
        face = color if line.solid else PAPER
        axes.plot(
            [line.value],
            [middle],
            marker,
            color=face,
            markeredgecolor=color,
            markersize=6,
            markeredgewidth=1.4,
            zorder=5,
        )
