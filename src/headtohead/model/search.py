"""A search for the capacity, step by step: each trial is chosen by the results of those before it."""

from dataclasses import dataclass
from typing import Literal

from headtohead.model.case import Case


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
