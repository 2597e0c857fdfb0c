"""Whether each driver kept to its schedule, if it has one: in the open loop and in sessions."""

from collections.abc import Mapping

from headtohead.model import rules
from headtohead.model.record import LoadRecord
from headtohead.model.study.trials import late_after_ns
from headtohead.model.study.workload import Load


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


def most_late_ns(load: Load) -> float:
    """Return how late requests may leave (ns, 99th percentile): in a search by the response time that it allows.

    It allows 50 ms, say: then 2.5 ms, of which each response time has its part, move the capacity by far less than
    trials scatter (ADR 82).
    """
    allowed = late_after_ns(load.objective) if load.searches else None
    return max(rules.SEND_LAG.limit, rules.SEND_LAG_OF_SEARCH.limit * (allowed or 0.0))


def driver_late(record: LoadRecord, load: Load) -> bool:
    """Return whether a driver fell behind its schedule, so that the real load was lower than the record's."""
    late_ns, errors = send_lags_ns(record).values(), rate_errors(record).values()
    return max(late_ns, default=0.0) > most_late_ns(load) or max(errors, default=0.0) > rules.RATE_ERROR.limit
