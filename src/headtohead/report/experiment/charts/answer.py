"""The one chart that answers an experiment's question: values as bars from zero, or intervals where these decide."""

from headtohead.model.analysis.comparison import ComparisonResult, Exploratory
from headtohead.model.analysis.results import ExperimentResult
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Figure
from headtohead.report.experiment.change_charts import change_figure, ratio_line
from headtohead.report.experiment.charts.bars import value_bars, value_kind
from headtohead.report.text.differences import margin_text
from headtohead.report.text.names import metric_title
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.setup_names import levels_apart
from headtohead.report.text.verdicts import verdict_text
from headtohead.report.text.wording import capital

_UNDECIDED = ("same", "inconclusive")
_MOST_ROWS = 16
"""An interval plot with more cases than this shows the deciding ratios alone."""


def answer_chart(context: ExperimentContext, *, prefix: str) -> Figure | None:
    """Return the chart of an answer card; ``prefix`` makes its ids unique in the page. None if nothing was measured.

    Where a comparison has a winner, or nothing was compared, it has bars of values. Where all are the same or open, the
    intervals are what matters: it has those, with the margin as a band.
    """
    compared = [each for each in context.result.comparisons if each.ratio and each.ratio.interval]
    if compared and all(verdict_text(each, context.result).kind in _UNDECIDED for each in compared):
        return interval_plot(context, compared, prefix=prefix)
    return value_bars(context, prefix=prefix)


def interval_plot(context: ExperimentContext, compared: list[ComparisonResult], *, prefix: str) -> Figure:
    """Return the change of each comparison with its interval, and of each case of a suite; the margin is a band."""
    result = context.result
    lines = []
    for each in compared:
        whole = f"all {len(cases)}" if (cases := _cases(result, each)) else metric_title(result.primary.name)
        label = f"{each.other} against {each.baseline}" if len(compared) > 1 else whole
        lines.append(ratio_line(result, each, each.ratio, label, solid=True, points=each.blocks))
        if len(cases) * len(compared) <= _MOST_ROWS:
            lines.extend(
                ratio_line(result, each, exploratory.ratio, exploratory.case.levels[result.suite], solid=False)
                for exploratory in cases
            )
    whom = _whom(compared[0]) if len(compared) == 1 else "Each against its baseline"
    points = "Circles: blocks. " if any(each.points for each in lines) else ""
    alone = f"Full mark: all, which decides; hollow: each {result.suite}. " if len(lines) > len(compared) else ""
    kind = f"{capital(value_kind(context))}. " if value_kind(context) else ""
    margin = margin_text(result.matters)
    bar = f"Bar: the interval{_levels(context, compared, result.suite if alone else '')}. "
    caption = f"{whom}. {kind}{points}{alone}{bar}Shaded: too small to matter ({margin})."
    title = f"{whom}, change of {metric_title(result.primary.of)}"
    return change_figure(context, lines, prefix=prefix, title=title, caption=caption)


def _levels(context: ExperimentContext, compared: list[ComparisonResult], suite: str) -> str:
    """Return the level of the bars: over all checks, as the card has it, then that of each of a suite's cases.

    Empty if an interval is not known.
    """
    own = {each.ratio.interval.confidence for each in compared if each.ratio and each.ratio.interval}
    cases = [case.ratio.interval for each in compared for case in _cases(context.result, each)]
    if not own:
        return ""
    at_each = " and ".join(share(each) for each in sorted(own))
    text = share(1 - context.planned.error) if context.planned else at_each
    alone = " and ".join(sorted({share(each.confidence) for each in cases if each})) if suite else ""
    return f" ({text}; {alone} for each {suite})" if alone else f" ({text})"


def _whom(comparison: ComparisonResult) -> str:
    other, baseline = comparison.other, comparison.baseline
    return f"{levels_apart(other, baseline) or other} against {levels_apart(baseline, other) or baseline}"


def _cases(result: ExperimentResult, comparison: ComparisonResult) -> list[Exploratory]:
    """Return the cases of a suite, the best first; none if the experiment is no suite."""
    if not result.suite:
        return []
    found = [each for each in comparison.exploratory if each.metric == result.primary.of and each.case]
    return sorted(found, key=lambda each: each.ratio.value, reverse=result.metric.better != "lower")
