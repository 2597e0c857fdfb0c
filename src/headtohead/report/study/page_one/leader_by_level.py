"""Which of two setups is ahead at which levels of a sweep, and which of these levels the answer leaves out."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from headtohead.model.analysis.comparison import ComparisonResult, Exploratory
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.analysis.results import ExperimentResult
from headtohead.report.text.cases_of_primary_value import OFFERED, decides, levels_text
from headtohead.report.text.differences import TWICE, as_times, at_least_factors, at_least_percent, direction_word
from headtohead.report.text.names import case_phrase, counted, counted_many, metric_title
from headtohead.report.text.numbers.percents import percent, percent_decimals, share
from headtohead.report.text.numbers.ratios import changes, factors
from headtohead.report.text.verdicts import between, how_much
from headtohead.report.text.wording import listed

ABOUT = 0.01
"""A best estimate nearer to no change than this has no size where nothing is decided."""
MOST_CASES = 4
"""The most cases whose ratios are on a card."""


@dataclass(frozen=True)
class Stretch:
    """Levels that follow each other and have the same leader, or none: one whose interval excludes no change."""

    levels: tuple[str, ...]
    leader: str
    cases: tuple[Exploratory, ...]


def stretches(result: ExperimentResult) -> tuple[Stretch, ...]:
    """Return who is ahead along the levels of a sweep, rising; empty unless two setups were compared at every level."""
    pairs = [each for each in result.comparisons if each.ratio]
    if len(pairs) != 1 or not result.sweep or len(result.sweeps) != 1:
        return ()
    (pair,), (sweep,) = pairs, result.sweeps
    own = {each.case: each for each in pair.exploratory if each.metric == result.primary.of}
    if any(case not in own for case in sweep.cases):
        return ()
    found = [(own[case], _leader(own[case], pair, higher=result.metric.better != "lower")) for case in sweep.cases]
    groups = [(leader, [each for each, _ in group]) for leader, group in groupby(found, key=lambda each: each[1])]
    return tuple(
        Stretch(tuple(each.case.levels[result.sweep] for each in cases), leader, tuple(cases))
        for leader, cases in groups
    )


def by_level(result: ExperimentResult, *, estimates: bool = False) -> str:
    """Return who is ahead at which levels, and by how much at least; empty unless each leads somewhere.

    ``MariaDB with 1 and 2 connections (PostgreSQL at least 10 % slower); undecided with 5 (PostgreSQL 3 % slower to 9 %
    faster); PostgreSQL with 10 to 50 (at least 8 % faster)``. With ``estimates`` the best estimates at the first and
    the last level of each stretch: ``15 % faster with 10, rising to 27 % with 50``, or ``and 27 % with 50`` if their
    intervals have values in common; and the best estimate at an undecided level.
    """
    found = stretches(result)
    if len({each.leader for each in found} - {""}) != 2:
        return ""
    (pair,) = [each for each in result.comparisons if each.ratio]
    unit = _unit(result.sweep)
    parts = [_part(each, pair, result, unit if not at else "", estimates=estimates) for at, each in enumerate(found)]
    return f"{'; '.join(parts)}{_level(parts, found, pair)}"


def left_out(result: ExperimentResult) -> str:
    """Return the levels that were measured and are not in the average that decides; empty if all are."""
    averaged = {str(level) for level in result.primary.where.get(result.sweep, ())}
    every = [level for each in stretches(result) for level in each.levels]
    out = [level for level in every if level not in averaged]
    if not averaged or not out:
        return ""
    return f"The average leaves out {listed(out)}{_unit(result.sweep)}, which were measured too."


def along_levels(result: ExperimentResult) -> str:
    """Return who is ahead at which levels, where the answer is of each setup's best or of offered rates; else empty."""
    found = stretches(result)
    each_counts = result.primary.by == "max" or result.sweep == OFFERED
    if not each_counts or by_level(result) or not any(each.leader for each in found):
        return ""
    (pair,) = [each for each in result.comparisons if each.ratio]
    unit = _unit(result.sweep)
    parts = [_part(each, pair, result, unit if not at else "", estimates=True) for at, each in enumerate(found)]
    return f"Ahead: {'; '.join(parts)}{_level(parts, found, pair)}{_alone(result, pair, found)}."


