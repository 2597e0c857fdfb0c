"""Arms on other CPUs, where CPUs were not what was varied: the place is then compared too (METHOD.md 9)."""

from collections.abc import Iterator

from headtohead.analyze.findings.whole import Whole
from headtohead.model.finding import Finding, Severity

MOVES = ("cpus", "placement", "smt", "numa")
"""Factors that are there to change the CPUs."""


def other_cpus(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each comparison whose arms were read back on different CPUs.

    An engine in process may have the driver's CPU as well: then it is a doubt only.
    """
    for comparison, baseline, other in whole.pairs():
        if comparison.factor in MOVES:
            continue
        seen = [_cpus(whole, label) for label in (comparison.baseline, comparison.other)]
        if all(seen) and seen[0] != seen[1]:
            yield Finding(
                id="other-cpus",
                severity=Severity.DOUBT if baseline.in_process or other.in_process else Severity.INVALID,
                says=f"{comparison.baseline} ran on other CPUs than {comparison.other}: the ratio holds the difference "
                "between the places too.",
                advice="Give both the same CPUs (cpus = [N]), or make placement the factor.",
                evidence={"baseline": comparison.baseline, "other": comparison.other},
                of=(comparison.baseline, comparison.other),
            )


def _cpus(whole: Whole, label: str) -> set[str]:
    """Return the sets of CPUs that the runs of a treatment were read back on."""
    runs = whole.samples.counted.get(label, {}).values()
    return {str(each.run.read_back["cpus"]) for each in runs if each.run.read_back.get("cpus")}
