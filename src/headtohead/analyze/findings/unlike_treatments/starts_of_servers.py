"""How servers were started: one much more slowly than the other, a start that was not timed, or none by the runs."""

import statistics
from collections.abc import Iterator

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.model.finding import Finding, Severity

TIMES = 2.0
LEAST_S = 1.0
"""A difference of less than a second is not reported."""


def start_apart(whole: Whole) -> Iterator[Finding]:
    """Yield a note if one server takes twice as long to start, and a second or more; a doubt if it was not timed.

    Batch programs and engines in process are left out: their start is in their own time, or they have none.
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
                says=f"{slow} takes {known[slow]:.1f} s to start and {fast} {known[fast]:.1f} s; start-up time is "
                "not included in any number here.",
                advice="If servers are started often, consider that as well.",
                evidence={"slow_s": known[slow], "fast_s": known[fast]},
                of=(comparison.baseline, comparison.other),
            )


def _start_s(whole: Whole, label: str) -> float | None:
    """Return the time of a start, the median over runs, in seconds; None if a run does not have it."""
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
        says=f"{label}: its start-up time was not recorded in every run.",
        advice="Measure again: work done before the measurement may be hidden in the start.",
        evidence={"treatment": label},
        of=(label,),
    )


def not_restarted(whole: Whole) -> Iterator[Finding]:
    """Yield a finding if servers ran before the study: all runs met one and the same start of each."""
    running = [
        each.label
        for each in whole.experiment.treatments
        if any(found.run.read_back.get("restarted") is False for found in whole.counting(each.label))
    ]
    if running:
        yield Finding(
            id="not-restarted",
            severity=Severity.DOUBT,
            says=f"{' and '.join(running)} already ran: no run restarted them, or set their CPUs and memory. The "
            "intervals hold for these processes; others may differ, and their age and caches are part of it.",
            advice="Let each run start its server: `headtohead race --serve`, or argv in subject.toml.",
            evidence={"treatments": len(running)},
        )
