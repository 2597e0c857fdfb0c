"""Whether the driver kept to its schedule, if it has one: in the open loop and in sessions."""

from headtohead.model import rules
from headtohead.model.record import LoadRecord


def has_schedule(record: LoadRecord) -> bool:
    """Return whether requests had intended times; users of a closed loop send when they have a response."""
    return record.loop != "closed"


def send_lag_ns(record: LoadRecord) -> float | None:
    """Return the 99th percentile of how late requests left (ns), None if there is no schedule or no figure."""
    return record.values.get("send_lag_p99_ns") if has_schedule(record) else None


def rate_error(record: LoadRecord) -> float | None:
    """Return the share of scheduled requests that were not sent in time, None if there is no schedule."""
    return record.values.get("rate_error") if has_schedule(record) else None


def driver_late(record: LoadRecord) -> bool:
    """Return whether the driver fell behind its schedule, so that the real load was lower than the record's."""
    late_ns, error = send_lag_ns(record) or 0.0, rate_error(record) or 0.0
    return late_ns > rules.SEND_LAG.limit or error > rules.RATE_ERROR.limit
