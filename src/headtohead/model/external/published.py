"""What articles printed, and which of it is of the same kind as a workload of ours (``reference/published``)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from headtohead.model.quantity import Better, Scalar

LEVEL = "@level@"
"""Stands for a printed level in the text of a case."""


@dataclass(frozen=True)
class Figure:
    """One printed value; ``level`` is empty where the article names none. ``metric`` says what it is, in its unit."""

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

    Printed values times ``times`` are in the unit of our metric ``of``. A printed level stands, as ``levels`` spells
    it, in the place of ``@level@`` in ``level``, which with ``where`` names the cases; of several the best is taken.
    """

    workload: str
    of: str
    benchmarks: tuple[str, ...]
    metric: str
    caveat: str
    level: str = ""
    levels: Mapping[str, str] = field(default_factory=dict)
    where: Mapping[str, Scalar] = field(default_factory=dict)
    times: float = 1.0


@dataclass(frozen=True)
class Published:
    """All that was printed: the sources' titles by name, the figures, and what is alike."""

    sources: Mapping[str, str]
    figures: tuple[Figure, ...]
    alike: tuple[Alike, ...]
