"""The layout of text on a terminal: headings, indents, width, color. Strings only."""

from collections.abc import Iterable
from io import StringIO

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.segment import Segment, Segments
from rich.text import Text

from headtohead.model.finding import Finding
from headtohead.model.harmless_text import harmless
from headtohead.report.document import Block
from headtohead.report.document import Table as PageTable
from headtohead.report.document import Text as PageText
from headtohead.report.experiment.finding_text import finding_text as text_of
from headtohead.report.terminal.folding_table import FoldingTable

WIDTH = 100
UNBROKEN = 30
"""Row heads of up to this many letters stay on one line."""


def rendered(parts: Iterable[RenderableType], *, width: int | None = None, color: bool = False) -> str:
    """Return these parts as rich renders them, without trailing spaces; with escapes only if color is requested.

    Escapes and letters that reverse the reading direction in the parts themselves are replaced.
    """
    page = StringIO()
    console = Console(
        file=page,
        width=width or WIDTH,
        force_terminal=color,
        color_system="standard" if color else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        _environ={},
    )
    console.print(Segments(map(_harmless, console.render(Group(*parts)))))
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines()) + "\n"


def _harmless(part: Segment) -> Segment:
    return Segment(harmless(part.text), part.style, part.control)


def heading(text: str) -> Text:
    """Return a heading."""
    return Text(text, style="bold")


def indented(part: RenderableType) -> Padding:
    """Return a part, indented."""
    return Padding(part, (0, 0, 0, 2))


def columns(*heads: str, numbers: bool = False) -> FoldingTable:
    """Return an empty table without rules; with ``numbers`` all columns but the first are set to the right."""
    table = FoldingTable()
    for place, head in enumerate(heads):
        table.add_column(head, overflow="fold", justify="right" if numbers and place else "left")
    return table


def grid(table: PageTable) -> FoldingTable:
    """Return a table of the page without rules; titles of row groups become rows of their own."""
    first = next((group.rows[0].cells for group in table.groups if group.rows), ())
    numbers = [False, *(cell.number for cell in first)]
    made = FoldingTable()
    short = max((len(row.head) for group in table.groups for row in group.rows), default=0) <= UNBROKEN
    for place, (head, number) in enumerate(zip((table.corner, *table.columns), numbers, strict=True)):
        whole = short and not place
        made.add_column(head, overflow="fold", justify="right" if number else "left", no_wrap=whole)
    for group in table.groups:
        if group.title:
            made.add_row(Text(group.title, style="dim"))
        for row in group.rows:
            made.add_row(row.head, *(cell.text for cell in row.cells))
    return made


def block_parts(blocks: Iterable[Block]) -> Iterable[RenderableType]:
    """Yield the paragraphs and tables among blocks, indented; a terminal has no room for the others."""
    for each in blocks:
        if isinstance(each, PageText):
            yield indented(Text(each.text, style="dim"))
        elif isinstance(each, PageTable):
            yield indented(Text(f"{each.caption}."))
            yield indented(grid(each))
            if each.note:
                yield indented(Text(each.note, style="dim"))


def finding_paragraph(finding: Finding) -> Text:
    """Return a finding as one paragraph."""
    said = text_of(finding)
    return Text(f"{said.says} {said.advice}".rstrip())
