"""What articles printed, and which of it resembles a workload of ours (``reference/published``)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from headtohead.model.quantity import Better, Scalar

LEVEL = "@level@"
"""Replaced by a printed level in the text of a case."""


@dataclass(frozen=True)
class Figure:
    """One printed value; ``level`` is empty if the article names none. ``metric`` names the quantity and its unit."""

    source: str
    benchmark: str
    system: str
    level_kind: str
    level: str
    metric: str
    value: float
    better: Better
    note: str


@dataclass(frozen=True)
class Alike:
    """Printed benchmarks of the same kind as a workload, and what keeps them from being the same (``caveat``).

    Printed values times ``times`` are in the unit of our metric ``of``. A printed level, as ``levels`` spells it,
    replaces ``@level@`` in ``level``, which names the cases together with ``where``; the best of several is used.
    ``program`` selects the setups of the program that was printed; without it all are its counterparts.
    """

    workload: str
    of: str
    benchmarks: tuple[str, ...]
    metric: str
    caveat: str
    level: str = ""
    levels: Mapping[str, str] = field(default_factory=dict)
    where: Mapping[str, Scalar] = field(default_factory=dict)
    program: Mapping[str, Scalar] = field(default_factory=dict)
    times: float = 1.0


@dataclass(frozen=True)
class Unlike:
    """Printed benchmarks that resemble no workload of ours, and why."""

    benchmarks: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Computed:
    """One value that the authors computed from what they measured; ``comparison`` names the systems."""

    source: str
    benchmark: str
    comparison: str
    level_kind: str
    level: str
    metric: str
    value: float
    better: Better
    note: str


@dataclass(frozen=True)
class PrintedFact:
    """A price, feature, setting or remark that an article printed; ``value`` is as printed."""

    source: str
    kind: str
    subject: str
    item: str
    value: str
    unit: str
    note: str


@dataclass(frozen=True)
class Gain:
    """What articles printed of a factor of tests like a workload's: percentages, computed or ``stated`` in the text.

    They are of treatments with the levels ``where``.
    """

    workload: str
    factor: str
    benchmark: str = ""
    comparisons: tuple[str, ...] = ()
    stated: tuple[str, ...] = ()
    where: Mapping[str, Scalar] = field(default_factory=dict)


@dataclass(frozen=True)
class PrintedCard:
    """Of which test (``of``) an article printed a card, and the workload that is like it at the levels ``where``."""

    workload: str
    source: str
    of: str
    where: Mapping[str, Scalar] = field(default_factory=dict)


@dataclass(frozen=True)
class Published:
    """All that was printed: the sources' titles by name, the figures, and what resembles our workloads or does not."""

    sources: Mapping[str, str]
    figures: tuple[Figure, ...]
    alike: tuple[Alike, ...]
    unlike: tuple[Unlike, ...] = ()
    computed: tuple[Computed, ...] = ()
    facts: tuple[PrintedFact, ...] = ()
    gains: tuple[Gain, ...] = ()
    cards: tuple[PrintedCard, ...] = ()
    articles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """From a source to the titles of the studies that repeat it."""
