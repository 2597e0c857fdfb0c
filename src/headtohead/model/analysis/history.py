"""A history: the ratio to a pinned reference, session by session, and where its level changes."""

from dataclasses import dataclass

from headtohead.model.analysis.estimates import Estimate


@dataclass(frozen=True)
class HistoryPoint:
    """One results folder: when its first run started, and the ratio of one treatment to the reference in its blocks."""

    folder: str
    started_at: str
    ratio: Estimate
    version: str


@dataclass(frozen=True)
class LevelChange:
    """A possible change: the last folder of one level, the first of the next, and the ratio of the two levels."""

    before: str
    after: str
    ratio: float


@dataclass(frozen=True)
class HistorySeries:
    """The points of one comparison of one test, in order of time; the first change first.

    ``reference`` is the baseline with its version. ``matters`` is the margin as a ratio. ``enough`` is whether
    changes are looked for in this many points.
    """

    experiment: str
    metric: str
    reference: str
    other: str
    matters: float
    points: tuple[HistoryPoint, ...]
    levels: tuple[float, ...]
    """For each point, the mean ratio of its level."""
    changes: tuple[LevelChange, ...]
    enough: bool
