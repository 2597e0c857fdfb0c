"""Which of two setups is ahead at which levels of a sweep, and which of these levels the answer leaves out."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from headtohead.model.analysis.comparison import ComparisonResult, Exploratory
from headtohead.model.analysis.results import ExperimentResult
from headtohead.report.text.differences import TWICE, at_least_percent, direction_word, levels_text
from headtohead.report.text.names import counted, counted_many, listed, metric_title
from headtohead.report.text.numbers import percent, percent_decimals


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


def by_level(result: ExperimentResult, *, most: bool = False) -> str:
    """Return who is ahead at which levels, and by how much at least; empty unless each leads somewhere.

    ``MariaDB with 1 and 2 connections (PostgreSQL at least 10 % slower); undecided with 5; PostgreSQL with 10 to 50 (at
    least 8 % faster)``. With ``most`` also where the lead is largest, by its best estimate: ``, about 27 % with 50``.
    """
    found = stretches(result)
    if len({each.leader for each in found} - {""}) != 2:
        return ""
    (pair,) = [each for each in result.comparisons if each.ratio]
    unit = _unit(result.sweep)
    parts = [_part(each, pair, result, unit if not at else "", most=most) for at, each in enumerate(found)]
    return "; ".join(parts)


def left_out(result: ExperimentResult) -> str:
    """Return the levels that were measured and are not in the average that decides; empty if all are."""
    averaged = {str(level) for level in result.primary.where.get(result.sweep, ())}
    every = [level for each in stretches(result) for level in each.levels]
    out = [level for level in every if level not in averaged]
    if not averaged or not out:
        return ""
    return f"The average leaves out {listed(out)}{_unit(result.sweep)}, which were measured too."


def _unit(field: str) -> str:
    return f" {counted_many(field)}" if counted(field) != field else f" ({metric_title(field)})"


def _leader(case: Exploratory, pair: ComparisonResult, *, higher: bool) -> str:
    ends = case.ratio.interval
    if ends is None or ends.low <= 1 <= ends.high:
        return ""
    return pair.other if (ends.low > 1) == higher else pair.baseline


def _part(stretch: Stretch, pair: ComparisonResult, result: ExperimentResult, unit: str, *, most: bool) -> str:
    where = f"with {levels_text(stretch.levels)}{unit}"
    if not stretch.leader:
        return f"undecided {where}"
    size = _least(stretch.cases, result)
    if size and most:
        size += _most(stretch)
    who = "" if stretch.leader == pair.other else f"{pair.other} "
    return f"{stretch.leader} {where}{f' ({who}{size})' if size else ''}"


def _least(cases: Sequence[Exploratory], result: ExperimentResult) -> str:
    """Return by how much the pair's second setup differs at least at all these levels; empty from twice as much on."""
    ends = [each.ratio.interval for each in cases if each.ratio.interval]
    nearest = min((each.low if each.low > 1 else each.high for each in ends), key=lambda end: abs(math.log(end)))
    if not 1 / TWICE < nearest < TWICE:
        return ""
    size = 100 * abs(nearest - 1)
    word = direction_word(result.metric, nearest).rpartition(" ")[2]
    return f"at least {at_least_percent(size, percent_decimals([size]))} {word}"


def _most(stretch: Stretch) -> str:
    """Return at which of several levels the lead is largest, and its best estimate; empty from twice as much on."""
    level, ratio = max(
        zip(stretch.levels, (each.ratio.value for each in stretch.cases), strict=True),
        key=lambda each: abs(math.log(each[1])),
    )
    if len(stretch.levels) == 1 or not 1 / TWICE < ratio < TWICE:
        return ""
    return f", about {percent(100 * abs(ratio - 1))} with {level}"
