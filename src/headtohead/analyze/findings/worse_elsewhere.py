"""A treatment that is ahead overall, and clearly behind in some of the cases (METHOD.md 9)."""

from collections.abc import Iterator

from headtohead.analyze.findings.whole import Whole
from headtohead.analyze.verdicts.compare import metric_of
from headtohead.model.analysis.comparison import Exploratory
from headtohead.model.finding import Finding, Severity


def worse_elsewhere(whole: Whole) -> Iterator[Finding]:
    """Yield a doubt for each verdict that some cases turn round, by more than the margin and beyond their intervals."""
    experiment = whole.experiment
    higher = metric_of(experiment).better == "higher"
    for each in whole.decided():
        cases = [told for told in each.exploratory if told.case and told.metric == experiment.primary.of]
        up = (each.verdict == "better") == higher
        turned = [told for told in cases if _beyond(told, up=not up, matters=experiment.matters)]
        if turned:
            ahead, behind = (each.other, each.baseline) if each.verdict == "better" else (each.baseline, each.other)
            ends = sorted(turned, key=lambda told: told.ratio.value)
            far = ends[0] if up else ends[-1]
            yield Finding(
                id="worse-elsewhere",
                severity=Severity.DOUBT,
                says=f"{ahead} is ahead overall and behind {behind} in {len(turned)} of {len(cases)} cases, "
                f"furthest in {far.case}.",
                advice="Say so beside the answer: whose work is like those cases is better served by the other.",
                evidence={"cases": len(turned), "of_cases": len(cases), "furthest": far.case.text},
                of=(each.baseline, each.other),
            )


def _beyond(told: Exploratory, *, up: bool, matters: float) -> bool:
    """Tell whether the whole interval of a case lies beyond the margin, above it or below."""
    ends = told.ratio.interval
    return ends is not None and (ends.low > matters if up else ends.high < 1 / matters)
