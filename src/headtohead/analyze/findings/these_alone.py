"""A mean over kernels that other kernels of their kind might turn round (METHOD.md 9: sold as overall)."""

from collections.abc import Iterator

from headtohead.analyze.findings.whole import Whole
from headtohead.model.finding import Finding, Severity


def these_alone(whole: Whole) -> Iterator[Finding]:
    """Yield a doubt for each verdict on a suite whose interval for cases like these holds "no change"."""
    decided = {(each.other, each.baseline) for each in whole.decided()}
    for suite in whole.suites:
        wide = suite.like_these
        if (suite.treatment, suite.against) in decided and wide is not None and wide.low <= 1 <= wide.high:
            yield Finding(
                id="these-alone",
                severity=Severity.DOUBT,
                says=f"The answer on {suite.treatment} against {suite.against} is about these {len(suite.cases)} cases "
                "alone: others of their kind might turn it round.",
                advice="Name the cases in the claim, or measure more of them.",
                evidence={"cases": len(suite.cases), "low_ratio": wide.low, "high_ratio": wide.high},
                of=(suite.against, suite.treatment),
            )
