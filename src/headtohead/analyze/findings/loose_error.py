"""A plan that allows itself more false winners than 5 in 100 (METHOD.md 9: peeking, many tries)."""

from collections.abc import Iterator

from headtohead.analyze.findings.whole import Whole
from headtohead.analyze.samples.samples import ERROR
from headtohead.model.finding import Finding, Severity


def loose_error(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each comparison that has a share of the error for a look beyond what all looks may spend."""
    for each in whole.experiment.comparisons:
        most = max(each.alpha, default=0.0)
        if most > ERROR:
            yield Finding(
                id="loose-error",
                severity=Severity.INVALID,
                says=f"The plan spends {100 * most:.2g} % of error on a look at {each.other} against {each.baseline}, "
                f"with {len(whole.experiment.looks)} looks and {100 * ERROR:g} % for all of them.",
                advice="Let `headtohead run` make the plan: primary, looks and error are fixed before the first run.",
                evidence={"alpha": most, "limit_alpha": ERROR, "looks": len(whole.experiment.looks)},
                of=(each.baseline, each.other),
            )
