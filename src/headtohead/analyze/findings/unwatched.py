"""Cases in which nobody could see what others did."""

from collections.abc import Iterator

from headtohead.analyze.findings.say import at
from headtohead.analyze.runs.usage import RunSeen
from headtohead.model.finding import Finding, Severity


def unwatched(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which the CPU of others could not be read: missing is never zero."""
    for each in seen.cases:
        if each.cpu.foreign is None:
            yield Finding(
                id="unwatched",
                severity=Severity.DOUBT,
                says=f"the CPU that others used could not be read{at(each.case)}",
                advice="See readings.csv of the run, and `headtohead host` for what is visible here.",
                evidence={"case": each.case.text},
            )
