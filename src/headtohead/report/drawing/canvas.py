"""The one place that calls matplotlib: lines, marks, boxes and texts of a chart, as SVG for a page or as PNG."""

import io
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Literal

from headtohead.report.drawing.axes import Axis
from headtohead.report.drawing.chart_style import Notes
from headtohead.report.drawing.page_svg import INK, MUTED, PAPER, PRINTED

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.transforms import Transform, TransformedPath

POINTS_PER_INCH = 72.0
PNG_DPI = 192
"""2.67 pixels for each point: a chart 720 points wide has 1,920 pixels, enough for 16 cm at 300 pixels an inch."""
_PNG_LETTERS = 0.88
"""matplotlib's own font, which a PNG has, is wider than a browser's."""

Space = Literal["data", "across", "up", "px"]
"""Of a place: both by value; across by value and up by px; across by px and up by value; both by px."""
Titles = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Frame:
    """The size of a picture and where its plot is, in px from the upper left corner."""

    width: float
    height: float
    left: float
    top: float
    right: float
    bottom: float

    @property
    def inside(self) -> tuple[float, float]:
        """Width and height of the plot."""
        return self.right - self.left, self.bottom - self.top


@dataclass(frozen=True)
class Layout:
    """A chart laid out for one width: its frame, its axes (None: no values up), and what draws it."""

    frame: Frame
    across: Axis
    up: Axis | None
    paint: "Callable[[Canvas], None]"


_NONE = Notes()


@dataclass
class Canvas:
    """Collects the marks of one picture. Colors are the stand-ins of ``drawing.page_svg``."""

    axes: "Axes"
    frame: Frame
    printed: bool
    foot: float = 0.0
    """The room below the chart, in px."""
    titles: dict[str, Sequence[str]] = field(default_factory=dict)

    def line(
        self,
        xs: Sequence[float],
        ys: Sequence[float],
        color: str,
        *,
        width: float = 1.0,
        dash: tuple[float, ...] = (),
        alpha: float | None = None,
        space: Space = "data",
        title: str = "",
    ) -> None:
        """Draw a line through places; a NaN interrupts it."""
        from matplotlib.lines import Line2D  # noqa: PLC0415

        drawn = Line2D(xs, ys, color=self._ink(color), linewidth=width, alpha=alpha, solid_capstyle="butt")
        if dash:
            drawn.set_linestyle((0, dash))
        self._add(drawn, space, (title,) if title else ())

    def dots(
        self,
        xs: Sequence[float],
        ys: Sequence[float],
        color: str,
        *,
        marker: str = "o",
        size: float = 3.6,
        edge: float = 0.8,
        face: str = "",
        alpha: float | None = None,
        space: Space = "data",
        titles: Sequence[str] = (),
    ) -> None:
        """Draw marks of one kind, filled with ``face`` (``none``: hollow; empty: their color), each with its title."""
        from matplotlib.lines import Line2D  # noqa: PLC0415

        filled = self._ink(face or color)
        drawn = Line2D(
            xs,
            ys,
            linestyle="none",
            marker=marker,
            markersize=size,
            markerfacecolor=filled,
            markeredgecolor=self._ink(color),
            markeredgewidth=edge,
            alpha=alpha,
        )
        self._add(drawn, space, titles)

    def box(
        self,
        across: tuple[float, float],
        up: tuple[float, float],
        color: str,
        *,
        alpha: float | None = None,
        space: Space = "data",
        title: str = "",
    ) -> None:
        """Draw a filled box without an edge."""
        from matplotlib.patches import Rectangle  # noqa: PLC0415

        size = across[1] - across[0], up[1] - up[0]
        drawn = Rectangle(
            (across[0], up[0]), *size, facecolor=self._ink(color), edgecolor="none", linewidth=0, alpha=alpha
        )
        self._add(drawn, space, (title,) if title else ())

    def write(
        self,
        x: float,
        y: float,
        text: str,
        *,
        color: str = INK,
        size: float = 12,
        side: Literal["left", "center", "right"] = "left",
        level: Literal["center", "top", "bottom"] = "center",
        bold: bool = False,
        behind: bool = False,
        space: Space = "px",
    ) -> None:
        """Write a text literally: a dollar sign is no formula. ``behind`` puts the color of the page behind it."""
        from matplotlib.text import Text  # noqa: PLC0415

        box = {"facecolor": self._ink(PAPER), "edgecolor": "none", "pad": 1.5} if behind else None
        written = Text(
            x,
            y,
            text,
            color=self._ink(color),
            fontsize=size * (_PNG_LETTERS if self.printed else 1.0),
            horizontalalignment=side,
            verticalalignment=level,
            fontweight="bold" if bold else "normal",
            parse_math=False,
            zorder=6,
        )
        if box:
            written.set_bbox(box)
        self._add(written, space, ())

    def shapes(self, outlines: Sequence[Sequence[tuple[float, float]]], color: str, *, alpha: float) -> None:
        """Fill closed outlines, all as one shape."""
        from matplotlib.patches import PathPatch  # noqa: PLC0415
        from matplotlib.path import Path  # noqa: PLC0415

        shape = Path.make_compound_path(*(Path(each, closed=True) for each in outlines))
        self._add(PathPatch(shape, facecolor=self._ink(color), alpha=alpha, linewidth=0), "data", ())

    def rules(self, ticks: Sequence[tuple[float, str]], color: str, *, upright: bool = True) -> None:
        """Draw light rules through the whole plot at the ticks, and their labels outside of it."""
        frame = self.frame
        ends = (frame.top, frame.bottom) if upright else (frame.left, frame.right)
        places = [each for value, _ in ticks for each in (value, value, math.nan)]
        along = [each for _ in ticks for each in (*ends, math.nan)]
        if upright:
            self.line(places, along, color, width=0.8, space="across")
        else:
            self.line(along, places, color, width=0.8, space="up")
        for value, label in ticks:
            if upright:
                self.write(
                    value, frame.bottom + 5, label, color=MUTED, size=11, side="center", level="top", space="across"
                )
            else:
                self.write(frame.left - 6, value, label, color=MUTED, size=11, side="right", space="up")

    def _add(self, artist: "object", space: Space, titles: Sequence[str]) -> None:
        if titles:
            name = f"marks{len(self.titles)}"
            artist.set_gid(name)  # type: ignore[attr-defined]
            self.titles[name] = titles
        artist.set_transform(self._transform(space))  # type: ignore[attr-defined]
        artist.set_clip_on(False)  # type: ignore[attr-defined]
        artist.set_clip_path(_unused_clip())  # type: ignore[attr-defined]  # or the axes compute one
        self.axes.add_artist(artist)  # type: ignore[arg-type]

    def _transform(self, space: Space) -> "Transform":
        from matplotlib.transforms import Affine2D, blended_transform_factory  # noqa: PLC0415

        data = self.axes.transData
        if space == "data":
            return data
        turned = Affine2D().scale(1 / POINTS_PER_INCH, -1 / POINTS_PER_INCH)
        figure = self.axes.figure
        px = turned.translate(0, (self.foot + self.frame.height) / POINTS_PER_INCH) + figure.dpi_scale_trans
        if space == "px":
            return px
        return blended_transform_factory(data, px) if space == "across" else blended_transform_factory(px, data)

    def _ink(self, color: str) -> str:
        return PRINTED.get(color, color) if self.printed else color


