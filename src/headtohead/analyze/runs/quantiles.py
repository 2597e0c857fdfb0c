"""Which quantiles a run's requests can carry: at least 100 of them must lie beyond (METHOD.md 3.3)."""

import re

from headtohead.model.record import LoadRecord

BEYOND = 100
"""Requests that must lie beyond a quantile; fewer, and it is the tale of a handful."""

_NAMED = re.compile(r"_p(\d{2,4})_")


def quantile_of(name: str) -> float | None:
    """Return the quantile that a metric's name tells, None for any other metric.

    >>> quantile_of("response_time_p999_ns"), quantile_of("goodput_per_s")
    (0.999, None)
    """
    found = _NAMED.search(name)
    return int(found[1]) / 10 ** len(found[1]) if found else None


def carries(record: LoadRecord, name: str) -> bool:
    """Tell whether the record has requests enough for the metric of this name; true of whatever is no quantile."""
    quantile = quantile_of(name)
    if quantile is None:
        return True
    # 1e-9: 1 - 0.99 is a little more than 0.01 in binary
    return record.sent * (1 - quantile) >= BEYOND - 1e-9 * record.sent
