"""A gate that gave up waiting for the machine to be quiet."""

from collections.abc import Iterator

from headtohead.analyze.findings.say import at
from headtohead.analyze.runs.usage import RunSeen
from headtohead.model.finding import Finding, Severity


def gate(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each gate after which the measurement began though the machine was not quiet."""
    for each in seen.run.gates:
        if each.get("quiet") is False:
            foreign = each.get("foreign_cpus")
            used = f"{foreign:.2f} CPU" if isinstance(foreign, int | float) else "an unknown share"
            yield Finding(
                id="not-quiet",
                severity=Severity.DOUBT,
                says=f"the machine was not quiet when the measurement began{at(str(each.get('case', '')))}: "
                f"others used {used}",
                advice="End what else runs on this machine, or measure when it is quiet.",
                evidence=dict(each),
            )
