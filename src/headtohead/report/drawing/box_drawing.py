"""A small drawing of boxes and words, as an ``svg`` element: for what is no chart."""

import textwrap
from xml.etree import ElementTree

from headtohead.report.drawing.chart_style import LETTER

_AT = 12
"""The size in px at which a letter is ``LETTER`` wide."""


class Sheet:
    """Collects boxes and words; places and sizes are in px of a sheet ``width`` px wide, from its left upper corner."""

    def __init__(self, width: float) -> None:
        """Begin an empty sheet."""
        self.width = width
        self._elements: list[ElementTree.Element] = []

    def box(
        self,
        at: tuple[float, float],
        size: tuple[float, float],
        *,
        fill: str = "none",
        stroke: str = "var(--rule)",
        heavy: bool = False,
    ) -> None:
        """Draw a rectangle with round corners, ``heavy`` with a thick dashed edge."""
        edge = "stroke-width: 2.5; stroke-dasharray: 5 3" if heavy else "stroke-width: 1"
        names = zip(("x", "y", "width", "height"), (*at, *size), strict=True)
        shape = {name: f"{value:g}" for name, value in names}
        style = f"fill: {fill}; stroke: {stroke}; {edge}"
        self._elements.append(ElementTree.Element("rect", {**shape, "rx": "3", "style": style}))

    def write(
        self,
        at: tuple[float, float],
        text: str,
        *,
        size: int = 12,
        color: str = "var(--ink)",
        anchor: str = "start",
        bold: bool = False,
    ) -> None:
        """Write one line; ``at`` is the start of its base line, or the middle if ``anchor`` is "middle"."""
        weight = "; font-weight: 600" if bold else ""
        style = f"fill: {color}; font-size: {size}px; text-anchor: {anchor}{weight}"
        element = ElementTree.Element("text", {"x": f"{at[0]:g}", "y": f"{at[1]:g}", "style": style})
        element.text = text
        self._elements.append(element)

    def lines(self, text: str, *, size: int = 12) -> list[str]:
        """Return a text in lines that fit into the sheet."""
        letters = int(self.width / (LETTER * size / _AT))
        return textwrap.wrap(text, max(12, letters))

    def svg(self, height: float, *, prefix: str, title: str, description: str) -> str:
        """Return the drawing as an element for a page, with a title and a description for those who cannot see it.

        ``prefix`` must be unique in the page.
        """
        root = ElementTree.Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "viewBox": f"0 0 {self.width:g} {height:g}",
                "role": "img",
                "aria-labelledby": f"{prefix}-title {prefix}-desc",
            },
        )
        for tag, text in (("title", title), ("desc", description)):
            ElementTree.SubElement(root, tag, {"id": f"{prefix}-{tag}"}).text = text
        root.extend(self._elements)
        return ElementTree.tostring(root, encoding="unicode")


def width_of(text: str, *, size: int = 12) -> float:
    """Return about how wide a text is, in px."""
    return len(text) * LETTER * size / _AT
