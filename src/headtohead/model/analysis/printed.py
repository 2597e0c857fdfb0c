"""What articles printed of tests of the same kind, next to an experiment."""

from collections.abc import Mapping
from dataclasses import dataclass

from headtohead.model.analysis.estimates import Estimate
from headtohead.model.external.published import Computed, Figure, PrintedFact


@dataclass(frozen=True)
class Printed:
    """What an article printed of one system, in the unit of our metric: a value a level, None if it has none."""

    system: str
    values: tuple[float | None, ...]


@dataclass(frozen=True)
class Now:
    """The values of a treatment at the same levels, None if it has no such case.

    ``counterpart`` is False if it is another program than the printed one.
    """

    treatment: str
    counterpart: bool
    estimates: tuple[Estimate | None, ...]


@dataclass(frozen=True)
class Then:
    """What an article printed of a test of the same kind as an experiment, and the experiment.

    ``levels`` are as the article names them, of the kind ``level_kind``: both empty if it names none. Nothing is
    concluded from it; ``caveat`` is what keeps the two from being the same test.
    """

    source: str
    benchmark: str
    metric: str
    level_kind: str
    levels: tuple[str, ...]
    printed: tuple[Printed, ...]
    now: tuple[Now, ...]
    caveat: str


@dataclass(frozen=True)
class PrintedChange:
    """By how many percent something was faster, as an article printed it: a text a level, None if it has none."""

    source: str
    of: str
    values: tuple[str | None, ...]


@dataclass(frozen=True)
class NowChange:
    """The ratio of two treatments at the same levels, None if it was not measured."""

    baseline: str
    other: str
    ratios: tuple[Estimate | None, ...]


@dataclass(frozen=True)
class Changes:
    """What articles printed of a change by a factor, such as more processors, and what it changed here.

    ``levels`` are of the kind ``level_kind``; the last one is empty and stands for the summary. Nothing is concluded
    from it.
    """

    factor: str
    level_kind: str
    levels: tuple[str, ...]
    printed: tuple[PrintedChange, ...]
    now: tuple[NowChange, ...]


@dataclass(frozen=True)
class CardThen:
    """The card that an article printed of a test of the same kind: from each line of it to its text."""

    source: str
    of: str
    lines: Mapping[str, str]


@dataclass(frozen=True)
class ArticleThen:
    """What the article that a study repeats printed without a counterpart in an experiment."""

    source: str
    figures: tuple[Figure, ...]
    """Of benchmarks that no workload here resembles."""
    computed: tuple[Computed, ...]
    """Percentages that are in the section of no experiment."""
    facts: tuple[PrintedFact, ...]
