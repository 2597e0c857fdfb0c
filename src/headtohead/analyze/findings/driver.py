"""Whether the load generator, and not the subject, was the limit."""

from collections.abc import Iterator

from headtohead.analyze.capacity.goodput_past_capacity import is_overload
from headtohead.analyze.capacity.search_result import did_not_hold
from headtohead.analyze.findings.wording import at, percent
from headtohead.analyze.runs import driver_schedule
from headtohead.analyze.runs.cpu_use_by_case import CaseSeen, RunSeen, subject_share
from headtohead.analyze.runs.driver_cpu_use_and_delay import delay_shares, driver_of_subject_share, driver_shares
from headtohead.analyze.samples.derived_figures import queued_share
from headtohead.model import rules
from headtohead.model.finding import Finding, Severity
from headtohead.model.quantiles import quantile_of
from headtohead.model.record import LoadRecord

OWN_FAULTS = {"ports": "local ports", "descriptors": "file descriptors"}
"""The driver's own kinds of error (crates/load/src/fault.rs), and what it lacked."""


def driver_resources(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which requests failed because the driver lacked ports or descriptors."""
    for each in seen.cases:
        if not isinstance(each.record, LoadRecord):
            continue
        for name, faults in (each.record.drivers or {"": each.record.errors}).items():
            for fault, lacking in OWN_FAULTS.items():
                if count := int(faults.get(fault) or 0):
                    yield Finding(
                        id=rules.DRIVER_RESOURCES.id,
                        severity=rules.DRIVER_RESOURCES.then,
                        says=f"{_who(name)} ran out of {lacking} {count} times{at(each.case)}",
                        advice="Raise the load generator's limit of open files, or widen net.ipv4.ip_local_port_range.",
                        evidence={"requests": count, "case": each.case.text, **_driver(name)},
                    )


def _who(name: str) -> str:
    return f"load generator {name}" if name else "the load generator"


def _driver(name: str) -> dict[str, str]:
    """Return the evidence that names one of several drivers."""
    return {"driver": name} if name else {}


def driver_delay(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which the driver's threads waited for a CPU more than 5 % of the time."""
    for each in seen.cases:
        for name, share in delay_shares(each, seen.treatment).items():
            if share > rules.DRIVER_DELAY.limit:
                yield _kept_waiting(each, name, share)


def _kept_waiting(case: CaseSeen, name: str, share: float) -> Finding:
    return Finding(
        id=rules.DRIVER_DELAY.id,
        severity=rules.DRIVER_DELAY.then,
        says=f"{_who(name)} was kept from its CPU for {percent(share)} of the time{at(case.case)}"
        f" (limit {percent(rules.DRIVER_DELAY.limit)})",
        advice="Something else ran on the load generator's CPU; give it a CPU of its own.",
        evidence={
            "delay_share": share,
            "limit_share": rules.DRIVER_DELAY.limit,
            "case": case.case.text,
            **_driver(name),
        },
    )


def driver_busy(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which the driver was nearly out of CPU, or limited a closed loop.

    A floor shows the harness's own limit, so it may be limited by the driver. Above the capacity of a search the driver
    may be busy, as long as it keeps to its schedule.
    """
    if seen.treatment.floor:
        return
    for each in seen.cases:
        if isinstance(each.record, LoadRecord) and did_not_hold(each.record, seen.experiment.load):
            continue
        subject = subject_share(each, seen.treatment)
        for name, share in driver_shares(each, seen.treatment).items():
            if share < rules.DRIVER_BUSY.limit:
                continue
            full = _closed(each) and share >= rules.DRIVER_FULL.limit
            if full and subject is not None and subject < rules.DRIVER_FULL.limit:
                yield _limited(each, name, driver=share, subject=subject)
            else:
                yield _little_left(each, name, share)


def _closed(case: CaseSeen) -> bool:
    return isinstance(case.record, LoadRecord) and case.record.loop == "closed"


def _limited(case: CaseSeen, name: str, *, driver: float, subject: float) -> Finding:
    return Finding(
        id=rules.DRIVER_FULL.id,
        severity=rules.DRIVER_FULL.then,
        says=f"{_who(name)} was {percent(driver)} busy and the program {percent(subject)}{at(case.case)}"
        f" (limit {percent(rules.DRIVER_FULL.limit)})",
        advice="Give the load generator more CPUs, or the program fewer: this measures the load generator.",
        evidence={
            "driver_share": driver,
            "subject_share": subject,
            "limit_share": rules.DRIVER_FULL.limit,
            "case": case.case.text,
            **_driver(name),
        },
    )


def _little_left(case: CaseSeen, name: str, driver: float) -> Finding:
    who = _who(name) if name else "the load generator"
    return Finding(
        id=rules.DRIVER_BUSY.id,
        severity=rules.DRIVER_BUSY.then,
        says=f"{who} was {percent(driver)} busy{at(case.case)}; the result may be understated",
        advice="Give the load generator more CPUs and see whether the numbers rise.",
        evidence={
            "driver_share": driver,
            "limit_share": rules.DRIVER_BUSY.limit,
            "case": case.case.text,
            **_driver(name),
        },
    )


NEVER_NOTICED_NS = 50e3
"""A shorter lag is the time to wake up (METHOD.md 4.5)."""
TIMES_FROM = 2.0
"""From here on a share is read more easily as a multiple."""
IN_MS_FROM_NS = 1e6


def send_lag(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case whose requests left late: over the limit, or over 5 % of the median response time.

    Above the capacity it is only a doubt: the goodput at that overload is left out, and the run counts. Of a search,
    the share of the shortest response time that it allows is stated too: that is what a capacity depends on.
    """
    asked = [limit for metric, limit in seen.experiment.load.objective.items() if quantile_of(metric)]
    limit_ns = driver_schedule.most_late_ns(seen.experiment.load)
    for each in seen.cases:
        if not isinstance(each.record, LoadRecord):
            continue
        past, median = is_overload(each.record), each.record.values.get("response_time_p50_ns")
        for name, lag in driver_schedule.send_lags_ns(each.record).items():
            if lag > limit_ns:
                yield _late(each, name, lag, limit_ns=limit_ns, past=past)
            elif not past and median is not None and lag > max(rules.SEND_LAG_NOTICED.limit * median, NEVER_NOTICED_NS):
                yield _noticeable(each, name, lag, share=lag / median, allowed_ns=min(asked, default=None))


def _late(case: CaseSeen, name: str, lag_ns: float, *, limit_ns: float, past: bool) -> Finding:
    of = f" of load generator {name}" if name else ""
    by_objective = limit_ns > rules.SEND_LAG.limit
    return Finding(
        id=rules.SEND_LAG_OF_SEARCH.id if by_objective else rules.SEND_LAG.id,
        severity=Severity.DOUBT if past else rules.SEND_LAG.then,
        says=f"99 of 100 requests{of} left up to {lag_ns / 1e6:.1f} ms late{at(case.case)}"
        f" (limit {limit_ns / 1e6:g} ms)",
        advice="Give the load generator more CPUs, or lower the offered load: it fell behind its own schedule.",
        evidence={
            "send_lag_p99_ns": lag_ns,
            "limit_ns": limit_ns,
            "case": case.case.text,
            **_driver(name),
        },
    )


def _noticeable(case: CaseSeen, name: str, lag_ns: float, *, share: float, allowed_ns: float | None) -> Finding:
    whose = f" of load generator {name}" if name else ""
    late = f"{lag_ns / 1e3:.0f} µs" if lag_ns < IN_MS_FROM_NS else f"{lag_ns / 1e6:.2f} ms"
    much = f"{share:.1f} times" if share >= TIMES_FROM else f"{percent(share)} of"
    allowed = f" and {percent(lag_ns / allowed_ns)} of the response time allowed" if allowed_ns else ""
    return Finding(
        id=rules.SEND_LAG_NOTICED.id,
        severity=rules.SEND_LAG_NOTICED.then,
        says=f"1 of 100 requests{whose} left more than {late} late, {much} the median response time{allowed}"
        f"{at(case.case)}",
        advice="A quieter machine, or more CPUs for the load generator, might show shorter response times.",
        evidence={
            "lag_share": share,
            "limit_share": rules.SEND_LAG_NOTICED.limit,
            "send_lag_p99_ns": lag_ns,
            "case": case.case.text,
            **_driver(name),
        },
    )


def rate_error(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which more than 0.5 % of the scheduled requests were not sent in time.

    Above the capacity it is only a doubt: the goodput at that overload is left out, and the run counts.
    """
    for each in seen.cases:
        if not isinstance(each.record, LoadRecord):
            continue
        past = is_overload(each.record)
        for name, error in driver_schedule.rate_errors(each.record).items():
            if error > rules.RATE_ERROR.limit:
                yield _missed(each, name, error, past=past)


def _missed(case: CaseSeen, name: str, error: float, *, past: bool) -> Finding:
    return Finding(
        id=rules.RATE_ERROR.id,
        severity=Severity.DOUBT if past else rules.RATE_ERROR.then,
        says=f"{_who(name)} missed its offered load by {percent(error)}{at(case.case)}"
        f" (limit {percent(rules.RATE_ERROR.limit)})",
        advice="Give the load generator more CPUs, or lower the offered load: it cannot send that many requests.",
        evidence={
            "rate_error_share": error,
            "limit_share": rules.RATE_ERROR.limit,
            "case": case.case.text,
            **_driver(name),
        },
    )


def shared_driver(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which a driver on the subject's CPUs took over 5 % of the subject's CPU time."""
    for each in seen.cases:
        share = driver_of_subject_share(each, seen)
        if share is not None and share > rules.DRIVER_SHARED.limit:
            yield Finding(
                id=rules.DRIVER_SHARED.id,
                severity=rules.DRIVER_SHARED.then,
                says=f"the load generator shared the program's CPUs and took {percent(share)} of its CPU time"
                f"{at(each.case)} (limit {percent(rules.DRIVER_SHARED.limit)})",
                advice="Give the load generator a CPU of its own, or send requests that cost the server more.",
                evidence={
                    "driver_of_subject_share": share,
                    "limit_share": rules.DRIVER_SHARED.limit,
                    "case": each.case.text,
                },
            )


def queued(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which requests waited for a free connection, if the load held.

    Their wait is in the response time, as a user's would be, but the subject did not see it.
    """
    for each in seen.cases:
        record = each.record
        if not isinstance(record, LoadRecord) or did_not_hold(record, seen.experiment.load):
            continue
        share = queued_share(record)
        if share:
            yield Finding(
                id="queued",
                severity=Severity.DOUBT,
                says=f"{percent(share)} of the requests waited in the load generator for a free connection"
                f"{at(each.case)}",
                advice="Try fewer and more connections: how many there are may be the limit, not the server.",
                evidence={"queued_share": share, "case": each.case.text},
            )
