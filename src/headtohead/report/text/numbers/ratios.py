"""Ratios as text: as factors, or as changes in percent with their intervals."""

import math
from collections.abc import Sequence

from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.report.text.numbers.percents import nearest_down, percent_decimals, signed_percent
from headtohead.report.text.numbers.values_with_units import DIGITS, bracketed, significant

TWICE = 2.0
"""A ratio from this on is shown as a factor: "+411 %" is 5.11 times as much."""
MOST_CHANGE = 11.0
"""Gains, and ends of intervals, from this on are shown as factors: "+4,109 %" is hard to read."""
MOST_FACTOR = 10_000.0
"""Larger factors are shown as over this."""
_MOST_PLACES = 6


def far(ratio: Estimate) -> bool:
    """Return whether a ratio is at least ``TWICE``, or the high end of its interval at least ``MOST_CHANGE``."""
    return ratio.value >= TWICE or _beyond(ratio)


def _beyond(ratio: Estimate) -> bool:
    return max(ratio.value, ratio.interval.high if ratio.interval else 0.0) >= MOST_CHANGE


def changes(ratio: Estimate, *, as_factors: bool = False) -> tuple[str, str]:
    """Return a ratio as a change in percent (a factor if far, or ``as_factors``), and its interval in brackets, if any.

    >>> changes(Estimate(0.73, Interval(0.0002, 5.0, 0.95), 3))
    ('-27 %', '[-99.98 %, +400 %]')
    >>> changes(Estimate(5.11, Interval(2.426, 10.77, 0.95), 3))
    ('5.11x', '[2.42x, 10.8x]')
    """
    return _as_factors(ratio) if as_factors or far(ratio) else _in_percent(ratio)


def _as_factors(ratio: Estimate) -> tuple[str, str]:
    if (ends := ratio.interval) is None:
        return bounded(ratio.value), ""
    return bounded(ratio.value), bracketed(at_least(ends.low, bounded(ends.low)), bounded(ends.high))


def _in_percent(ratio: Estimate) -> tuple[str, str]:
    value = 100 * (ratio.value - 1)
    if ratio.interval is None:
        return signed_percent(value), ""
    low, high = (100 * (each - 1) for each in (ratio.interval.low, ratio.interval.high))
    # An interval down to a loss of nearly all needs decimals there, and nowhere else.
    places, below = percent_decimals([max(low, -99.5), value, high]), percent_decimals([low, value, high])
    low = nearest_down(low, below) if low > 0 else low
    high = nearest_down(high, places) if high < 0 else high
    return signed_percent(value, places), bracketed(signed_percent(low, below), signed_percent(high, places))


def at_least(ratio: float, text: str) -> str:
    """Return a ratio above 1 rounded down, to the digits that its text as a factor has, but not to 1; others as text.

    >>> at_least(1.8566, "1.86x"), at_least(1.0069, "1.01x"), at_least(1288, "1,290x"), at_least(0.5, "0.500x")
    ('1.85x', '1.006x', '1,280x', '0.500x')
    """
    number = text.removesuffix("x").replace(",", "")
    if ratio <= 1 or not number.replace(".", "").isdigit():
        return text
    places = len(number.partition(".")[2]) or min(0, DIGITS - len(number))
    lower = down(ratio, places)
    while lower <= 1 and places < _MOST_PLACES:
        places += 1
        lower = down(ratio, places)
    return f"{lower:,.{max(0, places)}f}x"


def down(value: float, places: int) -> float:
    """Return a value rounded down to this number of decimals; below zero it rounds to tens, hundreds, ..."""
    return math.floor(round(value * 10.0**places, 6)) / 10.0**places


def bounded(ratio: float) -> str:
    """Return a ratio as a factor; beyond ``MOST_FACTOR``, or its inverse, only that it is."""
    if ratio > MOST_FACTOR:
        return f"over {MOST_FACTOR:,.0f}x"
    return f"{significant(ratio)}x" if ratio > 1 / MOST_FACTOR else f"under {1 / MOST_FACTOR:g}x"


def gains(gain: float, interval: Interval) -> tuple[str, str]:
    """Return a gain given as a share (0.97 for +97 %) and its interval in brackets: in percent, as its ideal is."""
    ratio = Estimate(1 + gain, Interval(1 + interval.low, 1 + interval.high, interval.confidence), 0)
    return _as_factors(ratio) if _beyond(ratio) else _in_percent(ratio)


def times(ratio: float) -> str:
    """Return a ratio as a factor: three digits, and one more if it is close to 1.

    >>> times(2.7212), times(1.0031)
    ('2.72', '1.003')
    """
    return f"{ratio:.3f}" if 0.9 <= ratio < 1.1 else significant(ratio)


def factor(ratio: float) -> str:
    """Return a ratio as a factor for a sentence, to as many digits as its interval (``factors``).

    >>> factor(5.163), factor(2.0), factor(1.972)
    ('5.16x', '2x', '1.97x')
    """
    text = significant(ratio)
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text}x"


_CLOSE = 1.005
"""Ratios that differ by less than this factor are shown with a fourth digit."""
_MOST_DIGITS = 6


def factors(ratios: Sequence[float]) -> list[str]:
    """Return ratios that are shown together as factors, with the digits that they need to differ.

    >>> factors([4.9, 5.163, 5.48]), factors([1.95, 1.972, 1.99])
    (['4.90x', '5.16x', '5.48x'], ['1.95x', '1.97x', '1.99x'])
    >>> factors([1.033, 1.27, 1.55])
    ['1.03x', '1.27x', '1.55x']
    """
    apart = max(ratios) / min(ratios)
    digits = DIGITS if apart >= _CLOSE else DIGITS + 1
    while digits < _MOST_DIGITS and any(each != 1 and float(f"{each:.{digits - 1}e}") == 1 for each in ratios):
        digits += 1  # "1.0x" would read as no change
    return [f"over {MOST_FACTOR:,.0f}x" if each > MOST_FACTOR else f"{significant(each, digits)}x" for each in ratios]
