"""Every chart of a document as files of its own, SVG and PNG, with the colors of paper: for an article or a slide."""

import re
from collections.abc import Iterator

from headtohead.report.document import Document, Figure, every_block
from headtohead.report.drawing.chart import Chart

_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")
_LONGEST = 80


def charts(page: Document) -> Iterator[tuple[str, Chart, str]]:
    """Yield each chart once: the name of its files (a number in reading order, its section, its title), its caption.

    Names have small letters, digits and hyphens only, whatever a study is called.
    """
    seen: set[str] = set()
    for section in page.every_section:
        for block in every_block(section.blocks):
            if not isinstance(block, Figure):
                continue
            drawing = block.drawing
            if isinstance(drawing, Chart) and drawing.name not in seen:
                seen.add(drawing.name)
                yield _file_name(f"{len(seen):02d} {section.kicker} {drawing.title}"), drawing, block.caption


def files(page: Document) -> Iterator[tuple[str, bytes]]:
    """Yield the files of all charts: their names, and what is in them.

    Below a chart are its caption, and where it comes from: the study, the machine, the date.
    """
    source = "; ".join((page.title, *page.head[:1], *([page.generator] if page.generator else [])))
    for name, chart, caption in charts(page):
        yield f"{name}.svg", chart.svg(caption, source).encode()
        yield f"{name}.png", chart.png(caption, source)


def _file_name(text: str) -> str:
    """Return a text as the name of a file.

    >>> _file_name("01 web/pages Correct responses per second")
    '01-web-pages-correct-responses-per-second'
    """
    return _NOT_IN_NAMES.sub("-", text.lower()).strip("-")[:_LONGEST].rstrip("-")
