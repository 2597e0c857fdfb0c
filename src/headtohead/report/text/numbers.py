"""Numbers as text: the only place of the report that formats them, but for dates and durations."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.quantity import Scalar, scalar_text

NOT_VISIBLE = "not visible"
DIGITS = 3
_UNLIMITED = "unlimited"
_FEW_BYTES = 10_240
"""Below this, bytes that are not whole KiB are shown exactly: an MTU of 1500 is not written as 1.46 KiB."""
_NOISE = 1e-12
"""Percentage points below this are rounding errors, not a width."""

_STEPS: dict[str, tuple[tuple[float, str], ...]] = {
    "ns": ((1.0, "ns"), (1e3, "\u00b5s"), (1e6, "ms"), (1e9, "s")),
    "s": ((1e-9, "ns"), (1e-6, "\u00b5s"), (1e-3, "ms"), (1.0, "s")),
    "B": ((1.0, "B"), (2.0**10, "KiB"), (2.0**20, "MiB"), (2.0**30, "GiB"), (2.0**40, "TiB")),
    "B/s": ((1.0, "B/s"), (1e3, "kB/s"), (1e6, "MB/s"), (1e9, "GB/s")),
    "bit/s": ((1.0, "bit/s"), (1e3, "kbit/s"), (1e6, "Mbit/s"), (1e9, "Gbit/s")),
    "J": ((1e-6, "\u00b5J"), (1e-3, "mJ"), (1.0, "J"), (1e3, "kJ"), (1e6, "MJ")),
    "Hz": ((1.0, "Hz"), (1e3, "kHz"), (1e6, "MHz"), (1e9, "GHz")),
    "1/s": ((1.0, "/s"), (1e6, "million/s"), (1e9, "billion/s")),
}

_RATES = tuple(unit for _, unit in _STEPS["1/s"])


@dataclass(frozen=True)
class Scale:
    """A unit to show values in: the value divided by ``factor`` is printed before ``unit``."""

    factor: float
    unit: str

    def bare(self, value: float) -> str:
        """Return the value in this unit, without the unit: for a column whose head names it."""
        return significant(value / self.factor)

    def full(self, value: float) -> str:
        """Return the value with its unit: ``1.25 ms``."""
        return f"{self.bare(value)} {self.unit}".rstrip()


@dataclass(frozen=True)
class Levels(Scale):
    """Levels of a case field, which have no unit and are shown as written: 20 and not 20.0."""

    factor: float = 1.0
    unit: str = ""

    def bare(self, value: float) -> str:
        """Return the level."""
        return plain(value)


def significant(value: float, digits: int = DIGITS) -> str:
    """Return the value to this number of significant digits, thousands separated, never with an exponent.

    >>> significant(71003.4), significant(0.0123456), significant(999.6)
    ('71,000', '0.0123', '1,000')
    """
    if not math.isfinite(value):
        return NOT_VISIBLE
    rounded = float(f"{value:.{digits - 1}e}")
    if rounded == 0:
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(rounded))))
    return f"{rounded:,.{decimals}f}"


def plain(value: float) -> str:
    """Return the value to three significant digits, without the zeros that end a fraction: ``0.994``, ``0.011``."""
    text = significant(value)
    return text.rstrip("0").rstrip(".") if "." in text else text


def unit_words(unit: str) -> str:
    """Return a unit as words, for the caption of a table.

    >>> unit_words("/s"), unit_words("million/s"), unit_words("ms")
    ('per second', 'million per second', 'ms')
    """
    return f"{unit.removesuffix('/s')} per second".strip() if unit in _RATES else unit


def as_printed(value: float) -> str:
    """Return a value that others printed, with all its digits.

    >>> as_printed(12033.0), as_printed(1.01)
    ('12,033', '1.01')
    """
    return f"{value:,.9g}"


def count(value: float) -> str:
    """Return a count: whole numbers exactly, means to three significant digits.

    >>> count(257.0), count(2.5)
    ('257', '2.50')
    """
    return f"{value:,.0f}" if float(value).is_integer() else significant(value)


def scale_for(unit: str, values: Iterable[float]) -> Scale:
    """Return the one unit that suits all these values: the largest that leaves the greatest of them at 1 or more."""
    steps = _STEPS.get(unit)
    if steps is None:
        return Scale(1.0, "" if unit == "1" else unit)
    greatest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    fitting = [step for step in steps if step[0] <= greatest]
    home = next(step for step in steps if step[0] == 1.0)
    return Scale(*(fitting[-1] if fitting else home))


def quantity(value: float | None, unit: str) -> str:
    """Return one value with its unit; None is "not visible", never zero.

    >>> quantity(188000, "ns"), quantity(71003.4, "1/s"), quantity(None, "B")
    ('188 µs', '71,000 /s', 'not visible')
    """
    return NOT_VISIBLE if value is None else scale_for(unit, [value]).full(value)


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


MOST_CHANGE = 11.0
"""Ratios from this on are shown as factors: "+4,109 %" is hard to read."""
MOST_FACTOR = 10_000.0
"""Larger factors are shown as over this."""


def far(ratio: Estimate) -> bool:
    """Return whether a ratio or the high end of its interval is at least ``MOST_CHANGE``."""
    return max(ratio.value, ratio.interval.high if ratio.interval else 0.0) >= MOST_CHANGE


def changes(ratio: Estimate, *, as_factors: bool = False) -> tuple[str, str]:
    """Return a ratio as a change in percent (a factor if far, or ``as_factors``), and its interval in brackets, if any.

    >>> changes(Estimate(0.73, Interval(0.0002, 5.0, 0.95), 3))
    ('-27 %', '[-99.98 %, +400 %]')
    >>> changes(Estimate(42.09, Interval(30.76, 57.6, 0.95), 3))
    ('42.1x', '[30.8x, 57.6x]')
    """
    if as_factors or far(ratio):
        ends = [ratio.interval.low, ratio.interval.high] if ratio.interval else []
        return bounded(ratio.value), bracketed(*map(bounded, ends)) if ends else ""
    value = 100 * (ratio.value - 1)
    if ratio.interval is None:
        return signed_percent(value), ""
    low, high = (100 * (each - 1) for each in (ratio.interval.low, ratio.interval.high))
    # An interval down to a loss of nearly all needs decimals there, and nowhere else.
    places, below = percent_decimals([max(low, -99.5), value, high]), percent_decimals([low, value, high])
    low = nearest_down(low, below) if low > 0 else low
    high = nearest_down(high, places) if high < 0 else high
    return signed_percent(value, places), bracketed(signed_percent(low, below), signed_percent(high, places))


def nearest_down(change: float, places: int) -> float:
    """Return a change rounded toward no change, as its interval claims at least that; unchanged if that is none.

    >>> nearest_down(16.68, 1), nearest_down(-1.67, 1), nearest_down(0.04, 0)
    (16.6, -1.6, 0.04)
    """
    lower = round(math.trunc(round(change * 10**places, 6)) / 10**places, places)
    return lower or change


def bounded(ratio: float) -> str:
    """Return a ratio as a factor; beyond ``MOST_FACTOR``, or its inverse, only that it is."""
    if ratio > MOST_FACTOR:
        return f"over {MOST_FACTOR:,.0f}x"
    return f"{significant(ratio)}x" if ratio > 1 / MOST_FACTOR else f"under {1 / MOST_FACTOR:g}x"


def gains(gain: float, interval: Interval) -> tuple[str, str]:
    """Return a gain given as a share (0.97 for +97 %) and its interval in brackets."""
    moved = Interval(1 + interval.low, 1 + interval.high, interval.confidence)
    return changes(Estimate(1 + gain, moved, 0))


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


def bracketed(low: str, high: str) -> str:
    """Return an interval as tables write it: ``[low, high]``."""
    return f"[{low}, {high}]"


def fact(value: Scalar | None, unit: str | None) -> str:
    """Return a host fact as text: words and whole numbers as they are, bytes and clocks in a fitting unit."""
    if value is None:
        return NOT_VISIBLE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value if value == _UNLIMITED else f"{value} {unit or ''}".rstrip()
    if unit == "B" and value < _FEW_BYTES and value % 1024:
        return f"{count(value)} B"
    if unit in _STEPS:
        return scale_for(unit, [value]).full(value)
    text = significant(value) if isinstance(value, float) and not value.is_integer() else scalar_text(value)
    return f"{text} {unit or ''}".rstrip()
