"""Requests that waited in the driver for a connection: the pool was the limit."""

from collections.abc import Iterator

from headtohead.analyze.capacity import search
from headtohead.analyze.findings.say import at, percent
from headtohead.analyze.runs.usage import RunSeen
from headtohead.analyze.samples.derived import queued_share
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord


def queued(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which no connection was at hand for a request; not where a load did not hold.

    Their wait is in the response time, as a user's would be, but the subject never saw them waiting.
    """
    for each in seen.cases:
        record = each.record
        if not isinstance(record, LoadRecord) or search.gave_in(record, seen.experiment.load):
            continue
        share = queued_share(record)
        if share:
            yield Finding(
                id="queued",
                severity=Severity.DOUBT,
                says=f"{percent(share)} of the requests waited in the driver for a free connection{at(each.case)}",
                advice="Raise connections under load: the most at once was the limit, not the subject.",
                evidence={"queued_share": share, "case": each.case.text},
            )
