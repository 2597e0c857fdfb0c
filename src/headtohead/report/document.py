"""What is on the page, in order, as text: filled once, shown as HTML and as Markdown."""

from dataclasses import dataclass

from headtohead.report.text.numbers import NOT_VISIBLE
from headtohead.report.text.verdicts import Said


@dataclass(frozen=True)
class Entry:
    """A cell of a table: what it says, what stands small beneath it, and whether it is a number."""

    text: str
    small: str = ""
    number: bool = False


@dataclass(frozen=True)
class Row:
    """A row of a table; ``mark`` is ``decides``, ``invalid``, ``failed`` or empty."""

    head: str
    cells: tuple[Entry, ...]
    small: str = ""
    mark: str = ""


@dataclass(frozen=True)
class RowGroup:
    """Rows under one head (empty: none)."""

    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Table:
    """A table: its caption, the head of its first column, the heads of the others, and groups of rows."""

    caption: str
    corner: str
    columns: tuple[str, ...]
    groups: tuple[RowGroup, ...]
    note: str = ""

    @property
    def hidden(self) -> int:
        """How many rows hold something that was not visible."""
        return sum(any(cell.text == NOT_VISIBLE for cell in row.cells) for group in self.groups for row in group.rows)

    @property
    def rows(self) -> int:
        """How many rows there are, over all groups."""
        return sum(len(group.rows) for group in self.groups)


@dataclass(frozen=True)
class Chart:
    """A chart, drawn for a wide and for a narrow screen; both are whole ``svg`` elements made by ``charts``."""

    wide: str
    narrow: str
    caption: str


@dataclass(frozen=True)
class Picture:
    """An image that a run drew: its name, its pixels each way, what it is of, and itself as a URI (or empty)."""

    name: str
    width: int
    height: int
    alt: str
    source: str


@dataclass(frozen=True)
class Frames:
    """The images of one run, side by side; ``where`` is its folder of them."""

    pictures: tuple[Picture, ...]
    caption: str
    where: str


@dataclass(frozen=True)
class Noticed:
    """A finding: its kind (note, doubt, invalid), what it says, what to do, and the numbers it rests on."""

    kind: str
    says: str
    advice: str
    evidence: str


@dataclass(frozen=True)
class Answer:
    """One experiment's answer, as it stands at the head of the page."""

    anchor: str
    name: str
    question: str
    said: tuple[Said, ...]
    floors: tuple[str, ...]
    doubts: int
    measured: tuple[str, ...] = ()
    """What each treatment came to, where nothing is compared."""
    beneath: tuple[tuple[str, str], ...] = ()
    """On page one, a term and a sentence each: what was measured, how sure that is, what limited it, what it cost."""
    doubts_told: str = ""
    """The doubts in one line."""
    caveat: str = ""
    """What must stand beside a winner: that the noise of the machine as it is now is not known; else empty."""


@dataclass(frozen=True)
class More:
    """A table that only some experiments have, with its heading and what is said before it.

    ``folded`` where few will want it.
    """

    title: str
    table: Table
    folded: bool = False
    said: tuple[str, ...] = ()


@dataclass(frozen=True)
class Section:
    """All of one experiment."""

    answer: Answer
    number: int
    workload: str
    stopped: str
    loop: str
    charts: tuple[Chart, ...]
    frames: tuple[Frames, ...]
    values: Table
    more: tuple[More, ...]
    others: Table | None
    card: Table | None
    configuration: tuple[Table, ...]
    """A table for each treatment that said what was in force, folded; what differs from the defaults comes first."""
    limits: Table | None
    each_limit: Table | None
    """The same case by case, folded; None where the first one says it all."""
    findings: tuple[Noticed, ...]
    notes: tuple[str, ...]
    meanings: tuple[tuple[str, str], ...]
    crossings: tuple[str, ...]
    """Where treatments change places as the load or the number of CPUs grows."""
    same_test: str


@dataclass(frozen=True)
class Role:
    """What follows for one who buys, tunes or runs: the role, and a sentence for each verdict that says so."""

    name: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class LeftOutLine:
    """What was left out, and why."""

    what: str
    reason: str


@dataclass(frozen=True)
class HostPage:
    """What was read about one host: tables of facts, and of the noise passport."""

    name: str
    facts: tuple[Table, ...]
    passport: Table | None
    drawn: tuple[Chart, ...]
    told: tuple[str, ...]
    """What is drawn, in words."""


@dataclass(frozen=True)
class Page:
    """The whole report."""

    title: str
    machine: str
    measured: str
    incomplete: str
    during: tuple[str, ...]
    """What went wrong during the study: first how many runs, then each that does not count."""
    method: tuple[tuple[str, str], ...]
    scope: tuple[str, ...]
    """What the intervals mean, and what noise alone does here."""
    untested: tuple[tuple[str, str], ...]
    """What this study leaves open, each with the fact that says so."""
    answers: tuple[Answer, ...]
    findings: tuple[Noticed, ...]
    sections: tuple[Section, ...]
    conclusion: tuple[Role, ...]
    left_out: tuple[LeftOutLine, ...]
    hosts: tuple[HostPage, ...]
    bench: tuple[Chart, ...]
    bench_told: tuple[str, ...]
    """Which CPUs the subject and the driver had, in words."""
    bad_runs: Table | None
    runs: tuple[Table, ...]
    runs_told: str
    reading: tuple[tuple[str, str], ...]
    repeat: str
    again: tuple[tuple[str, str], ...]
    raw_data: tuple[tuple[str, str], ...]
    """Each file of the results folder and what it holds."""
    version: str
    systems: tuple[More, ...] = ()
    """What was read of the system beside what was given, with what is not known of prices and power."""
