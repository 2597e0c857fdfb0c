"""Whether the objective held under one offered load: judged by counts of requests, never by a rate that was rounded."""

import math
from collections.abc import Mapping

from headtohead.model.quantiles import quantile_of
from headtohead.model.record import LoadRecord

ERRORS = "error_share"
"""The field of an objective that limits errors; all others limit quantiles of the response time."""

LONGER_THAN_ASKED = ("timeout", "unfinished")
"""Kinds of error whose requests waited longer than any limit: they are late as well as wrong."""

HALF = 0.6745
"""A normal value is as often nearer to its mean than this many standard deviations as farther away."""


def late_after_ns(objective: Mapping[str, float]) -> float | None:
    """Return the response time above which the driver counts a request as late: the smallest limit of the objective."""
    return min((limit for name, limit in objective.items() if name != ERRORS), default=None)


def passes(record: LoadRecord, objective: Mapping[str, float], *, calls: int = 1) -> bool:
    """Tell whether the objective held in this trial; ``calls`` is the number of requests of a session.

    By counts: the share of requests later than the smallest limit, other quantiles as the driver saw them, the share
    of errors, and whether completions kept up with the offered load. A trial without requests did not hold.
    """
    asked = scheduled(record)
    if asked <= 0:
        return False
    times = {name: limit for name, limit in objective.items() if name != ERRORS}
    errors = sum(record.errors.values())
    return (
        errors <= objective.get(ERRORS, 0.0) * asked
        and all(
            _in_time(record, name, limit, counted=limit == late_after_ns(objective)) for name, limit in times.items()
        )
        and keeps_up(record, calls=calls)
    )


def keeps_up(record: LoadRecord, *, calls: int = 1) -> bool:
    """Tell whether answers and errors kept up with the requests scheduled, but for chance at both ends of the trial.

    Within seconds a server at 105 % of its capacity is not late yet, but its backlog grows. At the capacity itself the
    backlog after N Poisson arrivals is a normal value of variance N without its sign. Half of such trials lie within
    ``HALF`` of its deviations, so this is the tolerance: the rate that holds in half of its trials is the capacity.
    Arrivals of k calls each scatter more, but of their work only what is due now shows: 4 k / (k + 1)^2 of N. Requests
    under way come and go as well: twice their number, once for each end.
    """
    asked = scheduled(record)
    done = (record.values.get("goodput_per_s") or 0.0) * record.elapsed_ns / 1e9 + sum(record.errors.values())
    variance = asked * 4 * calls / (calls + 1) ** 2 + 2 * _under_way(record)
    return done >= asked - HALF * math.sqrt(variance)


def scheduled(record: LoadRecord) -> float:
    """Return how many requests were intended in the window; what was sent where the driver does not tell."""
    told = record.values.get("scheduled")
    return float(record.sent) if told is None else told


def _in_time(record: LoadRecord, name: str, limit_ns: float, *, counted: bool) -> bool:
    quantile, late = quantile_of(name), record.values.get("late")
    if not counted or late is None or quantile is None:
        seen = record.values.get(name)
        return seen is not None and seen <= limit_ns
    waited = late + sum(record.errors.get(kind, 0) for kind in LONGER_THAN_ASKED)
    # 1e-9: 1 - 0.99 is a little more than 0.01 in binary
    return waited <= (1 - quantile + 1e-9) * scheduled(record)


def _under_way(record: LoadRecord) -> float:
    """Return the mean number of requests under way; by Little's law where the driver does not tell, else 0."""
    told, mean_ns = record.values.get("concurrency_mean"), record.values.get("response_time_mean_ns")
    if told is not None:
        return told
    return 0.0 if mean_ns is None else record.sent * mean_ns / record.elapsed_ns
