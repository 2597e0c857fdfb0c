"""Results along a range: loads offered, capacities found, curves and matrices of batch records, queries."""

from collections.abc import Mapping
from dataclasses import dataclass

from headtohead.model.analysis.estimates import Estimate, Interval, Key
from headtohead.model.case import Case


@dataclass(frozen=True)
class CurvePoint:
    """One load offered to a treatment in one valid run, and how it fared; rates in requests/s, times in ns.

    ``offered_load_per_s`` is what was meant: in sessions, their rate times their calls. ``held`` is whether the
    objective did, None if none was judged; ``overload_percent`` is given past the capacity that the run had found.
    """

    run: int
    offered_load_per_s: float
    response_rate_per_s: float | None
    goodput_per_s: float | None
    response_time_p50_ns: float | None
    response_time_p99_ns: float | None
    error_share: float | None
    held: bool | None = None
    overload_percent: float | None = None


@dataclass(frozen=True)
class Searched:
    """What the search of one valid run found: its capacity, how sure that is from its own trials, and how many."""

    run: int
    capacity_per_s: float
    interval: Interval
    """Credible, of this run's trials alone; the interval of a treatment is over its runs."""
    trials: int


@dataclass(frozen=True)
class QueryTime:
    """How long one kind of query of a mix took in one case: the mean response time in ns, over valid runs."""

    query: str
    case: Case
    response_time_mean_ns: Estimate
    share: float | None = None
    """The share of the case's correct responses that are of this kind, 0 to 1; None if they were not counted."""


@dataclass(frozen=True)
class Point:
    """One point of a curve of batch records: its number in the record, and its figures over valid runs."""

    number: int
    figures: Mapping[str, Estimate]


@dataclass(frozen=True)
class PointCurve:
    """The curve of one case (``point_NN_<name>`` of its records): points of equal number mean the same in each run."""

    case: Case
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Matrix:
    """The matrix of one case (``<name>_<row>_<column>_ns`` of its records), as geometric means over ``n`` valid runs.

    ``values`` holds a line for each of ``rows``, in it a value for each of ``columns``, None if no run had one.
    ``typical_error`` is the coefficient of variation of a cell between runs, the cell in the middle.
    """

    case: Case
    name: str
    unit: str
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    values: tuple[tuple[float | None, ...], ...]
    n: int
    typical_error: float | None


@dataclass(frozen=True)
class RefusedQuantile:
    """A quantile (or a summary of one, in the case ``WHOLE_RUN``) that no treatment has a value of, and why.

    The smallest valid run of ``treatment`` sent ``had`` requests in the case, where each run needs ``needed``.
    """

    case: Case
    metric: str
    treatment: str
    needed: int
    had: int

    @property
    def key(self) -> Key:
        """What has no value."""
        return Key(self.case, self.metric)


@dataclass(frozen=True)
class NotObtained:
    """Figures that a case should have and some valid runs have not, with the program's reason."""

    case: Case
    why: str
    runs: int
