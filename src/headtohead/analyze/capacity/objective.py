"""Whether the objective held at one offered load: judged by counts of requests, never by a rounded rate."""

import math
from collections.abc import Mapping

from headtohead.analyze.capacity.trial_outcome import LateRequests
from headtohead.model.quantiles import quantile_of
from headtohead.model.record import LoadRecord
from headtohead.model.study.trials import ERRORS, late_after_ns

LONGER_THAN_ASKED = ("timeout", "unfinished")
"""Kinds of error whose requests waited longer than any limit: they count as late as well as wrong."""

HALF = 0.6745
"""Half of all normal values are within this many standard deviations of their mean."""


def passes(record: LoadRecord, objective: Mapping[str, float], *, calls: int = 1) -> bool:
    """Return whether the objective held in this trial; ``calls`` is the number of requests of a session.

    It compares counts: requests later than the smallest limit, errors, and completions against the offered load; other
    quantiles are the driver's. A trial without requests did not hold.
    """
    return _passes(record, objective, calls=calls, counted_ns=late_after_ns(objective))


def _passes(record: LoadRecord, objective: Mapping[str, float], *, calls: int, counted_ns: float | None) -> bool:
    """Return whether it held; ``counted_ns`` is the limit beyond which the driver counted requests as late."""
    asked = scheduled(record)
    if asked <= 0:
        return False
    times = {name: limit for name, limit in objective.items() if name != ERRORS}
    errors = sum(record.errors.values())
    return (
        errors <= objective.get(ERRORS, 0.0) * asked
        and all(_in_time(record, name, limit, counted=limit == counted_ns) for name, limit in times.items())
        and keeps_up(record, calls=calls)
    )


def late_requests(record: LoadRecord, objective: Mapping[str, float], *, calls: int = 1) -> LateRequests | None:
    """Return the late requests of a trial, if the smallest limit was counted and all else held; else None."""
    limit_ns, late = late_after_ns(objective), record.values.get("late")
    counted = next((name for name, each in objective.items() if name != ERRORS and each == limit_ns), None)
    quantile = None if counted is None else quantile_of(counted)
    if limit_ns is None or late is None or quantile is None or scheduled(record) <= 0:
        return None
    others = {name: each for name, each in objective.items() if name != counted}
    if not _passes(record, others, calls=calls, counted_ns=limit_ns):
        return None
    return LateRequests(_waited(record, late), scheduled(record), 1 - quantile, limit_ns / 1e9)


def keeps_up(record: LoadRecord, *, calls: int = 1) -> bool:
    """Return whether responses and errors kept up with the scheduled requests, except for chance at both ends.

    In the first seconds a server at 105 % of its capacity is not late yet, but its backlog grows. At the capacity
    itself the backlog after N Poisson arrivals is the absolute value of a normal value of variance N. Half of such
    trials are within ``HALF`` standard deviations, so that is the tolerance: the capacity is the rate that holds in
    half of its trials. Arrivals of k calls each scatter more, but only the work due now counts: 4 k / (k + 1)^2 of N.
    Requests under way add twice their number, once for each end.
    """
    asked = scheduled(record)
    done = (record.values.get("goodput_per_s") or 0.0) * record.elapsed_ns / 1e9 + sum(record.errors.values())
    variance = asked * 4 * calls / (calls + 1) ** 2 + 2 * _under_way(record)
    return done >= asked - HALF * math.sqrt(variance)


def scheduled(record: LoadRecord) -> float:
    """Return how many requests were intended in the window; those sent if the driver did not record it."""
    due = record.values.get("scheduled")
    return float(record.sent) if due is None else due


def _in_time(record: LoadRecord, name: str, limit_ns: float, *, counted: bool) -> bool:
    quantile, late = quantile_of(name), record.values.get("late")
    if not counted or late is None or quantile is None:
        seen = record.values.get(name)
        return seen is not None and seen <= limit_ns
    # 1e-9: 1 - 0.99 is a little more than 0.01 in binary
    return _waited(record, late) <= (1 - quantile + 1e-9) * scheduled(record)


def _waited(record: LoadRecord, late: float) -> float:
    """Return how many requests were late, or never answered."""
    return late + sum(record.errors.get(kind, 0) for kind in LONGER_THAN_ASKED)


def _under_way(record: LoadRecord) -> float:
    """Return the mean number of requests under way, by Little's law if the driver did not record it, else 0."""
    recorded, mean_ns = record.values.get("concurrency_mean"), record.values.get("response_time_mean_ns")
    if recorded is not None:
        return recorded
    return 0.0 if mean_ns is None else record.sent * mean_ns / record.elapsed_ns
