"""What several copies do together, if an answer is about each of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.analysis.suite import SuiteCase
from headtohead.report.context import ExperimentContext
from headtohead.report.experiment.suite.sentences import level_of
from headtohead.report.experiment.values.rows_and_columns import arms_of
from headtohead.report.text.cases_of_primary_value import over_unlike
from headtohead.report.text.differences import at_least_factors
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.numbers.ratios import factor
from headtohead.report.text.numbers.values_with_units import count
from headtohead.report.text.setup_names import levels_apart, setup_names
from headtohead.report.text.wording import capital, joined

FEWEST_CASES = 2
"""The cases of a suite, at least, of which the lowest is named."""


@dataclass(frozen=True)
class Total:
    """What several copies do together, as a factor of what fewer do: the low end, the estimate, the high end."""

    comparison: ComparisonResult
    several: str
    one: str
    more: float
    """How many times as many copies there are."""
    ends: tuple[float, float, float]
    over: str = ""
    """That it is an average, with its lowest: ``, on average; lowest: a, 1.7x (1.3x to 2.2x at 99 %)``."""
    least: str = ""
    """The same with the low end of the worst: ``, on average over these; for a single one of them at least 1.2x``."""


def cpus_of_copies(context: ExperimentContext) -> str:
    """Return whether each of several copies of batch work could have a CPU of its own; empty for other answers."""
    cards = [each.card for each in arms_of(context.result) if each.card]
    cpus, copies = {len(each.cpus) for each in cards}, max(copies_of(context).values(), default=0)
    if context.loop != "batch" or len(cpus) != 1 or not copies:
        return ""
    (had,) = cpus
    setups = "both setups" if len(cards) == 2 else "every setup"
    each = "each copy could have its own" if had >= copies else f"{count(copies)} copies took turns"
    return f"{had} in {setups}: {each}."


def together_line(context: ExperimentContext) -> str:
    """Return how much several copies do in all, if the answer is about each of them; empty if it is not."""
    return joined([_in_all(each) for each in totals(context)])


def _in_all(each: Total) -> str:
    low, size, high = at_least_factors(each.ends)
    same = f"(each copy's figure times {count(each.more)}; interval {low} to {high})"
    return f"{capital(each.several)} together do {size} the work of {each.one} {same}{each.over}"


def totals(context: ExperimentContext) -> Iterator[Total]:
    """Yield how much several copies do together, for each comparison whose answer is about each of them."""
    result, many = context.result, copies_of(context)
    for each in result.comparisons:
        ratio = each.ratio
        if each.other in many and each.baseline in many and ratio and ratio.interval and _counts_work(result):
            more = many[each.other] / many[each.baseline]
            ends = (more * ratio.interval.low, more * ratio.value, more * ratio.interval.high)
            names = levels_apart(each.other, each.baseline), levels_apart(each.baseline, each.other)
            several, one = names if all(names) else (each.other, each.baseline)
            yield Total(each, several, one, more, ends, _average_of(result, each, more), _least_of(result, each, more))


def _average_of(result: ExperimentResult, comparison: ComparisonResult, more: float) -> str:
    """Return that a total is an average over unlike work, with its lowest case if that is known."""
    cases = _cases_of(result, comparison)
    if len(cases) < FEWEST_CASES:
        return ", on average over the work measured" if over_unlike(result) else ""
    least = min(cases, key=lambda each: each.ratio.value)
    size = factor(more * least.ratio.value)
    return f", on average; lowest: {level_of(least.case, result.suite)}, {size}{_ends_of(least, more)}"


def _ends_of(case: SuiteCase, more: float) -> str:
    ends = case.ratio.interval
    if ends is None:
        return ""
    low, high = at_least_factors([more * ends.low, more * ends.high])
    return f" ({low} to {high} at {share(ends.confidence)})"


def _least_of(result: ExperimentResult, comparison: ComparisonResult, more: float) -> str:
    """Return that a total is an average over unlike work, with the low end of the case whose interval ends lowest."""
    ends = [(each.ratio.interval, each.case) for each in _cases_of(result, comparison) if each.ratio.interval]
    if len(ends) < FEWEST_CASES:
        return _average_of(result, comparison, more)
    interval, case = min(ends, key=lambda each: each[0].low)
    least, _ = at_least_factors([more * interval.low, more * interval.high])
    single = f"for a single one of them at least {least} ({level_of(case, result.suite)})"
    return f", on average over these {result.suite}s; {single}"


def _cases_of(result: ExperimentResult, comparison: ComparisonResult) -> Sequence[SuiteCase]:
    both = (comparison.other, comparison.baseline)
    suite = next((each for each in result.suites if (each.treatment, each.against) == both), None)
    return suite.cases if suite else ()


def _counts_work(result: ExperimentResult) -> bool:
    return result.metric.better == "higher" and result.metric.unit.endswith("/s")


def copies_of(context: ExperimentContext) -> Mapping[str, float]:
    """Return how many copies each setup has, by its label and by its name, if the metric is counted for each."""
    per, planned = context.result.metric.per, context.planned
    if per is None or planned is None:
        return {}
    names = setup_names(planned, context.study.recording.plan.titles)
    levels = [(each.label, each.levels.get(per)) for each in planned.treatments if not each.floor]
    known = [(label, float(level)) for label, level in levels if isinstance(level, int | float) and level > 0]
    return {name: number for label, number in known for name in (label, names.get(label, label))}
