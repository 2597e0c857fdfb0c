"""A driver that others kept from its CPU."""

from collections.abc import Iterator

from headtohead.analyze.findings.say import at, percent
from headtohead.analyze.runs.usage import RunSeen, delay_share
from headtohead.model.finding import Finding, Severity

LIMIT = 0.05


def driver_delay(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which the driver's threads waited for a CPU more than 5 % of the time."""
    for each in seen.cases:
        share = delay_share(each, seen.treatment)
        if share is not None and share > LIMIT:
            yield Finding(
                id="client-limited",
                severity=Severity.INVALID,
                says=f"the driver was kept from its CPU for {percent(share)} of the time{at(each.case)}"
                f" (limit {percent(LIMIT)})",
                advice="Something else ran on the driver's CPU; give the driver one of its own.",
                evidence={"delay_share": share, "limit_share": LIMIT, "case": each.case.text},
            )
