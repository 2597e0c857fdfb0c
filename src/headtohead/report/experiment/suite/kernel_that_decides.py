"""The kernel or program that makes most of the change of a mean over many, if one does."""

import math

from headtohead.report.context import ExperimentContext
from headtohead.report.experiment.suite.sentences import level_of
from headtohead.report.text.numbers.percents import percent_decimals, signed_percent

HALF = 0.5
"""Without it, at most this part of the change is left."""
FEWEST = 4
"""Of fewer kernels each makes much of the mean."""
LEAST = 0.005
"""A smaller change of the mean, of logarithms, needs no reason."""


def kernel_that_decides(context: ExperimentContext) -> str:
    """Return the case of a suite that makes most of the change, and the mean of the others; empty if none does."""
    result = context.result
    both = [(each.other, each.baseline) for each in result.comparisons]
    suite = next((each for each in result.suites if [(each.treatment, each.against)] == both), None)
    if suite is None or len(suite.cases) < FEWEST:
        return ""
    logs = {each.case: math.log(each.ratio.value) for each in suite.cases}
    whole = sum(logs.values()) / len(logs)
    most = max(logs, key=lambda case: abs(logs[case]))
    rest = (sum(logs.values()) - logs[most]) / (len(logs) - 1)
    if abs(whole) < LEAST or abs(rest) > HALF * abs(whole):
        return ""
    changes = [100 * (math.exp(each) - 1) for each in (logs[most], rest)]
    own, others = (signed_percent(each, percent_decimals([each])) for each in changes)
    return (
        f"{level_of(most, result.suite)} ({own}); the mean of the other {len(logs) - 1} is {others} (best estimates)."
    )
