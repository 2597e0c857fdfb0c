"""The kernel or program that makes most of the change of a mean over many, if one does."""

import math
from dataclasses import dataclass

from headtohead.model.analysis.estimates import Interval
from headtohead.model.analysis.results import ExperimentResult

HALF = 0.5
"""Without it, at most this part of the change is left."""
FEWEST = 4
"""Of fewer kernels each makes much of the mean."""
LEAST = 0.005
"""A smaller change of the mean, of logarithms, needs no reason."""


@dataclass(frozen=True)
class DecidingCase:
    """A case by its name, its ratio, the geometric mean of the others' ratios, and their number.

    Both ratios are best estimates; the case's own interval is that of its level for each case, if it has one.
    """

    name: str
    ratio: float
    interval: Interval | None
    ratio_of_others: float
    others: int


def case_that_decides(result: ExperimentResult) -> DecidingCase | None:
    """Return the case of a suite that makes most of the change; None if none does, or several pairs are compared."""
    both = [(each.other, each.baseline) for each in result.comparisons]
    suite = next((each for each in result.suites if [(each.treatment, each.against)] == both), None)
    if suite is None or len(suite.cases) < FEWEST:
        return None
    ends = {each.case: each.ratio.interval for each in suite.cases}
    logs = {each.case: math.log(each.ratio.value) for each in suite.cases}
    whole = sum(logs.values()) / len(logs)
    most = max(logs, key=lambda case: abs(logs[case]))
    rest = (sum(logs.values()) - logs[most]) / (len(logs) - 1)
    if abs(whole) < LEAST or abs(rest) > HALF * abs(whole):
        return None
    name, ratio = most.levels.get(result.suite, most.text), math.exp(logs[most])
    return DecidingCase(name, ratio, ends[most], math.exp(rest), len(logs) - 1)
