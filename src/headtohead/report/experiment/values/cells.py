"""Cells of tables: an estimate with its interval, a ratio, and a value that is not there."""

from collections.abc import Iterable

from headtohead.model.analysis.estimates import Estimate
from headtohead.report.document import Entry
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.numbers.ratios import changes
from headtohead.report.text.numbers.values_with_units import Scale, bracketed

NOTHING = Entry("\u2013", number=True)


def estimate_entry(estimate: Estimate | None, scale: Scale) -> Entry:
    """Return an absolute value with its interval below it."""
    if estimate is None:
        return NOTHING
    ends = estimate.interval
    small = bracketed(scale.bare(ends.low), scale.bare(ends.high)) if ends else ""
    return Entry(scale.bare(estimate.value), small, number=True)


def level_text(estimates: Iterable[Estimate | None]) -> str:
    """Return the confidence of the intervals of estimates, to follow a word: `` at 95 %``; empty for none."""
    levels = sorted({share(each.interval.confidence) for each in estimates if each and each.interval})
    return f" at {' and '.join(levels)}" if levels else ""


def ratio_entry(ratio: Estimate | None, *, as_factors: bool = False) -> Entry:
    """Return a ratio as the change in percent, or as a factor, with its interval below it."""
    return NOTHING if ratio is None else Entry(*changes(ratio, as_factors=as_factors), number=True)
