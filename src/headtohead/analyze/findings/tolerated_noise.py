"""Noise that a study tolerates: disturbed runs count, their findings are doubts, and no verdict is given."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from headtohead.analyze.findings.disturbances import foreign_cpu, steal
from headtohead.analyze.findings.driver import driver_delay, send_lag
from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.runs.cpu_use_by_case import RunSeen
from headtohead.model.finding import Finding, Severity

OF_NOISE: tuple[Callable[[RunSeen], Iterator[Finding]], ...] = (foreign_cpu, steal, driver_delay, send_lag)
"""The checks about what others on the machine do to a run. A driver at its own limit, and a load that was not offered,
are no noise: there another thing was measured."""


def tolerated(finding: Finding) -> Finding:
    """Return a finding of noise as a doubt."""
    return replace(finding, severity=Severity.DOUBT) if finding.severity is Severity.INVALID else finding


def noise_tolerated(whole: Whole) -> Iterator[Finding]:
    """Yield a finding that forbids all verdicts if the study tolerates noise, and how many of its runs had any."""
    if not whole.experiment.tolerates_noise:
        return
    disturbed, runs = sum(map(_is_disturbed, whole.seen)), len(whole.seen)
    count = f"{disturbed} of {runs} runs count although others disturbed them, and nothing shows what they did to the"
    none = f"none of {runs} runs had any, so without --tolerate-noise there may be a verdict"
    yield Finding(
        id="noise-tolerated",
        severity=Severity.INVALID,
        says=f"Noise was tolerated: {f'{count} result' if disturbed else none}.",
        advice="See by `headtohead host` what else runs here, and end it."
        if disturbed
        else "Leave out --tolerate-noise.",
        evidence={"runs": disturbed, "of_runs": runs},
    )


def _is_disturbed(seen: RunSeen) -> bool:
    return any(each.severity is Severity.INVALID for look in OF_NOISE for each in look(seen))
