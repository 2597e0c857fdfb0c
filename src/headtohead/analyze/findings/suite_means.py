"""Means over kernels and cases: what they leave out, and what they hide."""

from collections.abc import Iterator, Sequence

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.verdicts.compare import metric_of
from headtohead.model.analysis.comparison import Exploratory
from headtohead.model.finding import Finding, Severity

LISTED_AT_MOST = 5
NAMED_AT_MOST = 3


def subset(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each case field with only some of the declared names: no verdict rests on their mean.

    A single name is no mean over a selection, and its name is next to its value: then it is a doubt.
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
            "this is no score of the whole.",
            advice="Measure all of them, or read each one by itself.",
            evidence={"asked": asked, "declared": declared, "field": name},
        )


def these_alone(whole: Whole) -> Iterator[Finding]:
    """Yield a doubt for each verdict on a suite whose interval for cases like these includes "no change"."""
    decided = {(each.other, each.baseline) for each in whole.decided()}
    for suite in whole.suites:
        wide = suite.like_these
        if (suite.treatment, suite.against) in decided and wide is not None and wide.low <= 1 <= wide.high:
            furthest = wide.high if suite.ratio.value < 1 else 1 / wide.low
            reverse = "reverse it" if furthest > whole.experiment.matters else "show no difference"
            yield Finding(
                id="these-alone",
                severity=Severity.DOUBT,
                says=f"The answer on {suite.treatment} against {suite.against} holds for these {len(suite.cases)} "
                f"cases only: similar ones might {reverse}.",
                advice="If you quote this, name the cases; or measure more of them.",
                evidence={"cases": len(suite.cases), "low_ratio": wide.low, "high_ratio": wide.high},
                of=(suite.against, suite.treatment),
            )


def worse_elsewhere(whole: Whole) -> Iterator[Finding]:
    """Yield a doubt for each verdict that some cases reverse, by more than the margin and beyond their intervals."""
    experiment = whole.experiment
    higher = metric_of(experiment).better == "higher"
    for each in whole.decided():
        cases = [case for case in each.exploratory if case.case and case.metric == experiment.primary.of]
        up = (each.verdict == "better") == higher
        turned = [case for case in cases if _beyond(case, up=not up, matters=experiment.matters)]
        if turned:
            ahead, behind = (each.other, each.baseline) if each.verdict == "better" else (each.baseline, each.other)
            ends = sorted(turned, key=lambda case: case.ratio.value)
            far = ends[0] if up else ends[-1]
            yield Finding(
                id="worse-elsewhere",
                severity=Severity.DOUBT,
                says=f"{ahead} is ahead overall and behind {behind} in {len(turned)} of {len(cases)} cases, "
                f"furthest in {far.case}, by {100 * abs(far.ratio.value - 1):.0f} %.",
                advice=f"Choose by your own load: {behind} is ahead {_where(turned)}.",
                evidence={"cases": len(turned), "of_cases": len(cases), "furthest": far.case.text},
                of=(each.baseline, each.other),
            )


def _where(cases: Sequence[Exploratory]) -> str:
    """Return a few cases by name, of more their number."""
    if len(cases) > NAMED_AT_MOST:
        return f"in {len(cases)} cases (see the tables)"
    *first, last = (f"in {each.case}" for each in cases)
    return f"{', '.join(first)} and {last}" if first else last


def _beyond(case: Exploratory, *, up: bool, matters: float) -> bool:
    """Return whether the whole interval of a case is beyond the margin, above or below."""
    ends = case.ratio.interval
    return ends is not None and (ends.low > matters if up else ends.high < 1 / matters)
