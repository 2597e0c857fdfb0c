"""Time that the hypervisor took from the CPUs in use."""

from collections.abc import Iterator

from headtohead.analyze.findings.say import at, percent
from headtohead.analyze.runs.usage import RunSeen
from headtohead.model.finding import Finding, Severity

LIMIT = 0.02


def steal(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which more than 2 % of the time of its CPUs was stolen."""
    for each in seen.cases:
        if each.steal_share is not None and each.steal_share > LIMIT:
            yield Finding(
                id="steal",
                severity=Severity.INVALID,
                says=f"{percent(each.steal_share)} of the CPUs in use stolen{at(each.case)} (limit {percent(LIMIT)})",
                advice="The hypervisor gave these CPUs to other guests; measure at another hour or on another machine.",
                evidence={"steal_share": each.steal_share, "limit_share": LIMIT, "case": each.case.text},
            )
