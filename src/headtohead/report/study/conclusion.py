"""The conclusion, by role: what a verdict means for one who buys, one who tunes and one who runs a server.

A sentence stands here only where a verdict carries it, and says no more than the end of its interval that is nearest
to no change. Where there is no verdict nothing follows, and nothing is said.
"""

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.estimates import Interval
from headtohead.model.analysis.results import Analysis, ExperimentResult
from headtohead.model.analysis.sweeps import Scaling
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import Metric
from headtohead.model.record import Recording
from headtohead.report.document import Role
from headtohead.report.experiment.crossings import shown_changes
from headtohead.report.study.noise import noise_caveat
from headtohead.report.text.names import counted, counted_many, plural
from headtohead.report.text.numbers import count, percent, percent_decimals, signed_percent
from headtohead.report.text.verdicts import TIMES, margin, said, word

BUYS, TUNES, RUNS = "If you choose what to buy or install", "If you tune it", "If you run it"
_CHOSEN = ("subject", "cpus")
"""Factors that are bought or installed; settings of a subject are tuned, and all else is how it is run."""
MOST = 8
"""So many sentences a role; of more it is said how many stand above."""


def conclusion(analysis: Analysis, recording: Recording) -> tuple[Role, ...]:
    """Return what follows for each role, in the order of the experiments; roles for which nothing does are left out.

    Where a winner is named the caveat about the machine's noise stands too, if there is one.
    """
    planned = {each.name: each for each in recording.plan.experiments}
    told: dict[str, list[str]] = {BUYS: [], TUNES: [], RUNS: []}
    named: set[str] = set()
    for result in analysis.experiments:
        for each in result.comparisons:
            role = _role(each, result, planned.get(result.name))
            if text := _follows(each, result, role):
                told[role].append(f"{result.name}: {text}")
                named |= {role} if each.verdict in ("better", "worse") else set()
        for change in _carried(result):
            role = _role(result.comparisons[0], result, planned.get(result.name))
            told[role].append(f"{result.name}: which to choose depends: {change[0].lower()}{change[1:]}")
    caveat = noise_caveat(recording.noise, recording.hosts)
    last = {role: (caveat,) for role in named if caveat}
    return tuple(Role(role, (*_few(lines), *last.get(role, ()))) for role, lines in told.items() if lines)


def _carried(result: ExperimentResult) -> tuple[str, ...]:
    """Return where two change places, where something of the experiment has a verdict."""
    return shown_changes(result) if any(each.verdict in ("better", "worse") for each in result.comparisons) else ()


def _few(lines: list[str]) -> list[str]:
    left = len(lines) - MOST
    return [*lines[:MOST], f"{plural(left, 'more verdict')} of this kind stand above."] if left > 0 else lines


def _role(comparison: ComparisonResult, result: ExperimentResult, planned: PlannedExperiment | None) -> str:
    if result.metric.per is not None:
        return RUNS
    if comparison.factor in _CHOSEN:
        return BUYS
    settings = [each.settings for each in planned.treatments] if planned else []
    return TUNES if any(comparison.factor in each for each in settings) else RUNS


def _follows(comparison: ComparisonResult, result: ExperimentResult, role: str) -> str:
    """Return what follows from a comparison; empty where there is no verdict."""
    kind = said(comparison, result).kind
    interval = comparison.ratio.interval if comparison.ratio else None
    if kind == "same":
        pair = f"{comparison.baseline} and {comparison.other}"
        return f"{pair} come to the same within {margin(result.matters)}; let something else decide."
    if kind not in ("better", "worse") or interval is None:
        return ""
    if result.metric.per is not None:
        return _each_of_several(comparison, result.metric, interval)
    if role == BUYS and comparison.scaling:
        return _more_of(comparison.scaling)
    least = _at_least(result.metric, interval)
    maybe = "" if comparison.at_least_margin else f"; it may be less than the {margin(result.matters)} that matters"
    if kind == "better":
        return f"{comparison.other} rather than {comparison.baseline}: {least}{maybe}."
    verb = "" if " " in word(result.metric, interval.high) else "is "
    return f"{comparison.baseline} rather than {comparison.other}, which {verb}{least}{maybe}."


def _at_least(metric: Metric, interval: Interval) -> str:
    """Return the metric's word for the other of two, by the end of its interval that is nearest to no change."""
    nearest = interval.low if interval.low > 1 else interval.high
    told, size = word(metric, nearest), percent(100 * abs(nearest - 1))
    if metric.better != "lower":
        return f"{told} by at least {size}"
    return f"{told}, at least {size} {'less' if nearest < 1 else 'more'}{' time' if metric.unit in TIMES else ''}"


def _more_of(grown: Scaling) -> str:
    """Return what more of something countable brings at least, beside its ideal; empty where it may be nothing."""
    if grown.interval.low <= 0:
        return ""
    what = f"going from {count(grown.low)} to {count(grown.high)} {counted_many(grown.factor)}"
    if (grown.low, grown.high) == (1, 2):
        what = f"a second {counted(grown.factor)}"
    least, ideal = signed_percent(100 * grown.interval.low), signed_percent(100 * grown.ideal)
    return f"{what} brings at least {least} (ideal {ideal})."


def _each_of_several(comparison: ComparisonResult, metric: Metric, interval: Interval) -> str:
    """Return what a metric comes to that is counted for each of several: nobody chooses how many by it."""
    ends = sorted(100 * abs(each - 1) for each in (interval.low, interval.high))
    low, high = (percent(each, percent_decimals(ends)) for each in ends)
    told = word(metric, interval.low if interval.low > 1 else interval.high)
    return f"with {comparison.other} each by itself is {told} by {low} to {high} than with {comparison.baseline}."
