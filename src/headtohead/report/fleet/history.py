"""A history in words and as a chart."""

import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePath

from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.history import HistoryPoint, HistorySeries, LevelChange
from headtohead.report.drawing.axes import Axis, nice_step
from headtohead.report.drawing.chart import Chart
from headtohead.report.drawing.lines import Plot, Series
from headtohead.report.text.differences import margin_text
from headtohead.report.text.names import plain_words
from headtohead.report.text.numbers.percents import percent, signed_percent
from headtohead.report.text.numbers.values_with_units import significant
from headtohead.report.text.wording import capital, plural

DAY_LETTERS = 10
"""The letters of a day in a time such as 2026-11-20T10:00:00Z."""
_BY_VERIFY = "The same command with --verify races the two versions, which shows whether it is one."


def title_of(series: HistorySeries) -> str:
    """Return what a series shows."""
    return (
        f"{capital(plain_words(series.metric))} of {series.other} relative to {series.reference} ({series.experiment})"
    )


def lines_of(series: HistorySeries) -> Iterator[str]:
    """Yield a line for each point, then what changed."""
    for each, level in zip(series.points, series.levels, strict=True):
        yield f"  {_point(each)}  level {significant(level)}"
    if not series.enough:
        yield f"  {plural(len(series.points), 'point')}: changes are looked for from 12 points on."
    elif not series.changes:
        yield f"  No change of level in {plural(len(series.points), 'point')}."
    for change in series.changes:
        yield f"  {change_sentence(change, matters=series.matters)}"
    if series.found_soon is not None:
        step = percent(100 * (series.found_soon - 1), 1)
        yield f"  About 9 of 10 steps of {step} would show within 5 sessions; with more blocks a session, smaller ones."


def change_sentence(change: LevelChange, *, matters: float) -> str:
    """Return a change with what the race of its versions showed, or what shows whether it is one."""
    moved, between = signed_percent(100 * (change.ratio - 1)), f"between {change.before} and {change.after}"
    race = change.race
    if race is None:
        how = _by_hand(change.why_not) if change.why_not else _BY_VERIFY
        return f"Possible change of {moved} {between}. {how}"
    ratio = f" of {_estimate(race.ratio)}" if race.ratio is not None else ""
    if change.confirmed:
        return f"Change of {moved} {between}: a race of the two versions has a ratio{ratio} ({race.folder})."
    if race.verdict in ("inconclusive", "not-measured"):
        more = f"headtohead run {shlex.quote(f'{race.folder}/content/race.toml')}"
        more += f" --results {shlex.quote(str(PurePath(race.folder).parent))}"
        what = f"has no verdict, with a ratio{ratio}" if race.verdict == "inconclusive" else "was not measured"
        more += " --more 12" if race.verdict == "inconclusive" else ""
        return f"Possible change of {moved} {between}: a race of the two versions {what} ({race.folder}). `{more}`"
    what = f"the same within {margin_text(matters)}" if race.verdict == "same" else "in the other direction"
    return (
        f"No change {between}, though the level moved by {moved}: a race of the two versions has a ratio{ratio},"
        f" {what} ({race.folder})."
    )


def _by_hand(why_not: str) -> str:
    return (
        f"The two versions cannot be raced from these results: {why_not.rstrip('.')}. Race them before you call it a "
        "change: `headtohead race --name before --serve CMD --name after --serve CMD --get PATH`, CMD starting each "
        "(--batch CMD for programs)."
    )


def _point(point: HistoryPoint) -> str:
    parts = (point.started_at[:DAY_LETTERS], point.folder, _estimate(point.ratio), point.version)
    return "  ".join(filter(None, parts))


def _estimate(ratio: Estimate) -> str:
    interval = ratio.interval
    ends = f" [{significant(interval.low)}, {significant(interval.high)}]" if interval else ""
    return f"{significant(ratio.value)}{ends}"


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
    begins = {each.after: "change" if each.confirmed else "possible change" for each in series.changes if _shown(each)}
    uprights = tuple(
        (at - 0.5, begins[each.folder]) for at, each in zip(across, series.points, strict=True) if each.folder in begins
    )

    def plot(most: int) -> Plot:
        days = [(at, each.started_at[:DAY_LETTERS]) for at, each in zip(across, series.points, strict=True)]
        shown = days[:: max(1, -(-len(days) // most))]
        sessions = Axis(0.5, len(across) + 0.5, False, tuple(shown), below="session")
        return Plot((drawn,), sessions, _ratios(reach), "", limit=(1.0, series.reference), uprights=uprights)

    marks = " and ".join(plural(count, mark) for mark, count in Counter(begins.values()).items())
    described = f"The ratio in each of {plural(len(values), 'session')}, with {marks or 'no change'}."
    return Chart("history", title_of(series), described, plot(6), plot(3))


def _shown(change: LevelChange) -> bool:
    """Return whether a change was not refuted."""
    return change.race is None or change.confirmed or change.race.verdict in ("inconclusive", "not-measured")


def _ratios(reach: list[float]) -> Axis:
    """Return an axis of ratios; it need not begin at zero, as 1 is where nothing differs."""
    low, high = min(reach), max(reach)
    step = nice_step(max(high - low, 0.01), most=6)
    first, last = int(low // step), int(-(-high // step))
    return Axis(
        first * step, last * step, False, tuple((each * step, f"{each * step:.4g}") for each in range(first, last + 1))
    )
