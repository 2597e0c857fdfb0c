"""Interim analyses: one with more error than all of them may spend, and a time limit before the last."""

from collections.abc import Iterator

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.model import rules
from headtohead.model.finding import Finding, Severity


def loose_error(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each comparison with more error at an interim analysis than all of them may spend."""
    for each in whole.experiment.comparisons:
        most = max(each.alpha, default=0.0)
        if most > rules.ERROR:
            yield Finding(
                id="loose-error",
                severity=Severity.INVALID,
                says=f"The plan allows {100 * most:.2g} % error in one interim analysis of {each.other} against "
                f"{each.baseline}, "
                f"with {len(whole.experiment.looks)} interim analyses and {100 * rules.ERROR:g} % for all of them.",
                advice="Let `headtohead run` make the plan: the primary summary, interim analyses and error are "
                "fixed before the first run.",
                evidence={"alpha": most, "limit_alpha": rules.ERROR, "looks": len(whole.experiment.looks)},
                of=(each.baseline, each.other),
            )


def looks_cut(whole: Whole) -> Iterator[Finding]:
    """Yield a note if the time limit ended the experiment undecided."""
    if whole.stopped == "out-of-time":
        done = len({block for by_block in whole.samples.counted.values() for block in by_block})
        planned = whole.experiment.looks[-1]
        yield Finding(
            id="looks-cut",
            severity=Severity.NOTE,
            says=f"The time limit ended this experiment after {done} of up to {planned} blocks, before it was decided.",
            advice="Raise within_min for a narrower interval.",
            evidence={"blocks": done, "planned_blocks": planned},
        )
