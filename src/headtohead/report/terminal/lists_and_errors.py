"""Lists of what there is to measure, and errors, as a terminal shows them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rich.console import RenderableType
from rich.text import Text

from headtohead.model.errors import HeadToHeadError
from headtohead.report.terminal.screen import columns, heading, indented, rendered
from headtohead.report.text.verdicts import as_sentence


@dataclass(frozen=True)
class Listed:
    """A subject, workload or study in the output of ``list``: its title, and what it needs and is missing."""

    name: str
    title: str
    missing: tuple[str, ...] = ()


def render_error(
    error: HeadToHeadError, *, line: int | None = None, width: int | None = None, color: bool = False
) -> str:
    """Return an error on three lines: what went wrong (with the line of its file, if known), why, what to do."""
    where = "" if line is None else f"line {line} of "
    lines = (
        Text.assemble(("error: ", "bold red"), where, error.what),
        Text.assemble(("  why: ", "bold"), as_sentence(error.why, capital=False)),
        Text.assemble(("   do: ", "bold"), error.remedy),
    )
    return rendered(lines, width=width, color=color)


def render_list(kinds: Mapping[str, Sequence[Listed]], *, width: int | None = None, color: bool = False) -> str:
    """Return the output of ``list``: the entries of each kind ("Subjects", ...), and what is missing for each."""
    return rendered(_kinds(kinds), width=width, color=color)


def _kinds(kinds: Mapping[str, Sequence[Listed]]) -> Iterable[RenderableType]:
    for number, (kind, entries) in enumerate(kinds.items()):
        if number:
            yield Text()
        yield heading(kind)
        table = columns("name", "title", "missing")
        for each in entries:
            table.add_row(each.name, each.title, ", ".join(each.missing) or "nothing")
        yield indented(table)
