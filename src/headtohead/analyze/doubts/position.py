"""Whether a run does better or worse for not being the first of its block: what one treatment leaves for the next.

Carry-over is the one thing that randomized blocks do not take out (METHOD.md 1.2).
"""

import math
import statistics
from collections.abc import Iterator

import numpy as np

from headtohead.analyze.doubts.say import percent
from headtohead.analyze.doubts.whole import ENOUGH, SURE, Whole
from headtohead.analyze.paired import t_tail
from headtohead.model.finding import Finding, Severity


def position(whole: Whole) -> Iterator[Finding]:
    """Yield a finding when later places of a block differ from the first: a paired t over blocks.

    Each block gives the mean residual of its later places less that of its first; two degrees of freedom go to the
    treatments' means.
    """
    steps = _steps(whole)
    if len(steps) < ENOUGH:
        return
    mean, spread = statistics.fmean(steps), statistics.stdev(steps)
    if spread == 0:
        return
    p = t_tail(mean / (spread / math.sqrt(len(steps))), len(steps) - 2)
    if p < SURE:
        change = math.exp(mean) - 1
        yield Finding(
            id="position-effect",
            severity=Severity.DOUBT,
            says=f"Runs that were not the first of their block gave {percent(abs(change))} "
            f"{'more' if change > 0 else 'less'} than the first (p {p:.2g}): a run leaves something for the next.",
            advice="Raise the warm-up, or find what stays: page cache, sockets, heat.",
            evidence={"change_share": change, "p": p, "blocks": len(steps)},
        )


def _steps(whole: Whole) -> list[float]:
    first: dict[int, list[float]] = {}
    later: dict[int, list[float]] = {}
    for each in whole.residuals():
        (first if each.place == _first_place(whole) else later).setdefault(each.block, []).append(each.log)
    return [float(np.mean(later[block]) - np.mean(first[block])) for block in sorted(first) if block in later]


def _first_place(whole: Whole) -> int:
    return min((each.place for each in whole.experiment.runs), default=1)
