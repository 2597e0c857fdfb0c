"""A table whose words stay whole: columns share the width, and where even words do not fit, each row is a block."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text


class FoldingTable(Table):
    """A table without rules. A column that may not wrap does so where the table fits in no other way."""

    def __init__(self) -> None:
        super().__init__(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table if its words fit in their columns, else its rows as blocks of named values."""
        room = options.max_width - sum(self.padding[1::2]) * len(self.columns)
        widths = _widths(self.columns, room)
        if widths is None:
            yield from self._blocks()
            return
        for column, width in zip(self.columns, widths, strict=True):
            column.width, column.no_wrap = width, column.no_wrap and width >= _longest_line(column)
        yield from super().__rich_console__(console, options)

    def _blocks(self) -> Iterator[RenderableType]:
        heads = [_plain(each.header) for each in self.columns]
        for first, *others in zip(*(each.cells for each in self.columns), strict=True):
            yield first
            for head, cell in zip(heads[1:], others, strict=True):
                if _plain(cell):
                    yield Padding(Text.assemble((f"{head}: " if head else "", "dim"), _plain(cell)), (0, 0, 0, 2))


def _widths(columns: Sequence[Column], room: int) -> list[int] | None:
    """Return the width of each column, at least its longest word; None if these do not fit."""
    most = [_longest_line(each) for each in columns]
    unbroken = [_longest_line(each) if each.no_wrap else _longest_word(each) for each in columns]
    for least in (unbroken, [_longest_word(each) for each in columns]):
        spare = room - sum(least)
        if spare >= 0:
            needed = [high - low for low, high in zip(least, most, strict=True)]
            given = min(spare, sum(needed))
            return [low + share for low, share in zip(least, _shared_out(given, needed), strict=True)]
    return None


def _shared_out(given: int, needed: Sequence[int]) -> Iterator[int]:
    """Yield the share of each, in proportion to its need; all of it is given."""
    left = sum(needed)
    for each in needed:
        share = -(-given * each // left) if left else 0
        yield share
        given, left = given - share, left - each


def _longest_line(column: Column) -> int:
    return max((cell_len(line) for text in _texts(column) for line in text.splitlines()), default=0)


def _longest_word(column: Column) -> int:
    return max((cell_len(word) for text in _texts(column) for word in text.split()), default=0)


def _texts(column: Column) -> Iterator[str]:
    return (_plain(each) for each in (column.header, *column.cells))


def _plain(cell: RenderableType) -> str:
    return cell.plain if isinstance(cell, Text) else str(cell)
