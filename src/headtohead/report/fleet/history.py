"""A history in words and as a chart."""

import shlex
from collections.abc import Iterator, Mapping

from headtohead.model.analysis.history import HistoryPoint, HistorySeries, LevelChange
from headtohead.report.drawing.axes import Axis, nice_step
from headtohead.report.drawing.chart import Chart
from headtohead.report.drawing.lines import Plot, Series
from headtohead.report.text.names import plural
from headtohead.report.text.numbers import signed_percent, significant

DAY_LETTERS = 10
"""The letters of a day in a time such as 2026-11-20T10:00:00Z."""


def title_of(series: HistorySeries) -> str:
    """Return what a series shows."""
    return f"{series.metric} of {series.other} relative to {series.reference} ({series.experiment})"


def lines_of(series: HistorySeries) -> Iterator[str]:
    """Yield a line for each point, then what changed."""
    for each, level in zip(series.points, series.levels, strict=True):
        yield f"  {_point(each)}  level {significant(level)}"
    if not series.enough:
        yield f"  {plural(len(series.points), 'point')}: changes are looked for from 12 points on."
    elif not series.changes:
        yield f"  No change of level in {plural(len(series.points), 'point')}."
    for change in series.changes:
        yield f"  {change_sentence(change, {each.folder: each.version for each in series.points})}"


def change_sentence(change: LevelChange, versions: Mapping[str, str]) -> str:
    """Return a possible change, and the command that shows whether it is one; ``versions`` are those of folders."""
    named = [shlex.quote(versions.get(each) or each) for each in (change.before, change.after)]
    race = " ".join(f"--name {each} --serve CMD" for each in named)
    return (
        f"Possible change of {signed_percent(100 * (change.ratio - 1))} between {change.before} and {change.after}. "
        f"Compare the two versions before you call it one: `headtohead race {race} --get PATH --fail-if worse`, "
        "CMD starting each (--batch CMD for programs)."
    )


def _point(point: HistoryPoint) -> str:
    interval = point.ratio.interval
    ends = f" [{significant(interval.low)}, {significant(interval.high)}]" if interval else ""
    parts = (point.started_at[:DAY_LETTERS], point.folder, f"{significant(point.ratio.value)}{ends}", point.version)
    return "  ".join(filter(None, parts))


def chart_of(series: HistorySeries) -> Chart:
    """Return the ratios over the sessions, each with its interval, and the line of their levels."""
    across = tuple(float(place) for place in range(1, len(series.points) + 1))
    values = [each.ratio.value for each in series.points]
    intervals = [each.ratio.interval for each in series.points]
    drawn = Series(
        label=series.other,
        text=plural(len(values), "session"),
        points=tuple(zip(across, values, strict=True)),
        line=tuple(zip(across, series.levels, strict=True)),
        bars=tuple((at, one.low, one.high) for at, one in zip(across, intervals, strict=True) if one is not None),
    )
    reach = [*values, *(end for each in drawn.bars for end in each[1:]), 1.0]
    uprights = tuple(
        (at - 0.5, "possible change") for at, each in zip(across, series.points, strict=True) if _begins(series, each)
    )

    def plot(most: int) -> Plot:
        days = [(at, each.started_at[:DAY_LETTERS]) for at, each in zip(across, series.points, strict=True)]
        shown = days[:: max(1, -(-len(days) // most))]
        sessions = Axis(0.5, len(across) + 0.5, False, tuple(shown), below="session")
        return Plot((drawn,), sessions, _ratios(reach), "", limit=(1.0, series.reference), uprights=uprights)

    described = (
        f"The ratio in each of {plural(len(values), 'session')}, with {plural(len(series.changes), 'possible change')}."
    )
    return Chart("history", title_of(series), described, plot(6), plot(3))


def _begins(series: HistorySeries, point: HistoryPoint) -> bool:
    return any(each.after == point.folder for each in series.changes)


def _ratios(reach: list[float]) -> Axis:
    """Return an axis of ratios; it need not begin at zero, as 1 is where nothing differs."""
    low, high = min(reach), max(reach)
    step = nice_step(max(high - low, 0.01), most=6)
    first, last = int(low // step), int(-(-high // step))
    return Axis(
        first * step, last * step, False, tuple((each * step, f"{each * step:.4g}") for each in range(first, last + 1))
    )
