"""Where the order of two treatments changes along rising levels."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from headtohead.model.analysis.estimates import Estimate


@dataclass(frozen=True)
class OrderChange:
    """The two places of a sweep between which the order changes; ``upward`` if the ratio is above 1 after it.

    ``shown`` is whether the intervals at both places exclude 1.
    """

    low: int
    high: int
    upward: bool
    shown: bool


def order_changes(ratios: Sequence[Estimate]) -> tuple[OrderChange, ...]:
    """Return where a ratio crosses 1, from its estimates at rising levels.

    A change is shown between two places whose intervals are on opposite sides of 1, with none on either side between
    them. If nothing is shown but the estimates end on the other side, it is one change that is not shown: from the last
    estimate before the first change to the first one after the last.
    """
    sides = [_side(each) for each in ratios]
    decided = [place for place, side in enumerate(sides) if side]
    shown = tuple(
        OrderChange(low, high, upward=sides[high] > 0, shown=True)
        for low, high in pairwise(decided)
        if sides[low] != sides[high]
    )
    changes = [place for place, (one, next_) in enumerate(pairwise(ratios)) if (one.value > 1) != (next_.value > 1)]
    if shown or len(changes) % 2 == 0:
        return shown
    return (OrderChange(changes[0], changes[-1] + 1, upward=ratios[changes[-1] + 1].value > 1, shown=False),)


def _side(ratio: Estimate) -> int:
    """Return 1 or -1 if the whole interval is above or below 1, 0 if it includes 1 or there is none."""
    if ratio.interval is None:
        return 0
    return int(ratio.interval.low > 1) - int(ratio.interval.high < 1)
