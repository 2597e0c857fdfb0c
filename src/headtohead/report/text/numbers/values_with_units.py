"""Values as text: significant digits, counts, quantities in a unit that suits them, facts, intervals in brackets."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from headtohead.model.quantity import Scalar, scalar_text

NOT_VISIBLE = "not visible"
DIGITS = 3
_UNLIMITED = "unlimited"
_FEW_BYTES = 10_240
"""Below this, bytes that are not whole KiB are shown exactly: an MTU of 1500 is not written as 1.46 KiB."""

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
