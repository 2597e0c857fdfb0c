"""What a page holds: a title and sections of blocks. A format renders blocks and knows no section."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from headtohead.report.drawing.chart import Boxes, Chart


@dataclass(frozen=True)
class Span:
    """Words inside a text: set strong, or linked to the anchor ``target``."""

    text: str
    strong: bool = False
    target: str = ""


@dataclass(frozen=True)
class Text:
    """A paragraph; ``role`` is its style, ``spans`` come before the text."""

    text: str
    role: Literal["", "about", "verdict", "behind", "behind caveat", "left-out", "warning"] = ""
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """A sentence set large; ``kind`` is the verdict, or empty if nothing is compared."""

    sentence: str
    kind: str = ""


@dataclass(frozen=True)
class Heading:
    """A heading inside a section; ``anchor`` is where links to it lead, if any do."""

    text: str
    level: Literal[3, 4] = 3
    anchor: str = ""


@dataclass(frozen=True)
class Items:
    """A list of sentences."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Terms:
    """Terms with their explanations. ``facts`` and ``files`` are set in columns, and so is ``again``: what to type."""

    pairs: tuple[tuple[str, str], ...]
    kind: Literal["", "facts", "files", "again"] = ""


@dataclass(frozen=True)
class Entry:
    """A cell of a table: its text, a small text below it, and whether it is a number."""

    text: str
    small: str = ""
    number: bool = False


@dataclass(frozen=True)
class Row:
    """A row of a table; ``mark`` is ``decides``, ``given``, ``invalid``, ``failed`` or empty."""

    head: str
    cells: tuple[Entry, ...]
    small: str = ""
    mark: str = ""


@dataclass(frozen=True)
class RowGroup:
    """Rows under one title (empty: none)."""

    title: str
    rows: tuple[Row, ...]


MOST_STACKED = 100
"""Longer tables are lists to look things up in: the name of its column at each value would double the page."""


@dataclass(frozen=True)
class Table:
    """A table: its caption, the head of its first column, the heads of the others, and groups of rows.

    ``headed`` tables follow a heading that repeats their caption: text formats leave the caption out. ``deciding`` are
    the indexes of the columns that decide, which come first after a row's head on narrow screens.
    """

    caption: str
    corner: str
    columns: tuple[str, ...]
    groups: tuple[RowGroup, ...]
    note: str = ""
    headed: bool = False
    deciding: tuple[int, ...] = ()

    @property
    def stacks(self) -> bool:
        """Whether a narrow screen shows each row as a block of named values; very long tables scroll instead."""
        return self.rows <= MOST_STACKED

    @property
    def rows(self) -> int:
        """The number of rows in all groups."""
        return sum(len(group.rows) for group in self.groups)


@dataclass(frozen=True)
class Figure:
    """A chart or a drawing of boxes, with its caption.

    ``words`` are what it shows in sentences, for formats without pictures; empty if the tables hold it.
    """

    drawing: Chart | Boxes
    caption: str
    words: tuple[str, ...] = ()

    @property
    def wide(self) -> str:
        """The drawing for a wide screen, as an ``svg`` element; it is drawn at each call."""
        return self.drawing.wide

    @property
    def narrow(self) -> str:
        """The drawing for a narrow screen, as an ``svg`` element; it is drawn at each call."""
        return self.drawing.narrow


@dataclass(frozen=True)
class Picture:
    """An image that a run drew: its name, its size in pixels, what it is of, and itself as a URI (or empty)."""

    name: str
    width: int
    height: int
    alt: str
    source: str


@dataclass(frozen=True)
class Frames:
    """The images of one run, side by side; ``where`` is the folder that holds them."""

    pictures: tuple[Picture, ...]
    caption: str
    where: str


@dataclass(frozen=True)
class FindingText:
    """A finding: its kind (note, doubt, invalid), the sentence, what to do, and the numbers it rests on."""

    kind: str
    says: str
    advice: str
    evidence: str


@dataclass(frozen=True)
class Findings:
    """A list of findings."""

    findings: tuple[FindingText, ...]


@dataclass(frozen=True)
class Fold:
    """Blocks that are shown on demand; ``count`` is the amount they hold.

    Formats that cannot fold show ``unfolded``, or the title as a heading and the blocks if it is None. ``anchor`` is
    where links to it lead, which open it. ``shown`` is whether it is open at first, within one that is not.
    """

    title: str
    blocks: "tuple[Block, ...]"
    count: str = ""
    unfolded: "tuple[Block, ...] | None" = None
    anchor: str = ""
    shown: bool = False


@dataclass(frozen=True)
class Card:
    """A question and its answer on page one; ``target`` is the section that has the rest.

    ``badge`` is the answer in a word or two, and ``kind`` its style: ``clear``, ``same``, ``open``, ``missing``, or
    ``shown`` if nothing was compared.
    """

    title: str
    target: str
    badge: str
    kind: str
    blocks: "tuple[Block, ...]"


Block = Text | Verdict | Heading | Items | Terms | Table | Figure | Frames | Findings | Fold | Card
Blocks = Iterator[Block]


@dataclass(frozen=True)
class Section:
    """A part of the page with a title of its own; ``kicker`` is its short name.

    If it is ``folded``, only its title is shown until a reader opens it; formats that cannot fold show it whole, and so
    does a printer if it is ``printed``.
    """

    title: str
    blocks: tuple[Block, ...]
    anchor: str = ""
    kicker: str = ""
    kind: Literal["", "answers", "box", "experiment"] = ""
    folded: bool = False
    printed: bool = False


@dataclass(frozen=True)
class Document:
    """A whole page. ``head`` are the lines below the title; ``opening`` comes before the contents."""

    title: str
    opening: Section
    sections: tuple[Section, ...]
    head: tuple[str, ...] = ()
    warning: Text | None = None
    contents: bool = False
    """Whether a list of the sections, with links, follows the opening."""
    generator: str = ""
    foot: str = ""

    @property
    def every_section(self) -> tuple[Section, ...]:
        """All sections in reading order."""
        return (self.opening, *self.sections)


def with_heading(title: str, table: Table | None, *sentences: str) -> Blocks:
    """Yield a heading, sentences and a table; nothing if there is no table."""
    if table:
        yield Heading(title)
        yield from map(Text, sentences)
        yield table


def folded(title: str, table: Table | None, *, count: str = "") -> Blocks:
    """Yield a table folded under its title; nothing if there is no table."""
    if table:
        yield Fold(title, (table,), count)


def every_block(blocks: Iterable[Block]) -> Blocks:
    """Yield blocks and those inside them, in reading order."""
    for each in blocks:
        yield each
        if isinstance(each, Fold | Card):
            yield from every_block(each.blocks)