def _alone(result: ExperimentResult, pair: ComparisonResult, found: Sequence[Stretch]) -> str:
    """Return who leads at all levels by intervals that hold together for these alone, if wider ones leave one open."""
    both = {pair.baseline, pair.other}
    kept = [
        each.ahead
        for each in result.crossings
        if each.low is None and each.shown and each.over == result.sweep and {each.ahead, each.behind} == both
    ]
    return (
        f"; by intervals for these levels alone, {kept[0]} is ahead at all"
        if kept and not all(each.leader for each in found)
        else ""
    )


def _level(parts: Sequence[str], found: Sequence[Stretch], pair: ComparisonResult) -> str:
    """Return the level of the intervals, if some are shown: in brackets, or as those of undecided levels."""
    levels = [each.ratio.interval.confidence for own in found for each in own.cases if each.ratio.interval]
    shown = any("[" in each for each in parts) or not all(each.leader for each in found)
    if not shown or not levels:
        return ""
    each_own = pair.ratio is not None and pair.ratio.interval is not None and levels[0] > pair.ratio.interval.confidence
    return f"; intervals at {share(levels[0])}, {'so that all hold' if each_own else 'all'} together"


def _unit(field: str) -> str:
    if field == OFFERED:
        return " /s"
    return f" {counted_many(field)}" if counted(field) != field else f" ({metric_title(field)})"


def at_each_level(result: ExperimentResult) -> str:
    """Return the ratio at each case that an answer of two setups is a geometric mean of; empty if it is none of few."""
    pairs = [each for each in result.comparisons if each.ratio]
    if len(pairs) != 1 or result.suite or result.primary.by != "geometric-mean" or pairs[0].ratio is None:
        return ""
    own = [each for each in pairs[0].exploratory if each.metric == result.primary.of and each.case]
    cases = [each for each in own if decides(each.case, result.primary)]
    if not 1 < len(cases) <= MOST_CASES:
        return ""
    lower = pairs[0].ratio is not None and pairs[0].ratio.value < 1
    ratios = [1 / each.ratio.value if lower else each.ratio.value for each in cases]
    differ = [name for name in cases[0].case if len({each.case.levels.get(name) for each in cases}) > 1]
    names = [case_phrase(each.case.only(differ)) for each in cases]
    if len(differ) == 1 and counted(differ[0]) != differ[0]:  # the unit once, behind the last
        names[:-1] = [f"with {each.case.levels[differ[0]]}" for each in cases[:-1]]
    if as_times(pairs[0], result):
        texts = [f"{size} {name}" for size, name in zip(factors(ratios), names, strict=True)]
        return f"{listed(texts)}{_each_at_least(cases, lower=lower)}."
    shown = [changes(each.ratio) for each in cases]
    ends = f" (wider: at {share(cases[0].ratio.interval.confidence)})" if cases[0].ratio.interval else ""
    texts = [f"{' '.join(filter(None, change))} {name}" for change, name in zip(shown, names, strict=True)]
    return f"{listed(texts)}{ends}."


def _each_at_least(cases: Sequence[Exploratory], *, lower: bool) -> str:
    """Return the low end of each interval, or that one of them includes no change; empty without intervals."""
    ends = [each.ratio.interval for each in cases if each.ratio.interval]
    if len(ends) < len(cases):
        return ""
    lows, level = [1 / each.high if lower else each.low for each in ends], share(ends[0].confidence)
    values = [each.ratio.value for each in cases]
    sure = [at_least_factors([low, *values])[0] for low in lows]
    return (
        f" (at the stricter {level}: at least {listed(list(dict.fromkeys(sure)))})"
        if min(lows) > 1
        else f" (not sure for each at {level})"
    )


def _leader(case: Exploratory, pair: ComparisonResult, *, higher: bool) -> str:
    ends = case.ratio.interval
    if ends is None or ends.low <= 1 <= ends.high:
        return ""
    return pair.other if (ends.low > 1) == higher else pair.baseline


