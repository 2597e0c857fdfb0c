"""Whether the driver itself kept to its schedule, where it has one: the open loop and sessions."""

from headtohead.model.record import LoadRecord

SEND_LAG_NS = 1e6
"""99 of 100 requests leave within this of the instant at which they could."""

RATE_ERROR = 0.005
"""Share of the scheduled requests that the driver may not have issued in time."""


def has_schedule(record: LoadRecord) -> bool:
    """Tell whether requests had an instant of their own; users of a closed loop ask when they are answered."""
    return record.loop != "closed"


def send_lag_ns(record: LoadRecord) -> float | None:
    """Return by how much 99 of 100 requests left late at most, None where there is no schedule or nobody told."""
    return record.values.get("send_lag_p99_ns") if has_schedule(record) else None


def rate_error(record: LoadRecord) -> float | None:
    """Return the share of scheduled requests that were not issued in time, None where there is no schedule."""
    return record.values.get("rate_error") if has_schedule(record) else None


def driver_late(record: LoadRecord) -> bool:
    """Tell whether the driver fell behind its own schedule, so that the record is of a lower load than it says."""
    return (send_lag_ns(record) or 0.0) > SEND_LAG_NS or (rate_error(record) or 0.0) > RATE_ERROR
