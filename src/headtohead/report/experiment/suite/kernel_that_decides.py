"""The line on page one that names the kernel or program which makes most of the change of a mean over many."""

from headtohead.model.analysis.estimates import Interval
from headtohead.report.context import ExperimentContext
from headtohead.report.text.case_that_decides import case_that_decides
from headtohead.report.text.numbers.percents import percent_decimals, signed_percent


def kernel_that_decides(context: ExperimentContext) -> str:
    """Return the case of a suite that makes most of the change, and the mean of the others; empty if none does."""
    found = case_that_decides(context.result)
    if found is None:
        return ""
    own, percents = _change(found.ratio), 100 * (found.ratio_of_others - 1)
    others = signed_percent(percents, max(1, percent_decimals([percents])))
    own = f"best estimate {own}{unsure(found.interval)}"
    return f"{found.name} ({own}); the mean of the other {found.others} is {others}."


def unsure(interval: Interval | None) -> str:
    """Return the interval of a single kernel if it includes no change: the mean may be sure where no kernel is."""
    if interval is None or not interval.low <= 1 <= interval.high:
        return ""
    return f", not sure: {_change(interval.low)} to {_change(interval.high)}"


def _change(ratio: float) -> str:
    percents = 100 * (ratio - 1)
    return signed_percent(percents, percent_decimals([percents]))
