"""The outcome of one trial of a search: the offered load, whether the objective held, and the late requests."""

from dataclasses import dataclass


@dataclass(frozen=True)
class LateRequests:
    """How many requests of a trial were later than the limit (s), and the share of them that the objective allows."""

    count: float
    of: float
    allowed_share: float
    limit_s: float


@dataclass(frozen=True)
class TrialOutcome:
    """The outcome of one trial: the offered load, whether the objective held, and the number of requests behind it.

    ``requests`` counts independent arrivals: in sessions of k calls, 1/k of the requests. ``late`` is None if no limit
    on time was counted, or if the trial failed for another reason: then only that it failed is known.
    """

    rate_per_s: float
    holds: bool
    requests: float
    late: LateRequests | None = None
