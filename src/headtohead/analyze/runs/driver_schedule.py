"""Whether the driver itself kept to its schedule, where it has one: the open loop and sessions."""

from headtohead.model import rules
from headtohead.model.record import LoadRecord


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
    late_ns, error = send_lag_ns(record) or 0.0, rate_error(record) or 0.0
    return late_ns > rules.SEND_LAG.limit or error > rules.RATE_ERROR.limit
