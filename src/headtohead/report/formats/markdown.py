"""A document as Markdown: the same content in the same order, without the charts."""

import re
from collections.abc import Iterable, Iterator
from typing import assert_never

from headtohead.report.document import (
    Block,
    Card,
    Document,
    Entry,
    Figure,
    Findings,
    FindingText,
    Fold,
    Frames,
    Heading,
    Items,
    Row,
    Section,
    Table,
    Terms,
    Text,
    Verdict,
)
from headtohead.report.text.names import CODE_WORDS

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&])")


def render(page: Document) -> str:
    """Return the whole page as Markdown; the same document gives the same bytes."""
    parts = [f"# {escaped(page.title)}", "  \n".join(map(escaped, page.head))]
    if page.warning:
        parts.extend(_block(page.warning))
    for section in page.every_section:
        parts.extend(_section(section))
    return "\n\n".join(part for part in parts if part) + "\n"


def escaped(text: str) -> str:
    r"""Return text that Markdown shows as it is, on one line: no markup but of what is to be typed, no HTML.

    >>> print(escaped("a|b <script>, see `headtohead run`"))
    a\|b \<script\>, see `headtohead run`
    """
    parts = enumerate(CODE_WORDS.split(" ".join(text.split())))
    return "".join(f"`{part}`" if at % 2 else _SPECIAL.sub(r"\\\1", part) for at, part in parts)


def _section(section: Section) -> Iterator[str]:
    if section.title:
        yield f"## {escaped(section.title)}"
    yield from _blocks(section.blocks)


def _blocks(blocks: Iterable[Block]) -> Iterator[str]:
    for each in blocks:
        yield from _block(each)


def _block(block: Block) -> Iterator[str]:
    """Yield the paragraphs of a block; empty ones are left out of the page."""
    match block:
        case Text():
            yield _text(block)
        case Verdict():
            yield f"**{escaped(block.sentence)}**"
        case Heading():
            yield f"{'#' * block.level} {escaped(block.text)}"
        case Items():
            yield _items(block.lines)
        case Terms():
            yield "\n".join(f"- **{escaped(term)}**: {escaped(says)}" for term, says in block.pairs)
        case Table():
            yield "" if block.headed else f"{escaped(block.caption)}."
            yield _table(block)
        case Figure():
            yield _items(block.words)
        case Frames():
            yield escaped(block.caption)
            yield _items(f"{block.where}/{each.name}: {each.alt}" for each in block.pictures)
        case Findings():
            yield "\n".join(map(_finding, block.findings))
        case Fold():
            yield from _blocks((Heading(block.title), *block.blocks) if block.unfolded is None else block.unfolded)
        case Card():
            yield from _blocks((Heading(f"{block.title} ({block.badge})"), *block.blocks))
        case _:
            assert_never(block)


def _text(block: Text) -> str:
    if not block.text and all(each.target for each in block.spans):
        return ""
    spans = "".join(f"**{escaped(each.text)}**" if each.strong else escaped(each.text) for each in block.spans)
    space = " " if spans and block.text.startswith(" ") else ""
    return f"{spans}{space}{escaped(block.text)}"


def _finding(each: FindingText) -> str:
    evidence = f" ({escaped(each.evidence)})" if each.evidence else ""
    return f"- **{each.kind.capitalize()}:** {escaped(each.says)} {escaped(each.advice)}{evidence}"


def _items(lines: Iterable[str]) -> str:
    return "\n".join(f"- {escaped(each)}" for each in lines)


def _table(table: Table) -> str:
    """Return a table in the pipe form; titles of row groups become rows of their own."""
    first = table.groups[0].rows[0].cells if table.groups and table.groups[0].rows else ()
    rules = ["---", *("---:" if cell.number else "---" for cell in first)]
    lines = [_line([table.corner, *table.columns]), f"| {' | '.join(rules)} |"]
    for group in table.groups:
        if group.title:
            lines.append(f"| *{escaped(group.title)}* |{' |' * len(table.columns)}")
        lines.extend(
            _line([_row_head(row), *(_cell(cell) for cell in row.cells)], bold=row.mark == "decides")
            for row in group.rows
        )
    note = f"\n\n{escaped(table.note)}" if table.note else ""
    return f"{chr(10).join(lines)}{note}"


def _line(cells: list[str], *, bold: bool = False) -> str:
    head, *rest = (escaped(cell) for cell in cells)
    return f"| {f'**{head}**' if bold else head} | {' | '.join(rest)} |"


def _row_head(row: Row) -> str:
    return f"{row.head}: {row.small}" if row.small else row.head


def _cell(cell: Entry) -> str:
    if not cell.small:
        return cell.text
    return f"{cell.text} {cell.small}" if cell.number else f"{cell.text} ({cell.small})"
