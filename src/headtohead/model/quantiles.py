"""Which quantiles a run's requests can carry: at least 100 of them must be beyond it, in every run (METHOD.md 3.3)."""

import re
from typing import Final

BEYOND: Final = 100
"""Requests that must be beyond a quantile; with fewer, a handful of requests decides its value."""

_NAMED = re.compile(r"_p(\d{2,5})(?=_|$)")


def quantile_of(metric: str) -> float | None:
    """Return the quantile that a metric's name holds, None for any other metric.

    >>> quantile_of("response_time_p999_ns"), quantile_of("goodput_per_s")
    (0.999, None)
    """
    digits = quantile_digits(metric)
    return int(digits) / 10 ** len(digits) if digits else None


def quantile_digits(metric: str) -> str:
    """Return the digits of the quantile that a metric's name holds, ``999`` for p99.9; empty for any other metric."""
    found = _NAMED.search(metric)
    return found[1] if found else ""


def needed(metric: str) -> int:
    """Return the number of requests that a run needs to carry this metric; 0 if the metric is no quantile.

    >>> needed("response_time_p99_ns"), needed("response_time_p999_ns"), needed("goodput_per_s")
    (10000, 100000, 0)
    """
    digits = quantile_digits(metric)
    if not digits:
        return 0
    whole: int = 10 ** len(digits)
    return -(-BEYOND * whole // (whole - int(digits)))


def carries(sent: int, metric: str) -> bool:
    """Return whether a run that sent this number of requests can carry a metric; always true if it is no quantile."""
    return sent >= needed(metric)
