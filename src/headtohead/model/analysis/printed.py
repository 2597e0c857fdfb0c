"""What articles printed of tests of the same kind, next to an experiment."""

from dataclasses import dataclass

from headtohead.model.analysis.estimates import Estimate


@dataclass(frozen=True)
class Printed:
    """What an article printed of one system, in the unit of our metric: a value a level, None where it has none."""

    system: str
    values: tuple[float | None, ...]


@dataclass(frozen=True)
class Now:
    """What a treatment comes to at the same levels, None where it has no such case."""

    treatment: str
    estimates: tuple[Estimate | None, ...]


@dataclass(frozen=True)
class Then:
    """What an article printed of a test of the same kind as an experiment, and the experiment beside it.

    ``levels`` are as the article names them, of the kind ``level_kind``: both empty where it names none. Nothing is
    concluded from it; ``caveat`` says what keeps the two from being the same test.
    """

    source: str
    benchmark: str
    metric: str
    level_kind: str
    levels: tuple[str, ...]
    printed: tuple[Printed, ...]
    now: tuple[Now, ...]
    caveat: str
