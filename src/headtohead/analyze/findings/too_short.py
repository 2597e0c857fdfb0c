"""Runs that measured for a moment only (METHOD.md 9 and 11)."""

import statistics
from collections.abc import Iterator

from headtohead.analyze.findings.whole import Whole
from headtohead.model.finding import Finding, Severity

LEAST_S = 3.0
"""What a run should measure in all its cases together (METHOD.md 11: 3 to 10 s)."""


def too_short(whole: Whole) -> Iterator[Finding]:
    """Yield a doubt for each treatment that was under load for less than 3 s a run, the median over runs.

    A batch program does its work from end to end, and says itself how long is long enough.
    """
    if whole.experiment.load.loop == "batch":
        return
    for treatment in whole.experiment.treatments:
        lengths = [
            sum(window.seconds for window in seen.windows) for seen in whole.seen if seen.run.label == treatment.label
        ]
        length_s = statistics.median(lengths) if lengths else 0.0
        if 0 < length_s < LEAST_S:
            yield Finding(
                id="too-short",
                severity=Severity.DOUBT,
                says=f"{treatment.label}: a run measured for {length_s:.2g} s (least {LEAST_S:g} s).",
                advice="Raise measure_s, or the work: what takes seconds to settle is not in these numbers.",
                evidence={"measured_s": length_s, "least_s": LEAST_S, "treatment": treatment.label},
                of=(treatment.label,),
            )
