"""How two treatments differ along the distribution of response times: a row for each tenth. It decides nothing."""

from collections.abc import Iterator, Sequence

from headtohead.model.analysis.comparison import ComparisonResult, Shift
from headtohead.model.case import Case
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Row, RowGroup, Table, folded
from headtohead.report.experiment.values.cells import ratio_entry
from headtohead.report.text.names import case_title
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.numbers.ratios import far
from headtohead.report.text.wording import capital

_NOTE = (
    "Each run gives one value for each row: n counts blocks, never requests. "
    "Exploratory. Times that are under Other metrics too have one interval, the wider of two; those of one pair hold "
    "together"
)


def shift_blocks(context: ExperimentContext) -> Blocks:
    """Yield the change at each tenth of the requests, folded."""
    return folded("Along the response times", shift_table(context))


def shift_table(context: ExperimentContext) -> Table | None:
    """Return the ratio of the times at each quantile, the first and the last case side by side, or None."""
    pairs = [each for each in context.result.comparisons if each.shifts]
    if not pairs:
        return None
    cases = list(dict.fromkeys(shift.case for each in pairs for shift in each.shifts))
    groups = tuple(RowGroup(f"{each.other} against {each.baseline}", tuple(_rows(each, cases))) for each in pairs)
    columns = tuple(case_title(case) or "all requests" for case in cases)
    levels = sorted({share(1 - each.alpha) for each in pairs if each.alpha is not None})
    sentences = [sentence for each in pairs for case in cases if (sentence := _sentence(each, case))]
    held = f"{_NOTE}, at {' and '.join(levels)}." if levels else f"{_NOTE}."
    caption = f"{capital(context.titled('response_time_ns'))} at each tenth of the requests{_direction(pairs)}"
    return Table(caption, "Requests", columns, groups, note=" ".join([*sentences, held]))


def _direction(pairs: Sequence[ComparisonResult]) -> str:
    """Return how to read the ratios of the only pair: which is divided by which, and which is then faster."""
    if len(pairs) != 1:
        return ": the first divided by the second; below 1x, or below zero, the first is faster"
    other, baseline = pairs[0].other, pairs[0].baseline
    return f": that of {other} divided by that of {baseline}; below 1x, or below zero, {other} is faster"


def _rows(pair: ComparisonResult, cases: Sequence[Case]) -> Iterator[Row]:
    ratios = {(each.case, each.quantile): each.ratio for each in pair.shifts}
    as_factors = any(map(far, ratios.values()))
    for quantile in dict.fromkeys(each.quantile for each in pair.shifts):
        found = (ratios.get((case, quantile)) for case in cases)
        yield Row(quantile, tuple(ratio_entry(each, as_factors=as_factors) for each in found))


def _sentence(pair: ComparisonResult, case: Case) -> str:
    """Return the quantiles at which requests were provably faster, or slower; empty if there are none."""
    shifts = [each for each in pair.shifts if each.case == case]
    sooner = [each.quantile for each in shifts if _ends(each)[1] < 1]
    later = [each.quantile for each in shifts if _ends(each)[0] > 1]
    where = f" ({case_title(case)})" if case else ""
    parts = [f"{word} at {_spans(shifts, found)}" for word, found in (("faster", sooner), ("slower", later)) if found]
    return f"{pair.other} is {' and '.join(parts)} than {pair.baseline}{where}." if parts else ""


def _ends(shift: Shift) -> tuple[float, float]:
    ends = shift.ratio.interval
    return (ends.low, ends.high) if ends else (0.0, float("inf"))


def _spans(shifts: Sequence[Shift], found: Sequence[str]) -> str:
    """Return quantiles as text: a contiguous range by its ends, all of them as such."""
    if len(found) == len(shifts) > 1:
        return "every one of these"
    order = [each.quantile for each in shifts]
    first, last = order.index(found[0]), order.index(found[-1])
    unbroken = last - first + 1 == len(found)
    return f"{found[0]} to {found[-1]}" if unbroken and len(found) > 1 else ", ".join(found)
