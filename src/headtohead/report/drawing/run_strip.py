"""Draws runs in the order of time: each as a mark at its distance from the other runs of its treatment."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from headtohead.report.drawing.axes import Axis
from headtohead.report.drawing.canvas import Canvas, Frame, Layout
from headtohead.report.drawing.chart_style import LETTER, color_of, marker_of
from headtohead.report.drawing.page_svg import INK, MUTED, RULE

_ROW, _TITLE, _PLOT, _LANE, _FOOT, _RIGHT, _EDGE = 20.0, 24.0, 150.0, 22.0, 42.0, 16.0, 8.0
_BARS, _GAP = 30.0, 6.0
"""The height of the lane with the CPU time that was taken, in px, and of what stays free above its highest bar."""
LEAST_TAKEN_S = 0.1
"""If less CPU time was taken from every run, there is nothing to see and no lane."""
TAKEN = "taken"
_ABOUT, _HIGH = 5.0, 12.0
"""Room around a note, and from its middle up and down, in px."""
_HALF = 7.0
"""Half the height of a note, in px."""
_MOST_NOTES = 5
"""More notes than this would cover each other: then marks have titles alone."""


@dataclass(frozen=True)
class Mark:
    """One run: when, its distance in percent (None: it has no value), its treatment's number, and its title.

    ``repeated`` has a ring around it, ``discarded`` is a cross in a lane below the others, ``note`` is written at it.
    ``seen`` is what was seen in its parts that were measured again, for the caption. ``taken_s`` is the CPU time that
    other programs and the hypervisor took while it was measured, a bar below it.
    """

    at: float
    away: float | None
    series: int
    title: str
    repeated: bool = False
    discarded: bool = False
    note: str = ""
    seen: str = ""
    taken_s: float = 0.0


@dataclass(frozen=True)
class Strip:
    """Runs in time; ``names`` are the treatments with their numbers."""

    marks: tuple[Mark, ...]
    names: tuple[tuple[str, int], ...]
    across: Axis
    up: Axis
    title: str

    @property
    def noted(self) -> "tuple[Mark, ...]":
        """The marks that have their note written at them: none if there are too many for one plot."""
        found = tuple(each for each in self.marks if each.note)
        return found if len(found) <= _MOST_NOTES else ()

    @property
    def most_taken_s(self) -> float:
        """The most CPU time that was taken from a run; 0 if too little to be shown."""
        most = max((each.taken_s for each in self.marks), default=0.0)
        return most if most >= LEAST_TAKEN_S else 0.0

    def lay_out(self, width: float) -> Layout:
        """Return the strip at a width: names, the marks, a lane of CPU time taken, one of runs that do not count."""
        rows = len(_legend(self, width))
        head = rows * _ROW + _TITLE
        lane = _LANE if any(each.discarded for each in self.marks) else 0.0
        bars = _BARS if self.most_taken_s else 0.0
        names = [*(label for _, label in self.up.ticks), *(["discarded"] if lane else []), *([TAKEN] if bars else [])]
        left = max(map(len, names)) * LETTER + 10.0
        frame = Frame(width, head + _PLOT + bars + lane + _FOOT, left, head, width - _RIGHT, head + _PLOT)
        return Layout(frame, self.across, self.up, lambda canvas: self._paint(canvas, lane=lane))

    def _paint(self, canvas: Canvas, *, lane: float) -> None:
        frame = canvas.frame
        _names(canvas, self)
        canvas.write(2, frame.top - 12, self.title, color=MUTED, size=11)
        canvas.rules(self.up.ticks, RULE, upright=False)
        canvas.line([frame.left, frame.right], [0.0, 0.0], INK, space="up")
        bars = frame.bottom + (_BARS if self.most_taken_s else 0.0)
        foot = bars + lane
        for value, label in self.across.ticks:
            canvas.line([value] * 2, [foot, foot + 4], MUTED, space="across")
            canvas.write(value, foot + 6, label, color=MUTED, size=11, side="center", level="top", space="across")
        middle = (frame.left + frame.right) / 2
        canvas.write(middle, foot + 23, self.across.below, color=MUTED, size=11, side="center", level="top")
        if self.most_taken_s:
            canvas.write(frame.left - 6, bars - _BARS / 2, TAKEN, color=MUTED, size=11, side="right")
            _taken(canvas, self, bars)
        if lane:
            canvas.write(frame.left - 6, foot - lane / 2, "discarded", color=MUTED, size=11, side="right")
        _kept(canvas, [each for each in self.marks if each.away is not None and not each.discarded])
        _discarded(canvas, [each for each in self.marks if each.discarded], foot - lane / 2)
        _notes(canvas, self)


def _kept(canvas: Canvas, marks: Sequence[Mark]) -> None:
    """Draw the runs that count in the color and mark of their treatment; a ring around those with repeats."""
    for series in sorted({each.series for each in marks}):
        own = [each for each in marks if each.series == series]
        places = [each.at for each in own], [each.away or 0.0 for each in own]
        titles = [each.title for each in own]
        canvas.dots(*places, color_of(series), marker=marker_of(series), size=4.4, edge=0.8, titles=titles)
    if again := [each for each in marks if each.repeated]:
        places = [each.at for each in again], [each.away or 0.0 for each in again]
        titles = [each.title for each in again]
        canvas.dots(*places, INK, face="none", size=9.0, edge=1.2, titles=titles)


def _taken(canvas: Canvas, strip: Strip, foot: float) -> None:
    """Draw a bar for the CPU time that was taken from each run; the highest fills the lane."""
    xs, ys = list[float](), list[float]()
    for each in strip.marks:
        xs += [each.at, each.at, math.nan]
        ys += [foot, foot - (_BARS - _GAP) * each.taken_s / strip.most_taken_s, math.nan]
    canvas.line(xs, ys, MUTED, width=2.0, space="across")


def _discarded(canvas: Canvas, marks: Sequence[Mark], height: float) -> None:
    for series in sorted({each.series for each in marks}):
        own = [each for each in marks if each.series == series]
        places, titles = [each.at for each in own], [each.title for each in own]
        heights = [height] * len(own)
        canvas.dots(places, heights, color_of(series), marker="x", size=6, edge=1.6, space="across", titles=titles)


def _notes(canvas: Canvas, strip: Strip) -> None:
    """Write the notes at their marks, each where it covers the fewest others, and neither ticks nor the title."""
    frame = canvas.frame
    placed = [(_px(canvas.frame, strip, each), each) for each in strip.marks if each.away is not None]
    taken = [at for at, _ in placed]
    for (x, y), each in placed:
        if each not in strip.noted:
            continue
        wide = len(each.note) * LETTER + _ABOUT
        boxes = [(left, y + up) for up in (0.0, -14.0, 14.0, -28.0, 28.0) for left in (x + 8, x - 8 - wide)]
        inside = [
            (left, middle)
            for left, middle in boxes
            if frame.left <= left <= frame.width - wide
            and frame.top <= middle - _HALF
            and middle + _HALF <= frame.bottom
        ]
        left, middle = min(inside or boxes, key=lambda box: _covered(taken, box, wide))
        canvas.write(left, middle, each.note, size=11, behind=True)
        taken.extend((left + part * wide / 8, middle) for part in range(9))


def _px(frame: Frame, strip: Strip, mark: Mark) -> tuple[float, float]:
    """Return where a mark is, in px."""
    wide, high = frame.inside
    across = (mark.at - strip.across.low) / (strip.across.high - strip.across.low)
    up = ((mark.away or 0.0) - strip.up.low) / (strip.up.high - strip.up.low)
    return frame.left + across * wide, frame.bottom - up * high


def _covered(taken: Sequence[tuple[float, float]], box: tuple[float, float], wide: float) -> int:
    """Return how many marks a text would cover; ``box`` is its left end and its middle, in px."""
    left, middle = box
    return sum(left - _ABOUT <= x <= left + wide + _ABOUT and abs(y - middle) <= _HIGH for x, y in taken)


def _names(canvas: Canvas, strip: Strip) -> None:
    for number, row in enumerate(_legend(strip, canvas.frame.width)):
        for left, name, mark in row:
            color, marker, face, size = mark
            middle = number * _ROW + _ROW / 2
            canvas.dots([left + 6], [middle], color, marker=marker, face=face, size=size, edge=1.2, space="px")
            canvas.write(left + 16, middle, name, size=11)


_Look = tuple[str, str, str, float]


def _legend(strip: Strip, width: float) -> list[list[tuple[float, str, _Look]]]:
    """Return the rows of the legend: for each entry its place across, its name and its mark."""
    entries: list[tuple[str, _Look]] = [(name, (color_of(n), marker_of(n), "", 6.0)) for name, n in strip.names]
    if any(each.repeated for each in strip.marks):
        entries.append(("a part measured again", (INK, "o", "none", 9.0)))
    if any(each.discarded for each in strip.marks):
        entries.append(("discarded", (MUTED, "x", "", 6.0)))
    rows: list[list[tuple[float, str, _Look]]] = [[]]
    left = _EDGE
    for name, look in entries:
        wide = len(name) * LETTER + 34.0
        if rows[-1] and left + wide > width:
            rows.append([])
            left = _EDGE
        rows[-1].append((left, name, look))
        left += wide
    return rows
