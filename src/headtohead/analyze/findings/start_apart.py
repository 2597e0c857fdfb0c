"""What starting took, which is in no number of the measured time: said where the arms differ in it (METHOD.md 9)."""

import statistics
from collections.abc import Iterator

from headtohead.analyze.findings.whole import Whole
from headtohead.model.finding import Finding, Severity

TIMES = 2.0
LEAST_S = 1.0
"""Less than a second is worth no one's time."""


def start_apart(whole: Whole) -> Iterator[Finding]:
    """Yield a note where one server takes twice as long to start, and a second or more; a doubt where nobody timed it.

    Batch programs, and engines in process, have their start in their own time or none.
    """
    if whole.experiment.load.loop == "batch":
        return
    for comparison, baseline, other in whole.pairs():
        if baseline.in_process or other.in_process:
            continue
        took = {each.label: _start_s(whole, each.label) for each in (baseline, other) if whole.counting(each.label)}
        untold = [label for label, seconds in took.items() if seconds is None]
        for label in untold:
            yield _untold(label)
        known = {label: seconds for label, seconds in took.items() if seconds is not None}
        if len(known) == 2 and max(known.values()) >= max(TIMES * min(known.values()), LEAST_S + min(known.values())):
            slow, fast = max(known, key=lambda label: known[label]), min(known, key=lambda label: known[label])
            yield Finding(
                id="start-apart",
                severity=Severity.NOTE,
                says=f"{slow} takes {known[slow]:.1f} s to start and {fast} {known[fast]:.1f} s; no number here has it "
                "in it.",
                advice="Where servers are started often, that counts beside these numbers.",
                evidence={"slow_s": known[slow], "fast_s": known[fast]},
                of=(comparison.baseline, comparison.other),
            )


def _start_s(whole: Whole, label: str) -> float | None:
    """Return what a start took, the median over runs, in seconds; None where a run does not tell."""
    took = []
    for each in whole.counting(label):
        phases = [phase for phase in each.run.phases if phase.name == "start"]
        if not phases:
            return None
        took.append(sum(phase.to_ns - phase.from_ns for phase in phases) / 1e9)
    return statistics.median(took)


def _untold(label: str) -> Finding:
    return Finding(
        id="start-untold",
        severity=Severity.DOUBT,
        says=f"{label}: how long it took to start was not recorded in every run.",
        advice="Measure again; a start that is not told may hide work that was done beforehand.",
        evidence={"treatment": label},
        of=(label,),
    )
