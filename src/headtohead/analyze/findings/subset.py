"""Some kernels (programs, queries) of a workload in place of all: a mean over a choice is no score (METHOD.md 9)."""

from collections.abc import Iterator

from headtohead.analyze.findings.whole import Whole
from headtohead.model.finding import Finding, Severity

LISTED_AT_MOST = 5


def subset(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each case field of which some names alone were asked for: no verdict rests on their mean.

    A single one is no mean over a choice, and its name stands beside its value: then it is a doubt.
    """
    for name, missing in whole.experiment.not_asked.items():
        declared = len(whole.experiment.declared[name])
        asked = declared - len(missing)
        more = len(missing) - LISTED_AT_MOST
        listed = ", ".join(missing[:LISTED_AT_MOST]) + (f" and {more} more" if more > 0 else "")
        yield Finding(
            id="subset",
            severity=Severity.INVALID if asked > 1 else Severity.DOUBT,
            says=f"Only {asked} of the {declared} that the workload declares for {name} were measured (not {listed}): "
            "that is no score of the whole.",
            advice="Measure all of them; of a few alone read each by itself.",
            evidence={"asked": asked, "declared": declared, "field": name},
        )
