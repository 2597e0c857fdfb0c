"""The line with a hypothesis that was chosen after the fact: the case that differs most from its mean."""

import math

from headtohead.model.analysis.suite import Suite, SuiteCase
from headtohead.report.context import ExperimentContext

TOO_FEW = " (too few blocks for a corrected p)"


def afterwards(context: ExperimentContext) -> str:
    """Return the kernel or program that differs most from its mean, as a hypothesis: it was chosen after the fact.

    Its p, that it changes as the others do, is corrected for the number of kernels it was chosen from (Bonferroni).
    """
    result = context.result
    for suite in result.suites:
        if suite.reference or len(suite.cases) < 2 or not (tails := [each for each in suite.cases if each.tail]):
            continue
        far = max(tails, key=lambda each: abs(each.ratio.value / suite.ratio.value - 1))
        name = far.case.levels.get(result.suite, far.case.text)
        change = f"{100 * (far.ratio.value - 1):+.0f} %"
        corrected = _corrected(suite, far)
        return f"{name} ({change}) may differ from {_others(suite, far)}; noticed afterwards{corrected}."
    return ""


def _others(suite: Suite, far: SuiteCase) -> str:
    """Return the geometric mean of the other cases: whether the answer rests on one of them."""
    logs = [math.log(each.ratio.value) for each in suite.cases if each is not far]
    change = 100 * (math.exp(sum(logs) / len(logs)) - 1)
    return f"the other {len(logs)} ({change:+.1f} % together)"


def _corrected(suite: Suite, far: SuiteCase) -> str:
    """Return the p that the case changes as the others do, corrected; or that too few blocks can show one below 1."""
    if far.unlike_p is None:
        return ""
    least = 2.0 ** (1 - far.ratio.n) * len(suite.cases)
    return f" (corrected p {min(1.0, far.unlike_p * len(suite.cases)):.2g})" if least < 1 else TOO_FEW
