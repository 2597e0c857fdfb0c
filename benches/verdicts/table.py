"""A line of the tables: what was simulated, the share found, and its limit."""

from dataclasses import dataclass

AT_MOST, COVERED = 0.065, 0.93
"""False winners, and intervals that hold the true value (issue bars of ADR 23)."""


@dataclass(frozen=True)
class Cell:
    """A share with its limit; a limit of None is a figure for comparison."""

    name: str
    share: float
    limit: float | None
    at_least: bool = False

    @property
    def kept(self) -> bool:
        """Whether the limit is kept."""
        if self.limit is None:
            return True
        return self.share >= self.limit if self.at_least else self.share <= self.limit

    @property
    def line(self) -> str:
        """The cell as a line of text."""
        bound = "" if self.limit is None else f"  {'at least' if self.at_least else 'at most'} {self.limit:.1%}"
        return f"{self.name:64} {self.share:6.1%}{bound}{'' if self.kept else '  NOT KEPT'}"
