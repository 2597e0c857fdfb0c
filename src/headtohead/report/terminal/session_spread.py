"""The spread between the sessions of a machine, as a terminal shows it."""

from collections.abc import Iterable

from rich.console import RenderableType
from rich.text import Text

from headtohead.model.machine.sessions import SessionSpreads
from headtohead.report.document import Entry, Row, RowGroup, Table
from headtohead.report.terminal.screen import block_parts, heading, rendered
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.wording import plural

FOR = (
    "`headtohead compare` uses it for a machine that was measured once: later results folders of this machine carry it."
)


def render_sessions(spreads: SessionSpreads, *, width: int | None = None, color: bool = False) -> str:
    """Return the spread between sessions as a terminal shows it."""
    return rendered(_lines(spreads), width=width, color=color)


def _lines(spreads: SessionSpreads) -> Iterable[RenderableType]:
    yield heading("How much the sessions of this machine differ")
    yield Text(f"From {plural(len(spreads.folders), 'results folder')}; those of one day are one session. {FOR}")
    rows = tuple(
        Row(
            f"{each.experiment}: {each.treatment}",
            tuple(Entry(text, number=True) for text in (share(each.spread), str(each.sessions), str(each.runs))),
        )
        for each in spreads.tests
    )
    columns = ("standard deviation between sessions", "sessions", "fewest runs of a session")
    yield from block_parts((Table("Each test", "test", columns, (RowGroup("", rows),)),))
