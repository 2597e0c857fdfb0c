"""What our own monitors and Python cost while a case was measured."""

from collections.abc import Iterator

from headtohead.analyze.findings.say import at, percent
from headtohead.analyze.runs.usage import RunSeen
from headtohead.model.finding import Finding, Severity

LIMIT_CPUS = 0.02


def harness(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which the harness used more than 2 % of a CPU."""
    for each in seen.cases:
        used = each.cpus(each.cpu.harness)
        if used is not None and used > LIMIT_CPUS:
            yield Finding(
                id="harness-busy",
                severity=Severity.DOUBT,
                says=f"the harness itself used {percent(used)} of a CPU{at(each.case)} (limit {percent(LIMIT_CPUS)})",
                advice="Read fewer monitors, or less often.",
                evidence={"harness_cpus": used, "limit_cpus": LIMIT_CPUS, "case": each.case.text},
            )
