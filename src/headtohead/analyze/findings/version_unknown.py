"""A treatment of which nobody can say what it was: without a version there is no baseline (METHOD.md 9)."""

from collections.abc import Iterator

from headtohead.analyze.findings.whole import Whole
from headtohead.model.finding import Finding, Severity


def version_unknown(whole: Whole) -> Iterator[Finding]:
    """Yield a doubt for each treatment that is compared and whose runs do not all name a version."""
    for treatment in whole.experiment.treatments:
        runs = whole.counting(treatment.label)
        nameless = sum(not any(text.strip() for text in each.run.versions.values()) for each in runs)
        if nameless and not treatment.floor:
            yield Finding(
                id="version-unknown",
                severity=Severity.DOUBT,
                says=f"{treatment.label}: {nameless} of {len(runs)} runs name no version of what was measured.",
                advice="Say in subject.toml how the version is asked for: [install] version.",
                evidence={"runs": nameless, "treatment": treatment.label},
                of=(treatment.label,),
            )
