"""Where two treatments cross over as the load or the number of CPUs grows: in words, and as a table."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.analysis.sweeps import Crossing, Overtaking
from headtohead.model.quantity import Scalar
from headtohead.model.study.count_words import COUNTABLE
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Heading, Row, RowGroup, Table, Text, with_heading
from headtohead.report.experiment.values.cells import ratio_entry
from headtohead.report.text.cases_of_primary_value import averaged_over
from headtohead.report.text.names import counted_many, metric_title
from headtohead.report.text.numbers.values_with_units import plain
from headtohead.report.text.setup_names import has_words, level_words
from headtohead.report.text.wording import capital, listed

_NOT_SHOWN = "Not shown: the estimates change their order there, and the intervals allow either. "
ALIKE = 1.05
"""Rates within this factor at every load are those of a saturated server."""
MOST = 6
"""The most pairs with a sentence each; of more only the number is given."""


def crossing_blocks(context: ExperimentContext) -> Blocks:
    """Yield where treatments cross over; nothing if they do not."""
    result = context.in_words().result
    sentences = crossing_sentences(result, saturated=context.loop == "closed" and _saturated(result))
    if sentences:
        over = {each.over for each in result.crossings}
        counted = "" if over.difference(COUNTABLE) else listed([_over(each) for each in sorted(over)])
        yield Heading(f"Does {f'the number of {counted}' if counted else 'load'} change the ranking?")
        yield from map(Text, sentences)


def _saturated(result: ExperimentResult) -> bool:
    """Return whether every setup does as much at each load: each was then enough to saturate it."""
    for each in result.treatments:
        rates = [cell.estimate.value for cell in each.cells if cell.case and cell.metric == result.primary.of]
        if not each.floor and (not rates or max(rates) > ALIKE * min(rates)):
            return False
    over = {each.over for each in result.crossings}
    return len(over) == 1 and not over.intersection(COUNTABLE)


def crossing_sentences(result: ExperimentResult, *, saturated: bool = False) -> tuple[str, ...]:
    """Return where treatments cross over in the range measured, proven crossings first; empty if none do.

    ``saturated`` is whether every load was enough to saturate every setup.
    """
    every = [replace(each, fixed=_varying(each, result)) for each in result.crossings]
    changes = [each for each in every if each.low is not None]
    kept = [each for each in every if each.low is None]
    sentences = [_change(each, result) for each in sorted(changes, key=lambda each: not each.shown)]
    more = f"{len(sentences) - MOST} more crossovers are in the table or are not shown."
    return (*sentences[:MOST], *((more,) if len(sentences) > MOST else ()), *_nones(kept, saturated=saturated))


def _change(each: Crossing, result: ExperimentResult) -> str:
    over = "" if each.over == result.sweep else averaged_over(result)
    of = f"averaged over {over}, " if over else ""
    low, high = (plain(level) for level in (each.low, each.high) if level is not None)
    where = f"{of}between {low} and {high} {_over(each.over)}{_fixed(each)}"
    if each.shown:
        return f"{capital(where)} {each.behind} overtakes {each.ahead}: the intervals at both show it."
    return (
        f"{capital(where)} the estimates of {each.ahead} and {each.behind} change their order; the intervals allow "
        "either, so where they cross over, if they do, is not shown."
    )


def _nones(kept: Sequence[Crossing], *, saturated: bool) -> list[str]:
    """Return that there is no crossing in the range measured; pairs over the same levels share a sentence."""
    ranges: dict[tuple[str, bool], list[Crossing]] = {}
    for each in kept:
        ranges.setdefault((_range(each, saturated=saturated), each.shown), []).append(each)
    return [_none(span, pairs, shown=shown, saturated=saturated) for (span, shown), pairs in ranges.items()]


def _none(span: str, pairs: Sequence[Crossing], *, shown: bool, saturated: bool) -> str:
    if shown and saturated and len(pairs) <= MOST:
        leads = [f"{each.ahead} is ahead of {each.behind}{_fixed(each)}" for each in pairs]
        return f"At {span}, each enough to saturate the servers, {listed(leads)}; lower loads were not measured."
    if len(pairs) > MOST:
        return (
            f"No crossover is shown for {len(pairs)} pairs from {span}{'' if shown else '; the intervals allow some'}."
        )
    if shown:
        leads = [f"{each.ahead} stays ahead of {each.behind}{_fixed(each)}" for each in pairs]
        return (
            f"No: from {span} {listed(leads)}, by intervals that hold together for these levels alone; those of the "
            "tables hold for more, so they are wider and may leave a level open."
        )
    names = [f"{each.ahead} and {each.behind}{_fixed(each)}" for each in pairs]
    return f"Not shown for {listed(names)} from {span}: at some levels the intervals allow either to lead."


def _range(each: Crossing, *, saturated: bool) -> str:
    if saturated:
        return f"{listed([plain(level) for level in each.levels])} {_over(each.over)}"
    low, high = plain(each.levels[0]), plain(each.levels[-1])
    return f"{low} to {high} {_over(each.over)}"


def _over(name: str) -> str:
    return counted_many(name) if counted_many(name) != name else metric_title(name)


def _fixed(each: Crossing) -> str:
    """Return the fixed levels that the names do not contain."""
    levels = [
        words
        for name, level in sorted(each.fixed.items())
        if not (has_words(each.ahead, words := level_words(name, level)) and has_words(each.behind, words))
    ]
    return f" with {listed(levels)}" if levels else ""


def _varying(crossing: Crossing, result: ExperimentResult) -> Mapping[str, Scalar]:
    """Return the fixed levels in which the pairs of this experiment differ: the others distinguish nothing."""
    every = [each.fixed for each in result.crossings]
    return {
        name: level
        for name, level in crossing.fixed.items()
        if name != "subject" and any(each.get(name) != level for each in every if name in each)
    }


def proven_crossings(result: ExperimentResult) -> tuple[str, ...]:
    """Return the crossings that the intervals support, of the planned comparisons only."""
    return tuple(text for texts in proven_by_pair(result).values() for text in texts)


def proven_by_pair(result: ExperimentResult) -> Mapping[frozenset[str], Sequence[str]]:
    """Return the proven crossings by their two setups, or by two levels of a factor where they are averages."""
    labels = {each.label for each in result.treatments}
    compared = {frozenset((each.baseline, each.other)) for each in result.comparisons}
    found: dict[frozenset[str], list[str]] = {}
    for each in result.crossings:
        pair = frozenset((each.ahead, each.behind))
        if each.low is not None and each.shown and (pair in compared or not pair <= labels):
            found.setdefault(pair, []).append(_change(replace(each, fixed=_varying(each, result)), result))
    return found


def overtaking_blocks(context: ExperimentContext) -> Blocks:
    """Yield between which levels one treatment overtakes another."""
    return with_heading("Who overtakes whom", overtaking_table(context))


def overtaking_table(context: ExperimentContext) -> Table | None:
    """Return between which levels of a sweep one treatment overtakes another, proven or not; None if none does."""
    result = context.result
    if not result.overtakings:
        return None
    field = metric_title(result.sweep)
    rows = tuple(_overtaking_row(each, field) for each in result.overtakings)
    columns = ("Overtakes", f"Between {field}", "At the lower", "At the higher")
    unsure = "" if all(each.shown for each in result.overtakings) else _NOT_SHOWN
    note = (
        f"{capital(metric_title(result.primary.of))} of the one that comes from behind, against the other, at both "
        f"levels. {unsure}Exploratory: the intervals of all pairs at all levels share 5 %, so they are wider than in "
        "other tables; nothing is read between levels that were not measured."
    )
    return Table(f"Who overtakes whom over {field}", "Setup", columns, (RowGroup("", rows),), note=note)


def _overtaking_row(each: Overtaking, field: str) -> Row:
    between = f"{plain(each.low)} and {plain(each.high)}"
    where = Entry(between) if each.shown else Entry("not shown", f"{field} {between} by the estimates")
    return Row(each.behind, (Entry(each.ahead), where, ratio_entry(each.at_low), ratio_entry(each.at_high)))
