"""Percents as text: of changes, with a sign, and of shares."""

import math
from collections.abc import Sequence

from headtohead.report.text.numbers.values_with_units import NOT_VISIBLE, plain

_NOISE = 1e-12
"""Percentage points below this are rounding errors, not a width."""


def percent_decimals(percents: Sequence[float]) -> int:
    """Return the decimals that percents shown together need, at most three digits; more for a loss of nearly all."""
    greatest = max(abs(each) for each in percents)
    width = max(percents) - min(percents)
    if -100 < min(percents) < -99.5:
        return 1 if min(percents) > -99.95 else 2
    if greatest >= 99.5 or greatest < _NOISE:
        return 0
    wanted = 1 if greatest < 1 else 0
    if _NOISE < width < (5.0 if greatest < 9.95 else 1.5):
        wanted = 1 if width >= 0.15 else 2
    elif any(abs(end) > _NOISE and not round(end, wanted) for end in (min(percents), max(percents))):
        wanted += 1  # an end of "0 %" would read as no change
    elif width > _NOISE and _moves(percents, wanted):
        wanted += 1
    return min(wanted, 1 if greatest >= 9.95 else 2)


def _moves(percents: Sequence[float], places: int) -> bool:
    """Return whether the end nearest to no change, rounded down as claims are, loses ``MOST_LOST`` of itself.

    "7 % to 17 %" would contradict a line next to it that has 7.76 % as a factor.
    """
    near = min(percents, key=abs)
    one_side = min(percents) * max(percents) > 0
    return one_side and abs(near - nearest_down(near, places)) > MOST_LOST * abs(near)


MOST_LOST = 0.05
"""The most of itself that an end of an interval may lose by rounding."""
MOST_PERCENT = 10_000.0
"""Larger percents are shown as over this: an interval from two or three runs may have twenty digits."""


def percent(value: float, decimals: int | None = None) -> str:
    """Return a number of percent as text, without a sign for zero.

    >>> percent(172.3), percent(0.84), percent(12.0), percent(3e9)
    ('172 %', '0.8 %', '12 %', 'over 10,000 %')
    """
    if value > MOST_PERCENT:
        return f"over {MOST_PERCENT:,.0f} %"
    places = percent_decimals([value]) if decimals is None else decimals
    return f"{_unsigned_zero(value, places):,.{places}f} %"


def signed_percent(value: float, decimals: int | None = None) -> str:
    """Return a number of percent with its sign: ``+97 %``, ``-2.5 %``, ``0 %``, ``over +10,000 %``."""
    if value > MOST_PERCENT:
        return f"over {MOST_PERCENT:+,.0f} %"
    places = percent_decimals([value]) if decimals is None else decimals
    kept = _unsigned_zero(value, places)
    return f"{kept:+,.{places}f} %" if kept else f"{kept:.{places}f} %"


def _unsigned_zero(value: float, places: int) -> float:
    """Return the value, or 0.0 if it would print as zero, so that there is no "-0 %"."""
    return 0.0 if round(value, places) == 0 else value


def share(value: float | None) -> str:
    """Return a share in [0, 1] as percent; None is "not visible".

    >>> share(0.984), share(0.0213), share(0.0)
    ('98.4 %', '2.1 %', '0 %')
    """
    if value is None:
        return NOT_VISIBLE
    return f"{plain(float(f'{100 * value:.{2 if value >= 0.1 else 1}e}'))} %"


def nearest_down(change: float, places: int) -> float:
    """Return a change rounded toward no change, as its interval claims at least that; unchanged if that is none.

    >>> nearest_down(16.68, 1), nearest_down(-1.67, 1), nearest_down(0.04, 0)
    (16.6, -1.6, 0.04)
    """
    lower = round(math.trunc(round(change * 10**places, 6)) / 10**places, places)
    return lower or change
