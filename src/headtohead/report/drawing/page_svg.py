"""From matplotlib's SVG to a picture that lives in a page: its colors and letters are the page's, its ids its own."""

import re
from collections.abc import Mapping, Sequence
from xml.etree import ElementTree

INK, MUTED, RULE, BAND, PAPER = "#010001", "#010002", "#010003", "#010004", "#010005"
SERIES = ("#020001", "#020002", "#020003", "#020004", "#020005", "#020006")
"""Stand-ins for colors: each becomes a CSS variable, so that one picture serves light, dark and paper."""
_VARIABLES = {
    INK: "var(--ink)",
    MUTED: "var(--muted)",
    RULE: "var(--rule)",
    BAND: "var(--band)",
    PAPER: "var(--paper)",
    **{color: f"var(--series-{number})" for number, color in enumerate(SERIES, start=1)},
}
PRINTED = {
    INK: "#1f1e1b",
    MUTED: "#5d5a53",
    RULE: "#dcd8cf",
    BAND: "#efeade",
    PAPER: "#ffffff",
    **dict(zip(SERIES, ("#1f5fa8", "#b04e06", "#56646f", "#7447a0", "#0c6e73", "#a22d46"), strict=True)),
}
"""The colors on paper, by stand-in."""
_SVG = "{http://www.w3.org/2000/svg}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_ALONE = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
_FAMILY = re.compile(r"font-family: [^;]+;? ?")


def adopt(
    drawn: str, *, prefix: str, title: str, description: str, titles: Mapping[str, Sequence[str]] | None = None
) -> str:
    """Return the picture as an ``svg`` element for a page, with a title and a description for screen readers.

    ``prefix`` must be unique in the page: all ids that the picture needs begin with it. ``titles`` are what marks show
    under the pointer, by the id of their group.
    """
    ElementTree.register_namespace("", _SVG.strip("{}"))
    root = ElementTree.fromstring(drawn)
    _prune(root)
    for group in root.iter(f"{_SVG}g"):
        if found := (titles or {}).get(group.get("id", "")):
            _title(group, found)
    kept = {found for each in root.iter() for found in _referenced(each)}
    for each in root.iter():
        _adapt(each, prefix=prefix, kept=kept)
    shape = {"viewBox": root.attrib["viewBox"], "role": "img", "aria-labelledby": f"{prefix}-title {prefix}-desc"}
    root.attrib.clear()
    root.attrib.update(shape)
    for place, (tag, text) in enumerate((("title", title), ("desc", description))):
        each = ElementTree.Element(f"{_SVG}{tag}", {"id": f"{prefix}-{tag}"})
        each.text = text
        root.insert(place, each)
    return ElementTree.tostring(root, encoding="unicode")


def alone(adopted: str) -> str:
    """Return a picture of a page as a file of its own: the colors of paper, a font, a size, a white ground."""
    for stand_in, variable in _VARIABLES.items():
        adopted = adopted.replace(variable, PRINTED[stand_in])
    root = ElementTree.fromstring(adopted)
    _, _, width, height = root.attrib["viewBox"].split()
    root.attrib.update({"width": width, "height": height, "font-family": _ALONE})
    ground = {"width": width, "height": height, "fill": PRINTED[PAPER]}
    root.insert(2, ElementTree.Element(f"{_SVG}rect", ground))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _title(group: ElementTree.Element, titles: Sequence[str]) -> None:
    """Give each mark of a group its title; lines and boxes are paths, all others are used from one definition."""
    marks = [*group.iter(f"{_SVG}use")] or [each for each in group if each.tag == f"{_SVG}path"]
    for mark, text in zip(marks, titles, strict=True):
        ElementTree.SubElement(mark, f"{_SVG}title").text = text


def _prune(root: ElementTree.Element) -> None:
    """Remove metadata, style sheets that would reach the whole page, and the white space between elements."""
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{_SVG}metadata", f"{_SVG}style"):
                parent.remove(child)
        if parent.tag != f"{_SVG}text":
            parent.text = None
        parent.tail = None


def _referenced(element: ElementTree.Element) -> list[str]:
    found = [name for value in element.attrib.values() for name in _REFERENCE.findall(value)]
    return [*found, *([element.attrib[_HREF].removeprefix("#")] if _HREF in element.attrib else [])]


def _adapt(element: ElementTree.Element, *, prefix: str, kept: set[str]) -> None:
    """Prefix the ids in use and drop the others, replace colors by variables, and use the page's font."""
    attributes = dict(element.attrib)
    element.attrib.clear()
    for name, value in attributes.items():
        if name == "id":
            if value in kept:
                element.set("id", f"{prefix}-{value}")
        elif name == _HREF:
            element.set("href", f"#{prefix}-{value.removeprefix('#')}")
        elif name == "transform" and value.startswith("rotate(-0 "):
            continue
        elif name == "d":
            element.set("d", " ".join(value.split()))
        else:
            element.set(name, _REFERENCE.sub(rf"url(#{prefix}-\1)", _style(value) if name == "style" else value))


def _style(style: str) -> str:
    for color, variable in _VARIABLES.items():
        style = style.replace(color, variable)
    return _FAMILY.sub("", style)
