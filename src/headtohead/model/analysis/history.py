"""A history: the ratio to a pinned reference, session by session, and where its level changes."""

from dataclasses import dataclass

from headtohead.model.analysis.comparison import Verdict
from headtohead.model.analysis.estimates import Estimate


@dataclass(frozen=True)
class HistoryPoint:
    """One results folder: when its first run started, and the ratio of one treatment to the reference in its blocks."""

    folder: str
    started_at: str
    ratio: Estimate
    version: str


@dataclass(frozen=True)
class VersionsRace:
    """The race of the versions before and after a change: its results folder, and the later one over the earlier."""

    folder: str
    verdict: Verdict
    ratio: Estimate | None


@dataclass(frozen=True)
class LevelChange:
    """A possible change: the last folder of one level, the first of the next, and the ratio of the two levels.

    ``race`` is None until the two versions have raced; ``why_not`` is why they cannot, empty if they can.
    """

    before: str
    after: str
    ratio: float
    race: VersionsRace | None = None
    why_not: str = ""

    @property
    def confirmed(self) -> bool:
        """Whether the race of the two versions has a winner, and in the direction of the change."""
        if self.race is None or self.race.ratio is None:
            return False
        decided = self.race.verdict in ("better", "worse")
        return decided and (self.race.ratio.value > 1) == (self.ratio > 1)


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
    found_soon: float | None = None
    """The ratio of two levels that 9 of 10 such series show when five points have the new one."""
