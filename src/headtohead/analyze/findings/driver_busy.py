"""A driver that had no time left: the result may be the driver's, not the subject's."""

from collections.abc import Iterator

from headtohead.analyze.capacity import search
from headtohead.analyze.findings.say import at, percent
from headtohead.analyze.runs.usage import CaseSeen, RunSeen, driver_share, subject_share
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord

FULL = 0.95
NEARLY = 0.80


def driver_busy(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which the driver was nearly out of CPU, or was what limited a closed loop.

    A floor is there to show the harness's own limit, so being limited by the driver is its result, not a fault. Past
    the capacity of a search the driver may be as busy as it likes, so long as it keeps to its schedule.
    """
    if seen.treatment.floor:
        return
    for each in seen.cases:
        if isinstance(each.record, LoadRecord) and search.gave_in(each.record, seen.experiment.load):
            continue
        driver, subject = driver_share(each, seen.treatment), subject_share(each, seen.treatment)
        if driver is None or driver < NEARLY:
            continue
        if _closed(each) and driver >= FULL and subject is not None and subject < FULL:
            yield _limited(each, driver=driver, subject=subject)
        else:
            yield _little_left(each, driver)


def _closed(case: CaseSeen) -> bool:
    return isinstance(case.record, LoadRecord) and case.record.loop == "closed"


def _limited(case: CaseSeen, *, driver: float, subject: float) -> Finding:
    return Finding(
        id="client-limited",
        severity=Severity.INVALID,
        says=f"the driver was {percent(driver)} busy and the subject {percent(subject)}{at(case.case)}"
        f" (limit {percent(FULL)})",
        advice="Give the driver more CPUs, or the subject fewer: this measures the driver.",
        evidence={"driver_share": driver, "subject_share": subject, "limit_share": FULL, "case": case.case.text},
    )


def _little_left(case: CaseSeen, driver: float) -> Finding:
    return Finding(
        id="driver-busy",
        severity=Severity.DOUBT,
        says=f"the driver was {percent(driver)} busy{at(case.case)}: a cheaper client might show more",
        advice="Give the driver more CPUs and see whether the numbers rise.",
        evidence={"driver_share": driver, "limit_share": NEARLY, "case": case.case.text},
    )
