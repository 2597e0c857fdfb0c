"""A driver that did not issue all the requests of its schedule in time."""

from collections.abc import Iterator

from headtohead.analyze.capacity import search
from headtohead.analyze.findings.say import at, percent
from headtohead.analyze.runs.driver_schedule import RATE_ERROR
from headtohead.analyze.runs.driver_schedule import rate_error as told
from headtohead.analyze.runs.usage import RunSeen
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord


def rate_error(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which more than 0.5 % of the scheduled requests were not issued.

    Past the capacity it is a doubt only: the goodput at that overload is then left out, the run stands without it.
    """
    for each in seen.cases:
        error = told(each.record) if isinstance(each.record, LoadRecord) else None
        if error is not None and error > RATE_ERROR:
            past = isinstance(each.record, LoadRecord) and search.is_overload(each.record)
            yield Finding(
                id="client-limited",
                severity=Severity.DOUBT if past else Severity.INVALID,
                says=f"the driver missed its offered load by {percent(error)}{at(each.case)}"
                f" (limit {percent(RATE_ERROR)})",
                advice="Give the driver more CPUs, or offer less: it cannot ask as often as that.",
                evidence={"rate_error_share": error, "limit_share": RATE_ERROR, "case": each.case.text},
            )
