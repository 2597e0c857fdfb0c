"""Runs struck in one arm far more often than in the others: then what is left is no fair sample (METHOD.md 9)."""

import math
from collections.abc import Iterator, Mapping

from headtohead.analyze.findings.whole import Whole
from headtohead.model.finding import Finding, Severity

LEAST = 4
"""Fewer struck runs fall as unevenly by chance."""
TIMES = 2
"""The worst arm may have at most so many times as many as the arm that has fewest."""
RARE = 0.05
"""Chance that strikes both arms alike leaves them so uneven in fewer cases: then it was no chance (METHOD.md 12)."""


def lopsided(whole: Whole) -> Iterator[Finding]:
    """Yield a finding where one treatment lost over twice as many runs to the rules as another, at least 4 in all.

    Between the arms of a comparison that is more than a doubt where chance does not explain it.
    """
    struck = {each.label: 0 for each in whole.experiment.treatments if not each.floor}
    for each in whole.runs:
        if each.run.status == "invalid" and each.run.label in struck:
            struck[each.run.label] += 1
    certain = list(_certain(whole, struck))
    yield from certain
    if certain or len(struck) < 2 or sum(struck.values()) < LEAST:
        return
    most, least = max(struck, key=lambda label: struck[label]), min(struck, key=lambda label: struck[label])
    if struck[most] > TIMES * struck[least]:
        yield _finding(struck, most, least, severity=Severity.DOUBT)


def _certain(whole: Whole, struck: Mapping[str, int]) -> Iterator[Finding]:
    """Yield what is no chance: the arms of a comparison, the error shared among the comparisons."""
    for comparison, _, _ in whole.pairs():
        pair = (comparison.baseline, comparison.other)
        if not set(pair) <= struck.keys():
            continue
        most, least = max(pair, key=lambda label: struck[label]), min(pair, key=lambda label: struck[label])
        if struck[most] > TIMES * struck[least]:
            p = by_chance(struck[most], struck[least])
            if p < RARE / len(whole.experiment.comparisons):
                yield _finding(struck, most, least, severity=Severity.INVALID)


def by_chance(more: int, fewer: int) -> float:
    """Return how often chance that strikes both alike leaves them at least so uneven (exact, two-sided).

    >>> by_chance(6, 0), by_chance(4, 0)
    (0.03125, 0.125)
    """
    n = more + fewer
    ways: int = sum(math.comb(n, k) for k in range(fewer + 1))
    return min(1.0, 2.0 * ways / math.pow(2, n))


def _finding(struck: Mapping[str, int], most: str, least: str, *, severity: Severity) -> Finding:
    return Finding(
        id="lopsided",
        severity=severity,
        says=f"{struck[most]} runs of {most} were struck, and {struck[least]} of {least}: the rules do not look at "
        "results, but what struck them may come with one arm.",
        advice="Look at the reasons of the struck runs; where the subject itself causes them, change the load.",
        evidence={"most": struck[most], "least": struck[least], "treatment": most},
        of=(most, least),
    )
