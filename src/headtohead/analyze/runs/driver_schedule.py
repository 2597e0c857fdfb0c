"""Whether each driver kept to its schedule, if it has one: in the open loop and in sessions."""

from collections.abc import Mapping

from headtohead.model import rules
from headtohead.model.record import LoadRecord


def has_schedule(record: LoadRecord) -> bool:
    """Return whether requests had intended times; users of a closed loop send when they have a response."""
    return record.loop != "closed"


def send_lags_ns(record: LoadRecord) -> Mapping[str, float]:
    """Return by driver the 99th percentile of how late requests left (ns); empty without a schedule or figure."""
    return figures(record, "send_lag_p99_ns") if has_schedule(record) else {}


def rate_errors(record: LoadRecord) -> Mapping[str, float]:
    """Return by driver the share of its scheduled requests that were not sent in time; empty without a schedule."""
    return figures(record, "rate_error") if has_schedule(record) else {}


def figures(record: LoadRecord, name: str) -> Mapping[str, float]:
    """Return a figure of each driver by its name, which is empty if one drove; those without a value are left out."""
    tables = record.drivers or {"": record.values}
    return {driver: value for driver, table in tables.items() if (value := table.get(name)) is not None}


def driver_late(record: LoadRecord) -> bool:
    """Return whether a driver fell behind its schedule, so that the real load was lower than the record's."""
    late_ns, errors = send_lags_ns(record).values(), rate_errors(record).values()
    return max(late_ns, default=0.0) > rules.SEND_LAG.limit or max(errors, default=0.0) > rules.RATE_ERROR.limit
