"""A trial of a search for the capacity, and how long it lasts at a rate: the forecast counts on the same."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from headtohead.model.case import Case
from headtohead.model.study.workload import Load

ERRORS = "error_share"
"""The field of an objective that limits errors; all others limit quantiles of the response time."""

SETTLED = 2.0
"""A trial shows the long run if it has this many times (limit x rate)^2 requests.

In a queue near saturation, a limit of w service times is felt after some w^2 of them.
"""

REQUESTS = 2000
"""A trial lasts its shortest time or until this many requests are due, whichever is longer."""

LONGEST_S = 60.0
"""A trial of a slow server ends after this, with fewer requests."""

WAITING = 500
"""A time limit may bind before the server is saturated if fewer requests than this arrive within it.

In M/M/1 the capacity is then 1 % or more below saturation.
"""

QUEUED = (8_000, 16_000)
"""Fewest and most requests of a trial then: late ones come in groups, and a queue takes long to settle (ADR 27)."""

USERS = (16, 64)
"""A closed loop that keeps a server busy has four users a CPU, within these."""

QUEUED_S = 30.0
"""A trial is not made longer than this to have that many requests."""

SETTLING = 0.25
"""Its warm-up is at least this share of it: it starts on an idle server, without a queue."""


@dataclass(frozen=True)
class Trial:
    """What a search does next: one load on the server, already running and idle.

    ``case`` is the name of its record: ``{"trial": 1, "connections": 16}`` for a closed-loop probe,
    ``{"trial": 2, "rate_per_s": 812.5}`` for a rate tried, ``{"overload_percent": 125, "rate_per_s": 1010.0}`` for one
    past the capacity. ``rate_per_s`` counts what the loop's rate counts: requests (open), sessions (sessions).
    """

    case: Case
    loop: Literal["closed", "open", "sessions"]
    warm_up_s: float
    measure_s: float
    drains: bool
    """Whether the driver waits for requests in flight at the end; an overloaded server would take too long."""
    settles: bool = False
    """Whether it only keeps the server busy for its time: without think time, whatever number of requests that is."""


def late_after_ns(objective: Mapping[str, float]) -> float | None:
    """Return the response time above which the driver counts a request as late: the smallest limit of the objective."""
    return min((limit for name, limit in objective.items() if name != ERRORS), default=None)


def calls_of(load: Load) -> int:
    """Return how many requests one arrival makes: the calls of a session, one in the open loop."""
    return int(load.settings.get("calls", 1)) if load.loop == "sessions" else 1


def users_of(cpus: int) -> int:
    """Return how many users keep a server on this number of CPUs busy: four a CPU, within ``USERS``."""
    return min(USERS[1], max(4 * cpus, USERS[0]))


def measure_s(load: Load, rate_per_s: float) -> float:
    """Return how long a trial at this rate (requests/s) is measured."""
    queued_s = min(_queued(load, rate_per_s) / rate_per_s, QUEUED_S)
    return max(load.measure_s, min(REQUESTS / rate_per_s, LONGEST_S), queued_s)


def warm_up_s(load: Load, rate_per_s: float, *, first: bool) -> float:
    """Return the warm-up of a trial; the first of a run warms the server up."""
    settling_s = SETTLING * measure_s(load, rate_per_s) if may_bind(load, rate_per_s) else 0.0
    return max(load.warm_up_s if first else filling_s(load), settling_s)


def filling_s(load: Load) -> float:
    """Return how long a new rate takes to reach a steady state: sessions with think time last longer."""
    thinking = float(load.settings.get("think_s", 0.0)) * (calls_of(load) - 1)
    return max(load.trial_warm_up_s, thinking)


def may_bind(load: Load, rate_per_s: float) -> bool:
    """Return whether the time limit may bind at this rate before the server is saturated."""
    return _queued(load, rate_per_s) > 0


def _queued(load: Load, rate_per_s: float) -> float:
    """Return how many requests a trial needs to show the long run; 0 if its time limit cannot bind."""
    waiting = (late_after_ns(load.objective) or math.inf) / 1e9 * rate_per_s
    if waiting >= WAITING:
        return 0.0
    return min(max(SETTLED * waiting**2, QUEUED[0]), QUEUED[1])