def _part(stretch: Stretch, pair: ComparisonResult, result: ExperimentResult, unit: str, *, estimates: bool) -> str:
    where = f"with {levels_text(stretch.levels)}{unit}"
    if not stretch.leader:
        return f"undecided {where}{_open(stretch.cases, pair, result, estimates=estimates)}"
    size = _along(stretch, result) if estimates else _least(stretch.cases, result)
    who = "" if stretch.leader == pair.other else f"{pair.other} "
    return f"{stretch.leader} {where}{f' ({who}{size})' if size else ''}"


def _open(cases: Sequence[Exploratory], pair: ComparisonResult, result: ExperimentResult, *, estimates: bool) -> str:
    """Return from where to where the intervals of undecided levels reach together; empty if one has no interval.

    With ``estimates`` the best estimate of one level too.
    """
    ends = [each.ratio.interval for each in cases]
    known = [each for each in ends if each]
    if len(known) < len(ends):
        return ""
    widest = Interval(min(each.low for each in known), max(each.high for each in known), known[0].confidence)
    best = ""
    if estimates and len(cases) == 1:
        ratio = cases[0].ratio.value
        much = how_much(ratio, result.metric, places=0) if abs(ratio - 1) >= ABOUT else "about equal"
        best = f"{much} at best estimate, "
    return f" ({pair.other} {best}{between(widest, result.metric, joined='to')})"


def _least(cases: Sequence[Exploratory], result: ExperimentResult) -> str:
    """Return by how much the pair's second setup differs at least at all these levels; empty from twice as much on."""
    ends = [each.ratio.interval for each in cases if each.ratio.interval]
    nearest = min((each.low if each.low > 1 else each.high for each in ends), key=lambda end: abs(math.log(end)))
    if not 1 / TWICE < nearest < TWICE:
        return ""
    size = 100 * abs(nearest - 1)
    word = direction_word(result.metric, nearest).rpartition(" ")[2]
    return f"at least {at_least_percent(size, percent_decimals([size]))} {word}"


def _apart(stretch: Stretch) -> bool:
    """Return whether the intervals at the first and the last level of a lead have no value in common."""
    first, last = (stretch.cases[at].ratio.interval for at in (0, -1))
    return first is not None and last is not None and (first.high < last.low or last.high < first.low)


def _size(ratio: Estimate) -> str:
    """Return a ratio as a change without its direction, with its interval if it is known: ``30 % [15, 43]``."""
    size, ends = percent(100 * abs(ratio.value - 1)), ratio.interval
    low, high = sorted(abs(100 * (each - 1)) for each in (ends.low, ends.high)) if ends else (0.0, 0.0)
    places = percent_decimals([low, high])
    return f"{size} [{_bare(at_least_percent(low, places))}, {high:.{places}f}]" if ends else size


def _bare(size: str) -> str:
    """Return the number of a size: ``30`` of ``30 % [15, 43]``."""
    return size.partition(" ")[0]


def _along(stretch: Stretch, result: ExperimentResult) -> str:
    """Return the best estimates at the first and the last level of a lead, and the largest if that is between them.

    Empty from twice as much on.
    """
    ratios = [each.ratio.value for each in stretch.cases]
    if not all(1 / TWICE < each < TWICE for each in ratios):
        return ""
    sizes = [_size(each.ratio) for each in stretch.cases]
    word = direction_word(result.metric, ratios[0]).rpartition(" ")[2]
    if len(ratios) == 1:
        return f"{sizes[0]} {word}"
    leads = [abs(math.log(each)) for each in ratios]
    way = (", rising to" if leads[-1] > leads[0] else ", falling to") if _apart(stretch) else " and"
    top = leads.index(max(leads))
    between_ends = top not in (0, len(ratios) - 1) and _bare(sizes[top]) not in (_bare(sizes[0]), _bare(sizes[-1]))
    most = f", most of all {sizes[top]} with {stretch.levels[top]}" if between_ends else ""
    return f"{sizes[0]} {word} with {stretch.levels[0]}{way} {sizes[-1]} with {stretch.levels[-1]}{most}"
