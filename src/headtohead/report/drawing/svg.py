"""From matplotlib's SVG to a picture that lives in a page: its colors and letters are the page's, its ids its own."""

import re
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
_SVG = "{http://www.w3.org/2000/svg}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_FAMILY = re.compile(r"font-family: [^;]+;? ?")


def adopt(drawn: str, *, prefix: str, title: str, description: str) -> str:
    """Return the picture as an ``svg`` element for a page, with a title and a description for screen readers.

    ``prefix`` must be unique in the page: all ids that the picture needs begin with it.
    """
    ElementTree.register_namespace("", _SVG.strip("{}"))
    root = ElementTree.fromstring(drawn)
    _prune(root)
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
