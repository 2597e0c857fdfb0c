"""A driver on the subject's own CPUs, allowed by ``share_driver``: how much it took."""

from collections.abc import Iterator

from headtohead.analyze.findings.say import at, percent
from headtohead.analyze.runs.usage import RunSeen
from headtohead.model.finding import Finding, Severity

LIMIT = 0.05


def shared_driver(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which a driver on the subject's CPUs took over 5 % of the subject's CPU time."""
    if not seen.experiment.share_driver or not set(seen.treatment.cpus) & set(seen.treatment.driver_cpus):
        return
    for each in seen.cases:
        if each.cpu.driver is None or not each.cpu.subject:
            continue
        share = each.cpu.driver / each.cpu.subject
        if share > LIMIT:
            yield Finding(
                id="client-limited",
                severity=Severity.INVALID,
                says=f"the driver shared the subject's CPUs and took {percent(share)} of its CPU time{at(each.case)}"
                f" (limit {percent(LIMIT)})",
                advice="Give the driver a CPU of its own, or ask for dearer requests.",
                evidence={"driver_share": share, "limit_share": LIMIT, "case": each.case.text},
            )
