"""Values as bars from zero: the primary summary of each treatment, and of each case."""

from collections.abc import Iterator, Sequence

from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.results import TreatmentResult
from headtohead.model.case import Case
from headtohead.model.quantity import scalar_text
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Figure
from headtohead.report.drawing.axes import RUNS_ON
from headtohead.report.drawing.bars import Bar, BarChart
from headtohead.report.drawing.chart import same_on_both
from headtohead.report.experiment.values.cells import level_text
from headtohead.report.text.cases_of_primary_value import over_unlike
from headtohead.report.text.names import case_phrase, case_title, metric_title, summary_of
from headtohead.report.text.numbers.values_with_units import Scale, bracketed, scale_for
from headtohead.report.text.wording import capital, listed, plural

_FEW = 6
"""Up to this many levels are listed in a caption."""
_AVERAGES = ("geometric-mean", "mean")
"""Summaries that a caption calls an average; the tables have their kind."""
_REACH = 1.5
"""An interval is cut off this many times beyond the greatest value: two or three runs may have endless ones."""


def draw_values(context: ExperimentContext, *, prefix: str) -> tuple[Figure, ...]:
    """Return the bars of an experiment's section: the primary summary, then each case."""
    drawn = value_bars(context, prefix=f"{prefix}v", cases=True)
    return (drawn,) if drawn else ()


def value_bars(context: ExperimentContext, *, prefix: str, cases: bool = False) -> Figure | None:
    """Return the primary value of each treatment as a bar from zero, the harness's own limit as a dashed line.

    With ``cases`` those follow, if no curve shows them; of unlike work they are alone, as its mean has no meaning by
    itself. None if nothing was measured.
    """
    alone = cases and over_unlike(context.result)
    found = [*(() if alone else _decides(context)), *(_each_case(context) if cases else ())]
    estimates = [estimate for _, treatments in found for _, _, estimate in treatments]
    if not any(not each.floor for _, treatments in found for _, each, _ in treatments):
        return None
    scale = scale_for(context.result.metric.unit, [each.value for each in estimates])
    most = _REACH * max(each.value for each in estimates)
    bars: list[Bar] = []
    for heading, treatments in found:
        if len(found) > 1:
            bars.append(Bar(heading))
        ordered = sorted(treatments, key=lambda each: each[1].floor)
        bars += [_bar(each, estimate, number, scale=scale, most=most) for number, each, estimate in ordered]
    title = f"{capital(context.titled(context.result.primary.of))} of each setup"
    described = "; ".join(each.title or each.label for each in bars)
    chart = same_on_both(BarChart(tuple(bars)), name=prefix, title=title, description=described)
    return Figure(chart, f"{_caption(context, estimates, cases=cases)}{_beyond(estimates, most)}")


Valued = tuple[int, TreatmentResult, Estimate]
"""A treatment that was measured: its number, which gives its color, and its value."""


def _decides(context: ExperimentContext) -> Iterator[tuple[str, list[Valued]]]:
    """Yield the title of the primary summary and its values."""
    every = enumerate(context.result.treatments)
    found = [(number, each, each.primary) for number, each in every if each.primary]
    yield capital(metric_title(context.result.primary.name)), found


def _each_case(context: ExperimentContext) -> Iterator[tuple[str, list[Valued]]]:
    """Yield each case and its values; those of sweeps and suites have charts of their own."""
    result = context.result
    for case in [] if result.sweeps or result.suite else context.cases():
        cells = [context.cell(each, case=case, metric=result.primary.of) for each in result.treatments]
        every = enumerate(zip(result.treatments, cells, strict=True))
        if found := [(number, each, cell.estimate) for number, (each, cell) in every if cell]:
            yield capital(case_title(case)), found


def _bar(treatment: TreatmentResult, estimate: Estimate, number: int, *, scale: Scale, most: float) -> Bar:
    interval = estimate.interval
    text = scale.full(estimate.value)
    between = f" {bracketed(scale.bare(interval.low), scale.bare(interval.high))}" if interval else ""
    return Bar(
        f"limit ({treatment.label})" if treatment.floor else treatment.label,
        value=estimate.value,
        low=max(interval.low, 0.0) if interval else None,
        high=min(interval.high, most) if interval else None,
        runs_on=interval is not None and interval.high > most,
        text=text,
        series=number,
        limit=treatment.floor,
        title=f"{treatment.label}: {text}{between}, {plural(estimate.n, 'run')}",
    )


def _caption(context: ExperimentContext, estimates: Sequence[Estimate], *, cases: bool) -> str:
    result = context.result
    better = {"higher": " More is better.", "lower": " Less is better."}.get(result.metric.better, "")
    limits = listed([each.label for each in result.treatments if each.floor and each.primary])
    limit = f" Dashed: a server that does no work ({limits})." if limits else ""
    intervals = f", with intervals{level}" if (level := level_text(estimates)) else ""
    kind = value_kind(context) or f"{context.titled(result.primary.of)} of each setup{_users(context)}"
    then = " in each case" if over_unlike(result) else "; then each case"
    each_case = then if cases and len(context.cases()) > 1 and not (result.sweeps or result.suite) else ""
    work = f"{result.workload_title}. " if not cases and context.load and context.load.loop != "batch" else ""
    return f"{work}{capital(kind)}{each_case}{intervals}.{better}{limit}"


def _users(context: ExperimentContext) -> str:
    """Return how many users waited for responses, where there is one number of them: `` at 10 connections``."""
    load = context.load
    given = {**{name: (each,) for name, each in load.settings.items()}, **load.cases} if load else {}
    users = given.get("connections", ()) if load and load.loop == "closed" else ()
    many = [case_phrase(Case({"connections": scalar_text(each)})).removeprefix("with ") for each in users]
    return f" at {many[0]}" if len(many) == 1 else ""


def value_kind(context: ExperimentContext) -> str:
    """Return what the values are of several cases: ``the mean of correct responses over connections 1 and 10``.

    Empty if there is one value for each run, or a mean over unlike work.
    """
    result = context.result
    if over_unlike(result) or len(context.cases()) < 2:
        return ""
    levels = context.load.cases if context.load else {}
    several = [(name, each) for name, each in levels.items() if len(each) > 1]
    name, few = several[0] if len(several) == 1 else ("", [])
    over = f"{metric_title(name)} {listed([scalar_text(each) for each in few])}"
    made, where = summary_of(result.primary), result.primary.where
    if where and not result.primary.at and all(len(each) == 1 for each in where.values()):
        pinned = case_title(Case({key: each[0] for key, each in where.items()}))
        return f"{context.titled(result.primary.of)} of each setup, {pinned}"
    if result.primary.by in _AVERAGES and 0 < len(few) <= _FEW and not where:
        return f"{context.titled(result.primary.of)}, averaged over {over}"
    return made.replace("all cases", over) if 0 < len(few) <= _FEW else made


def _beyond(estimates: Sequence[Estimate], most: float) -> str:
    return RUNS_ON if any(each.interval and each.interval.high > most for each in estimates) else ""
