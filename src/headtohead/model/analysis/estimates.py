"""What a sample of runs amounts to: a value with its interval, and the values it comes from."""

import math
from dataclasses import dataclass
from typing import NamedTuple

from headtohead.model.case import Case


@dataclass(frozen=True, slots=True)
class Interval:
    """The range of values compatible with the data at ``confidence`` (0.95 for 95 %)."""

    low: float
    high: float
    confidence: float

    @property
    def log_width(self) -> float:
        """How far apart the ends of a ratio's interval are, as a logarithm; infinite if it reaches 0."""
        return math.log(self.high / self.low) if self.low > 0 else math.inf


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number computed from a sample of ``n`` runs (or blocks); the interval is None for n below 2."""

    value: float
    interval: Interval | None
    n: int


class Key(NamedTuple):
    """What a value is of: a case (``WHOLE_RUN``: the run as a whole) and the name of a metric or a summary."""

    case: Case
    metric: str


@dataclass(frozen=True)
class Measurement:
    """One value of one metric for one run: a line of ``measurements.csv``; ``case`` is empty for a run's summary."""

    experiment: str
    run: int
    block: int
    treatment: str
    status: str
    case: Case
    metric: str
    value: float


@dataclass(frozen=True)
class Cell:
    """One metric of one case (empty: the run's summary) of one treatment, over its valid runs: geometric mean."""

    case: Case
    metric: str
    estimate: Estimate

    @property
    def key(self) -> Key:
        """What the estimate is of."""
        return Key(self.case, self.metric)
