"""The run-order strip: every run in time, its value against its treatment's others, and what happened to it."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace

from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.record import Run
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Figure
from headtohead.report.drawing.axes import Axis, nice_step
from headtohead.report.drawing.chart import Chart
from headtohead.report.drawing.intervals import thinned
from headtohead.report.drawing.run_strip import Mark, Strip
from headtohead.report.experiment.change_charts import series_of
from headtohead.report.experiment.runs.runs_table import replaced, run_points
from headtohead.report.text.names import metric_title
from headtohead.report.text.numbers.dates_and_durations import instant
from headtohead.report.text.numbers.percents import signed_percent
from headtohead.report.text.numbers.values_with_units import Scale, plain, scale_for
from headtohead.report.text.repeated_cases_and_their_effect import what_repeated
from headtohead.report.text.wording import listed, plural

_FEWEST = 3
"""Fewer runs than this have no order to look at."""
MOST_MARKS = 600
"""More runs than this are thinned; those with repeats, those discarded and those far from the others all remain."""
MOST_SEEN = 4
"""The runs of which a caption has what was seen in their parts that were measured again."""
_LEAST_REACH = 1.0
"""The axis shows at least this many percent in both directions: smaller differences would look large."""
_SPANS = ((1.0, "s", 180.0), (60.0, "min", 180.0), (3600.0, "h", 72.0), (86400.0, "days", float("inf")))


def draw_order(context: ExperimentContext, *, prefix: str) -> tuple[Figure, ...]:
    """Return the run-order strip of an experiment; none if it has too few runs."""
    marks = _marks(context)
    if sum(each.away is not None for each in marks) < _FEWEST:
        return ()
    shown = _thinned(marks)
    factor, unit = _unit([each.at for each in marks])
    placed = tuple(replace(each, at=each.at / factor) for each in shown)
    wide, narrow = (_strip(context, placed, unit=unit, most=most) for most in (8, 4))
    summary = metric_title(context.result.primary.name)
    title = f"Every run in the order of time, {summary} against the median of its setup"
    described = "; ".join(each.title for each in shown if each.note or each.repeated or each.discarded)
    caption = _caption(wide, total=len(marks))
    return (Figure(Chart(f"{prefix}o", title, described or "no run stands out", wide, narrow), caption),)


def _marks(context: ExperimentContext) -> list[Mark]:
    """Return a mark for each run; its time is in seconds from the first run of the experiment."""
    timed = [(at, each) for each in context.runs if (at := instant(each.run.started_at))]
    runs = [each for _, each in timed]
    points, far, again = run_points(context.result, runs), _far(context.result), replaced(context.result, runs)
    middles = {each.label: statistics.median(each.points) for each in context.result.treatments if each.points}
    first = min((at for at, _ in timed), default=None)
    scale = scale_for(context.result.metric.unit, points.values())
    return [
        _mark(
            context.result,
            each.run,
            (at - first).total_seconds(),
            points=points,
            middles=middles,
            scale=scale,
            far=far,
            again=again,
        )
        for at, each in timed
        if first is not None
    ]


def _mark(
    result: ExperimentResult,
    run: Run,
    at: float,
    *,
    points: Mapping[int, float],
    middles: Mapping[str, float],
    scale: Scale,
    far: set[int],
    again: Mapping[int, str],
) -> Mark:
    value, middle = points.get(run.run), middles.get(run.label)
    away = 100 * (value / middle - 1) if value is not None and middle else None
    return Mark(
        at=at,
        away=away,
        series=series_of(result, run.label),
        title=_title(run, value, away, scale=scale, again=again.get(run.run)),
        repeated=run.status == "valid" and run.repeated,
        discarded=run.status != "valid" or run.run in again,
        seen=f"run {run.run}, {what_repeated(run)}" if run.repeated else "",
        note=f"run {run.run}: {signed_percent(away)}" if run.run in far and away is not None else "",
        taken_s=(run.cpu_s.foreign or 0.0) + (run.cpu_s.steal or 0.0),
    )


def _title(run: Run, value: float | None, away: float | None, *, scale: Scale, again: str | None) -> str:
    """Return what a mark shows under the pointer: run, setup, value, CPU used by others, steal, and what happened."""
    parts = [f"run {run.run}, {run.label}"]
    if value is not None and away is not None:
        parts.append(f"{scale.full(value)}, {signed_percent(away)} from the median")
    used = (("CPU used by other processes", run.cpu_s.foreign), ("steal", run.cpu_s.steal))
    parts.extend(f"{name} {plain(seconds)} s" for name, seconds in used if seconds is not None)
    if run.status != "valid":
        parts.append(f"{run.status}: {'; '.join(run.reasons) or 'no reason was recorded'}")
    elif again is not None:
        parts.append(again)
    elif run.repeated:
        parts.append(f"a part measured again: {what_repeated(run)}")
    return "; ".join(parts)


def _far(result: ExperimentResult) -> set[int]:
    """Return the runs that the analysis found far from the others of their treatment."""
    found = [str(each.evidence.get("runs", "")) for each in result.findings if each.id == "outlier"]
    return {int(number) for runs in found for number in runs.split(", ") if number.isdigit()}


def _thinned(marks: Sequence[Mark]) -> list[Mark]:
    if len(marks) <= MOST_MARKS:
        return list(marks)
    plain_ones = [
        each for each in marks if not (each.note or each.repeated or each.discarded) and each.away is not None
    ]
    kept = {id(plain_ones[place]) for place in thinned([each.away or 0.0 for each in plain_ones], MOST_MARKS)}
    usual = {id(each) for each in plain_ones}
    return [each for each in marks if id(each) in kept or id(each) not in usual]


def _unit(times: Sequence[float]) -> tuple[float, str]:
    """Return the unit of time that suits a span in seconds: its seconds, and its name.

    >>> _unit([0.0, 400.0]), _unit([0.0, 90.0])
    ((60.0, 'min'), (1.0, 's'))
    """
    return next((factor, unit) for factor, unit, most in _SPANS if max(times) < most * factor)


def _strip(context: ExperimentContext, marks: tuple[Mark, ...], *, unit: str, most: int) -> Strip:
    last = max(each.at for each in marks) or 1.0
    step = nice_step(last, most=most)
    ticks = tuple((number * step, plain(number * step)) for number in range(int(last / step) + 1))
    across = Axis(-0.03 * last, 1.03 * last, False, ticks, below=f"start of the run, {unit} after the first")
    away = [each.away for each in marks if each.away is not None]
    low, high = min(*away, -_LEAST_REACH), max(*away, _LEAST_REACH)
    names = tuple((each.label, series_of(context.result, each.label)) for each in context.result.treatments)
    return Strip(marks, names, across, _percents(low, high), "against the median of the same setup")


def _percents(low: float, high: float) -> Axis:
    """Return an axis of changes in percent."""
    step = nice_step(high - low, most=5)
    room = 0.08 * (high - low)
    first, last = -int(-(low - room) / step), int((high + room) / step)
    ticks = tuple((number * step, signed_percent(number * step)) for number in range(first, last + 1))
    return Axis(low - room, high + room, False, ticks)


def _seen(strip: Strip) -> str:
    """Return what was seen in the parts that were measured again, of a few runs; of more where it is."""
    seen = [each.seen for each in strip.marks if each.repeated]
    more = f"; {len(seen) - MOST_SEEN} more in the table of every run" if len(seen) > MOST_SEEN else ""
    return f"{'; '.join(seen[:MOST_SEEN])}{more}"


def _caption(strip: Strip, *, total: int) -> str:
    marks = strip.marks
    again, discarded = sum(each.repeated for each in marks), sum(each.discarded for each in marks)
    far = [each.note for each in marks if each.note]
    parts = ["Every run in the order of time; its value against the median of its setup."]
    if len(marks) < total:
        parts.append(f"{len(marks):,} of {total:,} runs are drawn, evenly by rank.")
    if again:
        parts.append(f"Ring: a part of the run was measured again ({plural(again, 'run')}: {_seen(strip)}).")
    if discarded:
        parts.append(f"Cross: discarded ({plural(discarded, 'run')}); the reason is in the table of every run.")
    if strip.most_taken_s:
        worst = max(marks, key=lambda each: each.taken_s).title.partition(",")[0]
        most = f"{plain(strip.most_taken_s)} s of CPU time ({worst})"
        parts.append(f"Bars below: what other programs and the hypervisor took while a run was measured, up to {most}.")
    if far:
        parts.append(f"Far from the others and kept: {listed(far)}.")
    return " ".join(parts)
