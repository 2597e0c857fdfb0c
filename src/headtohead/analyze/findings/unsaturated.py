"""Throughput of a subject that had CPU left: what it lost is no overhead of its work (METHOD.md 9)."""

import statistics
from collections.abc import Iterator

from headtohead.analyze.findings.say import percent
from headtohead.analyze.findings.whole import Whole
from headtohead.analyze.runs.usage import subject_share
from headtohead.model.finding import Finding, Severity

FULL = 0.90
"""A subject that used less of its CPUs was held up by something else than their work."""

RATES = ("goodput_per_s", "response_rate_per_s")


def unsaturated(whole: Whole) -> Iterator[Finding]:
    """Yield a doubt for each arm of a verdict on a closed loop's throughput whose CPUs were not full in any case."""
    experiment = whole.experiment
    if experiment.load.loop != "closed" or experiment.primary.of not in RATES:
        return
    told: set[str] = set()
    for each in whole.decided():
        for label in (each.baseline, each.other):
            used = _used(whole, label)
            if used is not None and used < FULL and label not in told:
                told.add(label)
                yield Finding(
                    id="unsaturated",
                    severity=Severity.DOUBT,
                    says=f"{label} used {percent(used)} of its CPUs at most: a difference in throughput is then none "
                    "in what the work costs.",
                    advice="Read the CPU for each answer beside it; ask with more connections to fill the CPUs.",
                    evidence={"used_share": used, "limit_share": FULL, "treatment": label},
                    of=(label,),
                )


def _used(whole: Whole, label: str) -> float | None:
    """Return the share of its CPUs that a treatment used in its fullest case, the median over runs."""
    most = []
    for seen in (each for each in whole.seen if each.run.label == label):
        shares = [subject_share(case, seen.treatment) for case in seen.cases]
        known = [share for share in shares if share is not None]
        if not known or len(known) < len(shares):
            return None
        most.append(max(known))
    return statistics.median(most) if most else None
