"""Axes: where they begin and end, and their few tick labels."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from headtohead.report.text.numbers.values_with_units import Scale, plain, scale_for

_WIDE_RANGE = 100.0
"""Values with a larger ratio than this share an axis only on a logarithmic scale: two powers of ten."""


@dataclass(frozen=True)
class Axis:
    """An axis: its ends, whether it is logarithmic, its ticks, and the labels at its ends and below it."""

    low: float
    high: float
    logarithmic: bool
    ticks: tuple[tuple[float, str], ...]
    ends: tuple[str, str] = ("", "")
    below: str = ""
    band: tuple[float, float] | None = None
    mark: float | None = None


FAR = 10.0
"""An interval may reach this many times beyond the values seen before an axis cuts it off."""

FEWEST_TICKS = 3
"""The fewest labeled ticks: two do not show that an axis is logarithmic, and one does not show how far it reaches."""

_TICK_LETTER, _ROOM = 6.0, 4.0
"""The width of a letter of a tick's label, and the least room between two labels, in px."""

RUNS_ON = " A bar without an end runs on beyond the edge."


def clipped_ends(ends: Sequence[float], seen: Sequence[float], *, origin: float = 0.0) -> list[float]:
    """Return the ends of intervals, with those far beyond the values ``seen`` moved close to them.

    Two or three runs that differ have intervals of many powers of ten, and an axis that shows them whole shrinks all
    else to one point. Distances count from ``origin``, which is -100 for changes in percent.

    >>> clipped_ends([0.001, 5.0, 1e9], [2.0, 3.0])
    [0.2, 5.0, 30.0]
    """
    if not seen or min(seen) <= origin:
        return list(ends)
    low, high = origin + (min(seen) - origin) / FAR, origin + (max(seen) - origin) * FAR
    return [min(max(each, low), high) for each in ends]


def cut_off_note(ends: Sequence[float], reach: Sequence[float]) -> str:
    """Return the note of a caption that intervals go on beyond the axis; empty if none does."""
    return RUNS_ON if ends and (min(ends) < min(reach) or max(ends) > max(reach)) else ""


def labels_with_room(axis: Axis, width: float) -> tuple[tuple[float, str], ...]:
    """Return the ticks of an axis of this width in px, without the labels that have no room: both ends come first.

    >>> axis = Axis(-75.0, 5.0, False, ((-60.0, "-60 %"), (-40.0, "-40 %"), (-20.0, "-20 %"), (0.0, "0 %")))
    >>> [text for _, text in labels_with_room(axis, 120.0)]
    ['-60 %', '', '-20 %', '0 %']
    """
    place = math.log if axis.logarithmic else float
    low, span = place(axis.low), place(axis.high) - place(axis.low)
    shown: dict[float, tuple[float, float]] = {}
    for value, text in [*axis.ticks[-1:], *axis.ticks[:-1]]:
        middle, half = (place(value) - low) / span * width, _TICK_LETTER * len(text) / 2
        if all(middle + half + _ROOM <= left or right + _ROOM <= middle - half for left, right in shown.values()):
            shown[value] = middle - half, middle + half
    return tuple((value, text if value in shown else "") for value, text in axis.ticks)


def nice_step(width: float, *, most: int) -> float:
    """Return the smallest step of 1, 2 or 5 times a power of ten that fits at most ``most`` times into the width.

    >>> nice_step(100, most=5), nice_step(7, most=5)
    (20.0, 2.0)
    """
    if width <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(width / most))
    return next(times * power for times in (1.0, 2.0, 5.0, 10.0) if width / (times * power) <= most)


def far_apart(reach: Sequence[float]) -> bool:
    """Return whether values are too far apart for one axis from zero."""
    above = [each for each in reach if each > 0]
    return bool(above) and max(above) / min(above) > _WIDE_RANGE


def value_axis(reach: Sequence[float], scale: Scale, *, most: int) -> Axis:
    """Return an axis from zero, or a logarithmic one if the values are too far apart."""
    drawn = _logarithmic if far_apart(reach) else from_zero
    return drawn(reach, scale, below="", most=most)


def rate_axis(reach: Sequence[float], *, below: str, most: int, logarithmic: bool) -> Axis:
    """Return an axis of rates per second, from zero or logarithmic."""
    scale = Scale(1.0, "")
    if logarithmic:
        return _logarithmic(reach, scale, below=below, most=most)
    return from_zero(reach, scale, below=below, most=most)


def time_axis(reach: Sequence[float], *, most: int) -> Axis:
    """Return an axis of times in ns, each tick in the unit that suits it; logarithmic if they are too far apart."""
    axis = value_axis(reach, scale_for("ns", reach), most=most)
    scales = ((value, scale_for("ns", [value])) for value, _ in axis.ticks)
    ticks = tuple((value, f"{_amount(value, scale)} {scale.unit}") for value, scale in scales)
    return Axis(axis.low, axis.high, axis.logarithmic, ticks)


def level_axis(levels: Sequence[float], *, below: str, most: int) -> Axis:
    """Return an axis with a tick at each level that has room for a label; logarithmic if they are too far apart.

    >>> [text for _, text in level_axis([1, 2, 4, 64], below="", most=4).ticks]
    ['1', '64']
    """
    least, greatest = min(levels), max(levels)
    if far_apart(levels):
        room = (greatest / least) ** 0.05
        return Axis(least / room, greatest * room, True, tuple((each, plain(each)) for each in levels), below=below)
    span = greatest - least or greatest or 1.0
    shown: list[float] = []
    for each in sorted(levels, key=lambda level: (level not in (least, greatest), -level)):
        if all(abs(each - other) >= span / (2 * most) for other in shown):
            shown.append(each)
    ticks = tuple((each, plain(each)) for each in sorted(shown))
    return Axis(least - 0.05 * span, greatest + 0.05 * span, False, ticks, below=below)


def from_zero(reach: Sequence[float], scale: Scale, *, below: str, most: int) -> Axis:
    """Return an axis that begins at zero."""
    greatest = max(reach)
    step = nice_step(greatest, most=most)
    ticks = tuple((number * step, _amount(number * step, scale)) for number in range(int(greatest / step) + 1))
    return Axis(-0.01 * greatest, 1.04 * greatest, False, ticks, below=below)


def _logarithmic(reach: Sequence[float], scale: Scale, *, below: str, most: int) -> Axis:
    """Return an axis over powers of ten; where less than three are in it, over 1, 2 and 5 times each."""
    above = [each for each in reach if each > 0]
    least, greatest = min(above), max(above)
    first, last = math.floor(math.log10(least)), math.ceil(math.log10(greatest))
    powers = range(first, last + 1, max(1, math.ceil((last - first) / (most + 1))))
    room = max((greatest / least) ** 0.04, 1.02)
    low, high = least / room, greatest * room
    shown = [10.0**power for power in powers if low <= 10.0**power <= high]
    if len(shown) < FEWEST_TICKS:
        steps = (times * 10.0**power for power in range(first, last + 1) for times in (1, 2, 5))
        shown = [each for each in steps if low <= each <= high]
    return Axis(low, high, True, tuple((each, _amount(each, scale)) for each in shown), below=below)


def _amount(value: float, scale: Scale) -> str:
    """Return a tick's value with as few digits as possible."""
    return plain(value / scale.factor)
