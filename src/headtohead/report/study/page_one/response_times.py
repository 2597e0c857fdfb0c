"""The line on response times below an answer: the median and the slowest of each setup, and where their order turns."""

from collections.abc import Sequence

from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.case import Case
from headtohead.report.context import ExperimentContext
from headtohead.report.study.page_one.setups import arms, joined, short
from headtohead.report.text.names import case_phrase
from headtohead.report.text.numbers import scale_for

P50, P99 = "response_time_p50_ns", "response_time_p99_ns"


def response_times(context: ExperimentContext) -> str:
    """Return median and p99 of each setup at the highest load that has a p99; empty if it decides, or none has it.

    Loads at which the load generator was the limit are left out: their times are its own.
    """
    result = context.result
    if result.primary.of == P99 or not context.load or context.load.searches:
        return ""
    for case in reversed(context.cases_of(P99)):
        if (slow := _times_ns(context, case, P99)) and not _driver_limited(result, case):
            half = _times_ns(context, case, P50)
            return f"{_of_each(context, half, slow, case)}{_turned(context, half, slow, case)}"
    return ""


def _of_each(context: ExperimentContext, half: Sequence[float], slow: Sequence[float], case: Case) -> str:
    names = [short(each, context.result) for each in arms(context.result)]
    several = (
        "gave half of the responses within {} and 99 of 100 within {}" if half else "gave 99 of 100 responses within {}"
    )
    after = "within {} and {}" if half else "within {}"
    columns = [[scale_for("ns", kind).full(each) for each in kind] for kind in (half, slow) if kind]
    told = [
        f"{names[at]} {(after if at else several).format(*own)}" for at, own in enumerate(zip(*columns, strict=True))
    ]
    start = f"{case_phrase(case)}, " if case else ""
    return f"{start[:1].upper()}{start[1:]}{joined(told).removesuffix('.')}."


def _turned(context: ExperimentContext, half: Sequence[float], slow: Sequence[float], case: Case) -> str:
    """Return which of two setups is ahead at the median, if the other is at p99; empty if their order stays."""
    result = context.result
    if len(half) != 2 or len(result.comparisons) != 1 or (half[0] - half[1]) * (slow[0] - slow[1]) >= 0:
        return ""
    ahead = arms(result)[0 if half[0] < half[1] else 1].label
    pair = result.comparisons[0]
    found = next((each.ratio for each in pair.exploratory if (each.case, each.metric) == (case, P50)), None)
    known = found is not None and found.interval is not None and not found.interval.low <= 1 <= found.interval.high
    return f" At the median {ahead} is ahead." if known else " The medians are too uncertain to rank."


def _times_ns(context: ExperimentContext, case: Case, metric: str) -> list[float]:
    """Return a time of each setup in a case; nothing unless all have it."""
    found = [context.cell(each, metric=metric, case=case) for each in arms(context.result)]
    known = [cell.estimate.value for cell in found if cell]
    return known if len(known) == len(found) else []


def _driver_limited(result: ExperimentResult, case: Case) -> bool:
    return any(limit.case == case and limit.resource == "driver" for each in arms(result) for limit in each.limits)
