"""A chart as pages and articles use it: as SVG inside a page, and alone as SVG or PNG."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Protocol

from headtohead.report.drawing.canvas import Layout, as_png, as_svg
from headtohead.report.drawing.chart_style import NARROW, WIDE, Notes
from headtohead.report.drawing.page_svg import adopt, alone

_TITLE_MOST, _NOTE_MOST = 72, 112
"""Letters of a line of the title, and of the texts below, over the width of a chart that stands alone."""
_NONE = Notes()


class Drawable(Protocol):
    """What can be laid out at a width in px."""

    def lay_out(self, width: float) -> Layout:
        """Return the layout at this width."""
        ...


@dataclass(frozen=True)
class Chart:
    """A chart for a wide and a narrow screen, with a title and a description for those who cannot see it.

    ``name`` is unique in its page and begins with a letter: ids in the page and files of charts have it.
    """

    name: str
    title: str
    description: str
    on_wide: Drawable
    on_narrow: Drawable

    @property
    def wide(self) -> str:
        """The chart for a wide screen, as an ``svg`` element for a page."""
        return self._adopted(self.on_wide, f"{self.name}w", WIDE, pointed=True)

    @property
    def narrow(self) -> str:
        """The chart for a narrow screen, as an ``svg`` element for a page; its marks have no titles to point at."""
        return self._adopted(self.on_narrow, f"{self.name}n", NARROW, pointed=False)

    def svg(self, *below: str) -> str:
        """Return the chart as an SVG file of its own: the colors of paper, its title above, these texts below it."""
        return alone(self._adopted(self.on_wide, f"{self.name}w", WIDE, pointed=True, notes=self._notes(below)))

    def png(self, *below: str) -> bytes:
        """Return the chart as a PNG file of its own, with the same texts."""
        return as_png(self.on_wide.lay_out(WIDE), notes=self._notes(below))

    def _notes(self, below: Sequence[str]) -> Notes:
        title = self.title[:1].upper() + self.title[1:]
        return Notes(tuple(wrap(title, _TITLE_MOST)), tuple(line for each in below for line in wrap(each, _NOTE_MOST)))

    def _adopted(self, drawable: Drawable, prefix: str, width: float, *, pointed: bool, notes: Notes = _NONE) -> str:
        drawn, titles = as_svg(drawable.lay_out(width), salt=self.name, notes=notes)
        shown = titles if pointed else {}
        return adopt(drawn, prefix=prefix, title=self.title, description=self.description, titles=shown)


def same_on_both(drawable: Drawable, *, name: str, title: str, description: str) -> Chart:
    """Return a chart that needs no other axis on a narrow screen."""
    return Chart(name, title, description, drawable, drawable)


@dataclass(frozen=True)
class Boxes:
    """A drawing of boxes (``drawing.box_drawing``), which is no chart: whole ``svg`` elements for both screens."""

    wide: str
    narrow: str