def as_svg(layout: Layout, *, salt: str, notes: Notes = _NONE) -> tuple[str, Titles]:
    """Return the chart as matplotlib's SVG, and the titles of its marks by the ids of their groups."""
    page = io.StringIO()
    titles = _drawn(layout, page, salt=salt, notes=notes)
    return page.getvalue(), titles


def as_png(layout: Layout, *, notes: Notes = _NONE) -> bytes:
    """Return the chart as a PNG with the colors of paper."""
    page = io.BytesIO()
    _drawn(layout, page, salt="", notes=notes)
    return page.getvalue()


def _drawn(layout: Layout, page: io.StringIO | io.BytesIO, *, salt: str, notes: Notes) -> Titles:
    import matplotlib as mpl  # noqa: PLC0415  importing it takes longer than most commands

    frame = layout.frame
    figure, axes = _figure()
    whole = notes.head + frame.height + notes.foot
    figure.set_size_inches(frame.width / POINTS_PER_INCH, whole / POINTS_PER_INCH)
    wide, high = frame.inside
    below = notes.foot + frame.height - frame.bottom
    axes.set_position((frame.left / frame.width, below / whole, wide / frame.width, high / whole))
    _set_axes(axes, layout)
    printed = isinstance(page, io.BytesIO)
    canvas = Canvas(axes, frame, printed, notes.foot)
    try:
        layout.paint(canvas)
        for top, text, size in notes.rows(frame.height):
            canvas.write(2, top, text, size=size, bold=top < 0, color=INK if top < 0 else MUTED)
        if printed:
            figure.savefig(page, format="png", dpi=PNG_DPI, facecolor=PRINTED[PAPER], metadata={"Software": None})
        else:
            metadata = {"Date": None, "Creator": None, "Format": None, "Type": None}
            with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": salt}):
                figure.savefig(page, format="svg", transparent=True, metadata=metadata)
    finally:
        for each in (*axes.lines, *axes.patches, *axes.texts):
            each.remove()
    return canvas.titles


def _set_axes(axes: "Axes", layout: Layout) -> None:
    up = layout.up
    axes.set_xscale("log" if layout.across.logarithmic else "linear")
    axes.set_xlim(layout.across.low, layout.across.high)
    axes.set_yscale("log" if up and up.logarithmic else "linear")
    axes.set_ylim(*((up.low, up.high) if up else (0.0, 1.0)))


@cache
def _unused_clip() -> "TransformedPath":
    """Return a clip for marks that are not clipped: without any, each would be given one of its own."""
    from matplotlib.path import Path  # noqa: PLC0415
    from matplotlib.transforms import IdentityTransform, TransformedPath  # noqa: PLC0415

    return TransformedPath(Path.unit_rectangle(), IdentityTransform())


@cache
def _figure() -> "tuple[Figure, Axes]":
    """Return the figure that every chart is drawn on: a new one for each would take as long as the chart."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure()
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    return figure, axes
