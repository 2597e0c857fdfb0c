"""Noise that a study tolerates: disturbed runs count, their findings are doubts, and no verdict is given."""

from collections.abc import Iterator

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.judge_run import is_disturbed
from headtohead.model.finding import Finding, Severity


def noise_tolerated(whole: Whole) -> Iterator[Finding]:
    """Yield a finding that forbids all verdicts if the study tolerates noise, and how many of its runs had any."""
    if not whole.experiment.tolerates_noise:
        return
    disturbed, runs = sum(map(is_disturbed, whole.seen)), len(whole.seen)
    says = (
        f"{disturbed} of {runs} runs count although others disturbed them, and nothing shows what they did to the "
        "result"
        if disturbed
        else f"none of {runs} runs had any, so without --tolerate-noise there may be a verdict"
    )
    yield Finding(
        id="noise-tolerated",
        severity=Severity.INVALID,
        says=f"Noise was tolerated: {says}.",
        advice="See by `headtohead host` what else runs here, and end it."
        if disturbed
        else "Leave out --tolerate-noise.",
        evidence={"runs": disturbed, "of_runs": runs},
    )
