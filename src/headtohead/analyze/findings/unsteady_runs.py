"""Runs of one treatment that differ much from each other."""

from collections.abc import Iterator

from headtohead.analyze.findings.say import percent
from headtohead.analyze.findings.whole import Whole
from headtohead.analyze.statistics.estimate import typical_error
from headtohead.model.finding import Finding, Severity

LIMIT = 0.05


def unsteady_runs(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each treatment (floors aside) whose typical error between runs is above 5 %."""
    for treatment in whole.experiment.treatments:
        error = None if treatment.floor else typical_error(list(whole.primary(treatment.label).values()))
        if error is not None and error > LIMIT:
            yield Finding(
                id="typical-error",
                severity=Severity.DOUBT,
                says=f"{treatment.label}: the typical error between runs is {percent(error)} (limit {percent(LIMIT)}).",
                advice="Only large differences can be seen at this spread; measure on a quieter machine, or longer.",
                evidence={"typical_error_share": error, "limit_share": LIMIT, "treatment": treatment.label},
            )
