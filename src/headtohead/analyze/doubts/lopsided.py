"""Runs struck in one arm far more often than in the others: then what is left is no fair sample (METHOD.md 9)."""

from collections.abc import Iterator

from headtohead.analyze.doubts.whole import Whole
from headtohead.model.finding import Finding, Severity

LEAST = 4
"""Fewer struck runs fall as unevenly by chance."""
TIMES = 2
"""The worst arm may have at most so many times as many as the arm that has fewest."""


def lopsided(whole: Whole) -> Iterator[Finding]:
    """Yield a finding when one treatment lost over twice as many runs to the rules as another, at least 4 in all."""
    struck = {each.label: 0 for each in whole.experiment.treatments if not each.floor}
    for each in whole.runs:
        if each.run.status == "invalid" and each.run.label in struck:
            struck[each.run.label] += 1
    if len(struck) < 2 or sum(struck.values()) < LEAST:
        return
    most, least = max(struck, key=lambda label: struck[label]), min(struck, key=lambda label: struck[label])
    if struck[most] > TIMES * struck[least]:
        yield Finding(
            id="lopsided",
            severity=Severity.DOUBT,
            says=f"{struck[most]} runs of {most} were struck, and {struck[least]} of {least}: the rules do not look at "
            "results, but what struck them may come with one arm.",
            advice="Look at the reasons of the struck runs; where the subject itself causes them, change the load.",
            evidence={"most": struck[most], "least": struck[least], "treatment": most},
        )
