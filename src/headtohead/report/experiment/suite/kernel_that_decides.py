"""The line on page one that names the kernel or program which makes most of the change of a mean over many."""

from headtohead.report.context import ExperimentContext
from headtohead.report.text.case_that_decides import case_that_decides
from headtohead.report.text.numbers.percents import percent_decimals, signed_percent


def kernel_that_decides(context: ExperimentContext) -> str:
    """Return the case of a suite that makes most of the change, and the mean of the others; empty if none does."""
    found = case_that_decides(context.result)
    if found is None:
        return ""
    changes = [100 * (each - 1) for each in (found.ratio, found.ratio_of_others)]
    own, others = (signed_percent(each, percent_decimals([each])) for each in changes)
    return f"{found.name} ({own}); the mean of the other {found.others} is {others} (best estimates)."
