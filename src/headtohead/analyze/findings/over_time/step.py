"""Whether the level of a setup changed between two of its runs."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from headtohead.analyze.findings.input_of_findings import SURE, Whole
from headtohead.analyze.findings.wording import percent
from headtohead.analyze.statistics.paired import t_tail
from headtohead.model.finding import Finding, Severity

SMALL = 0.01
"""A smaller step is not reported."""
ROUNDING = 1e-9
"""Logarithms that differ by less are equal."""
FEWEST_IN_STEP = 3
"""The runs before a step, and after it, at least."""


def step(whole: Whole) -> Iterator[Finding]:
    """Yield a note for each treatment (no floors) whose last runs are all above, or all below, those before them.

    By a t of each place where the level may change, at an error that these places and the treatments share.
    """
    labels = [each.label for each in whole.experiment.treatments if not each.floor]
    for label in labels:
        values = whole.primary(label)
        found = step_of([math.log(values[block]) for block in sorted(values)])
        if found is None:
            continue
        at, log, p = found
        if p < SURE / len(labels) and abs(math.expm1(log)) > SMALL:
            last = len(values) - at
            yield Finding(
                id="step",
                severity=Severity.NOTE,
                says=f"{label}: the last {last} of {len(values)} runs are {percent(abs(math.expm1(log)))} "
                f"{'above' if log > 0 else 'below'} those before (p {p:.2g}).",
                advice="Look at what changed then. Ratios are taken within blocks: they hold if all setups changed "
                "alike.",
                evidence={"change_share": math.expm1(log), "p": p, "last": last, "of": len(values), "treatment": label},
            )


def step_of(logs: Sequence[float]) -> tuple[int, float, float] | None:
    """Return the place of the likeliest step of a series, its size (a log) and its two-sided p; None if there is none.

    All values from that place on are on one side of all before it. The p is that of Student's t times the number of
    places (Bonferroni).

    Assumes:    without a step values are alike and independent.
    Invariant:  adding a constant changes nothing; in reverse order the step has the same p.

    >>> step_of([0.0, 0.01, 0.0, -0.04, -0.03, -0.04])[0]
    3
    """
    places = range(FEWEST_IN_STEP, len(logs) - FEWEST_IN_STEP + 1)
    found = [(at, *_step_at(logs, at)) for at in places if _apart(logs[:at], logs[at:])]
    at, log, p = min(found, key=lambda each: each[2], default=(0, 0.0, 1.0))
    return (at, log, min(1.0, p * len(places))) if at else None


def _apart(before: Sequence[float], after: Sequence[float]) -> bool:
    return max(before) < min(after) or max(after) < min(before)


def _step_at(logs: Sequence[float], at: int) -> tuple[float, float]:
    parts = [np.asarray(each, dtype=np.float64) for each in (logs[:at], logs[at:])]
    log, df = float(parts[1].mean() - parts[0].mean()), len(logs) - 2
    left = math.fsum(float(((each - each.mean()) ** 2).sum()) for each in parts)
    error = math.sqrt(left / df * math.fsum(1 / len(each) for each in parts))
    return log, (t_tail(log / error, df) if error > ROUNDING else 0.0)
