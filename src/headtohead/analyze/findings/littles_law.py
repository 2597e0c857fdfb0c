"""Little's law as a check of the driver's own books: requests under way = their rate times their response time."""

from collections.abc import Iterator

from headtohead.analyze.capacity import search
from headtohead.analyze.findings.say import at, percent
from headtohead.analyze.runs.records import counted_right
from headtohead.analyze.runs.usage import RunSeen
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord

LIMIT = 0.05


def littles_law(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each steady case in which the law is off by over 5 %; a load that did not hold is none.

    What is under way when the measured time begins and ends does not belong to the law, and explains as much as the
    slowest request's share of that time: where many connections take turns on a CPU, a few wait a thousand means. A
    time that a few requests ended has nothing to be held against.
    """
    for each in seen.cases:
        record = each.record
        if not isinstance(record, LoadRecord) or search.gave_in(record, seen.experiment.load):
            continue
        if not counted_right(record, seen.experiment.load):
            continue
        error, slowest_ns = record.values.get("littles_law_error"), record.values.get("response_time_max_ns")
        if error is None or slowest_ns is None:
            continue
        limit = LIMIT + slowest_ns / record.elapsed_ns
        if error > limit:
            yield Finding(
                id="littles-law",
                severity=Severity.DOUBT,
                says=f"requests under way differ from rate times response time by {percent(error)}{at(each.case)}"
                f" (limit {percent(limit)})",
                advice="The driver's times or counts do not fit together; see its record and `h2h-load selftest`.",
                evidence={"littles_law_share": error, "limit_share": limit, "case": each.case.text},
            )
