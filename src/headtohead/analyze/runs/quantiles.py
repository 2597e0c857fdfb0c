"""Which quantiles a run has enough requests for: at least 100 must be beyond (METHOD.md 3.3)."""

import re

from headtohead.model.record import LoadRecord

BEYOND = 100
"""The fewest requests that must be beyond a quantile."""

_NAMED = re.compile(r"_p(\d{2,4})_")


def quantile_of(name: str) -> float | None:
    """Return the quantile in a metric's name, None for any other metric.

    >>> quantile_of("response_time_p999_ns"), quantile_of("goodput_per_s")
    (0.999, None)
    """
    found = _NAMED.search(name)
    return int(found[1]) / 10 ** len(found[1]) if found else None


def carries(record: LoadRecord, name: str) -> bool:
    """Return whether the record has enough requests for this metric; true for a metric that is no quantile."""
    quantile = quantile_of(name)
    if quantile is None:
        return True
    # 1e-9: 1 - 0.99 is a little more than 0.01 in binary
    return record.sent * (1 - quantile) >= BEYOND - 1e-9 * record.sent
