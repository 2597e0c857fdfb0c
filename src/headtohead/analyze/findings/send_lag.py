"""A driver that sent its requests later than it was meant to."""

from collections.abc import Iterator

from headtohead.analyze.capacity import search
from headtohead.analyze.findings.say import at, percent
from headtohead.analyze.runs.driver_schedule import SEND_LAG_NS, send_lag_ns
from headtohead.analyze.runs.usage import CaseSeen, RunSeen
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord

NOTICED = 0.05
"""Share of the median response time that the driver's own lateness may be before it colors it."""

NEVER_NOTICED_NS = 50e3
"""Below this a lag is that of waking up (METHOD.md 4.5)."""


def send_lag(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case whose requests left late: over 1 ms, or over 5 % of the median response time.

    Past the capacity it is a doubt only: the goodput at that overload is then left out, the run stands without it.
    """
    for each in seen.cases:
        lag = send_lag_ns(each.record) if isinstance(each.record, LoadRecord) else None
        if lag is None or not isinstance(each.record, LoadRecord):
            continue
        past, median = search.is_overload(each.record), each.record.values.get("response_time_p50_ns")
        if lag > SEND_LAG_NS:
            yield _late(each, lag, past=past)
        elif not past and median is not None and lag > max(NOTICED * median, NEVER_NOTICED_NS):
            yield _noticeable(each, lag, median)


def _late(case: CaseSeen, lag_ns: float, *, past: bool) -> Finding:
    return Finding(
        id="client-limited",
        severity=Severity.DOUBT if past else Severity.INVALID,
        says=f"99 of 100 requests left up to {lag_ns / 1e6:.1f} ms late{at(case.case)}"
        f" (limit {SEND_LAG_NS / 1e6:g} ms)",
        advice="Give the driver more CPUs, or offer less: it fell behind its own schedule.",
        evidence={"send_lag_p99_ns": lag_ns, "limit_ns": SEND_LAG_NS, "case": case.case.text},
    )


def _noticeable(case: CaseSeen, lag_ns: float, median_ns: float) -> Finding:
    share = lag_ns / median_ns
    return Finding(
        id="send-lag",
        severity=Severity.DOUBT,
        says=f"the driver's own lateness (p99) is {percent(share)} of the median response time{at(case.case)}",
        advice="A cheaper client, or one with more CPUs, might show shorter response times.",
        evidence={"lag_share": share, "limit_share": NOTICED, "send_lag_p99_ns": lag_ns, "case": case.case.text},
    )
