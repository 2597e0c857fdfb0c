"""The page that compares many systems, as a terminal shows it."""

from collections.abc import Iterable

from rich.console import RenderableType
from rich.text import Text

from headtohead.model.analysis.systems import SystemsComparison
from headtohead.report.document import Document
from headtohead.report.fleet.systems_page import systems_page
from headtohead.report.terminal.screen import block_parts, heading, rendered


def render_systems(found: SystemsComparison, *, width: int | None = None, color: bool = False) -> str:
    """Return the comparison as text, ``width`` columns wide (100 if None)."""
    return rendered(_page(systems_page(found)), width=width, color=color)


def _page(page: Document) -> Iterable[RenderableType]:
    yield heading(page.title)
    yield from block_parts(page.opening.blocks)
    for each in page.sections:
        yield Text()
        yield heading(each.title)
        yield from block_parts(each.blocks)
