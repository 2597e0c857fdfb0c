"""Many systems compared, as a terminal shows them."""

from collections.abc import Iterable

from rich.console import RenderableType
from rich.text import Text

from headtohead.model.analysis.systems import SystemsComparison
from headtohead.report.fleet.side_by_side import SystemsPage, make_page
from headtohead.report.terminal.screen import grid, heading, indented, shown


def render_systems(found: SystemsComparison, *, width: int | None = None, color: bool = False) -> str:
    """Return the comparison as text, ``width`` columns wide (100 where None)."""
    return shown(_page(make_page(found)), width=width, color=color)


def _page(page: SystemsPage) -> Iterable[RenderableType]:
    yield heading(page.title)
    for sentence in page.said:
        yield indented(Text(sentence, style="dim"))
    for part in page.parts:
        yield Text()
        yield heading(part.title)
        yield indented(Text(f"{part.table.caption}."))
        for sentence in part.said:
            yield indented(Text(sentence, style="dim"))
        yield indented(grid(part.table))
        if part.table.note:
            yield indented(Text(part.table.note, style="dim"))
