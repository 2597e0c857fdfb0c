"""Little's law as a check of the driver's own books: requests under way = their rate times their response time."""

from collections.abc import Iterator

from headtohead.analyze import search
from headtohead.analyze.doubts.say import at, percent
from headtohead.analyze.seen import RunSeen
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord

LIMIT = 0.05
ENOUGH = 1000
"""Requests below which the two ends of the measured time show in the law."""

SHORT = 0.01
"""The law holds over times much longer than a request. Mostly slow ones are under way at their ends, so that the slow
ones (p99) are to be at most this share: where many connections take turns on a CPU, some wait a hundred means."""


def littles_law(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each steady case in which the law is off by over 5 %; a load that did not hold is none."""
    for each in seen.cases:
        record = each.record
        if not isinstance(record, LoadRecord) or search.gave_in(record, seen.experiment.load):
            continue
        error, slow_ns = record.values.get("littles_law_error"), record.values.get("response_time_p99_ns")
        if error is None or slow_ns is None or record.sent < ENOUGH or slow_ns > SHORT * record.elapsed_ns:
            continue
        if error > LIMIT:
            yield Finding(
                id="littles-law",
                severity=Severity.DOUBT,
                says=f"requests under way differ from rate times response time by {percent(error)}{at(each.case)}"
                f" (limit {percent(LIMIT)})",
                advice="The driver's times or counts do not fit together; see its record and `h2h-load selftest`.",
                evidence={"littles_law_share": error, "limit_share": LIMIT, "case": each.case},
            )
