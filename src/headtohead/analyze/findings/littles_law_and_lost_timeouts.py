"""Requests that the driver counts or times wrongly: its figures contradict each other, or leave timeouts out."""

from collections.abc import Iterator

from headtohead.analyze.capacity.search_result import did_not_hold
from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.wording import at, percent
from headtohead.analyze.runs.cpu_use_by_case import RunSeen
from headtohead.analyze.runs.records_and_times_of_case import measured_enough
from headtohead.model import rules
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord


def littles_law(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which Little's law is off by over 5 %, if the load held.

    The driver counts a request that begins or ends outside the measured time for its part within. Requests that have
    not ended by then explain up to the slowest request's share of that time: where many connections take turns on a
    CPU, a few wait a thousand times the mean. A time that ended with a few requests is not checked.
    """
    for each in seen.cases:
        record = each.record
        if not isinstance(record, LoadRecord) or did_not_hold(record, seen.experiment.load):
            continue
        if not measured_enough(record, seen.experiment.load):
            continue
        error, slowest_ns = record.values.get("littles_law_error"), record.values.get("response_time_max_ns")
        if error is None or slowest_ns is None:
            continue
        limit = rules.LITTLES_LAW.limit + slowest_ns / record.elapsed_ns
        if error > limit:
            yield Finding(
                id=rules.LITTLES_LAW.id,
                severity=rules.LITTLES_LAW.then,
                says="the load generator's counts and times (requests in flight, rate times response time) differ by "
                f"{percent(error)}{at(each.case)} (limit {percent(limit)})",
                advice="Some of the load generator's figures are wrong; see its record and `h2h-load selftest`.",
                evidence={"littles_law_share": error, "limit_share": limit, "case": each.case.text},
            )


NEAR = 0.9
"""A histogram's bin may end a little before its value, and a driver's clock has ticks."""


def timeouts_dropped(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for the first case of each treatment with timeouts whose recorded times are all shorter."""
    limit_ns = NEAR * whole.experiment.load.timeout_s * 1e9
    reported: set[str] = set()
    for seen in whole.seen:
        for each in seen.cases:
            count = each.record.errors.get("timeout", 0) if isinstance(each.record, LoadRecord) else 0
            longest = each.record.values.get("response_time_max_ns") if isinstance(each.record, LoadRecord) else None
            if count and longest is not None and longest < limit_ns and seen.run.label not in reported:
                reported.add(seen.run.label)
                yield Finding(
                    id="timeouts-dropped",
                    severity=Severity.INVALID,
                    says=f"{seen.run.label}: {count} requests timed out{at(each.case)}, and the longest recorded "
                    f"time is {longest / 1e6:.0f} ms: the slowest are missing.",
                    advice="Use a driver that counts them as at least the timeout, as h2h-load does.",
                    evidence={"requests": count, "response_time_max_ns": longest, "treatment": seen.run.label},
                    of=(seen.run.label,),
                )
