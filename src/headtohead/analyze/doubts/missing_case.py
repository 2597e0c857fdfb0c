"""Cases that were to be walked and left no record."""

from collections.abc import Iterator

from headtohead.analyze.records import of_case, planned_cases
from headtohead.analyze.seen import RunSeen
from headtohead.model.finding import Finding, Severity
from headtohead.model.quantity import case_text


def missing_case(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each planned case of which the run holds no record."""
    records = [each.record for each in seen.cases]
    for case in planned_cases(seen.experiment):
        if not of_case(records, case):
            text = case_text(case)
            yield Finding(
                id="missing-case",
                severity=Severity.INVALID,
                says=f"no record of {text or 'the work'}",
                advice="See the logs in the run's folder.",
                evidence={"case": text},
            )
