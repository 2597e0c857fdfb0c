"""The lines on runs: those far from others, changes over time, repeated cases."""

import statistics
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.rules import FEWEST_BLOCKS, TYPICAL_ERROR
from headtohead.report.context import ExperimentContext
from headtohead.report.experiment.runs.runs_table import replaced, run_points
from headtohead.report.experiment.values.rows_and_columns import arms_of
from headtohead.report.text.differences import as_times
from headtohead.report.text.numbers.percents import percent
from headtohead.report.text.repeated_cases_and_their_effect import (
    Setup,
    discarded_sentence,
    effect_without,
    of_setups,
    repeats_sentence,
)
from headtohead.report.text.setup_names import setup_names, short
from headtohead.report.text.verdicts import side
from headtohead.report.text.wording import listed

AS_CLEARLY = 0.5
"""A run is as clearly far from its median as another if it is by half as much: the ratio of both is then ordinary."""
MOST_IN_ORDER = 10
"""The most blocks whose ratios are on a card; the run-order strip has all."""


def outliers(context: ExperimentContext) -> str:
    """Return the runs that are far from others of their setup, whichever way, and the answer of the other blocks.

    Every one of them counts: the other blocks show how much of an answer rests on them.
    """
    result, blocks = context.result, {str(each.run.run): each.run.block for each in context.runs}
    names = {each.label: short(each, result) for each in arms_of(result)}
    found = list(_far_off(result, blocks, names, likewise=partial(_likewise, context)))
    without = [each.without_outliers if each.ratio else None for each in result.comparisons]
    effect = effect_without(result, without, odd=True) if found and any(without) else ""
    return " ".join(each for each in (*found, effect) if each)


def _likewise(context: ExperimentContext, number: str, away: float) -> str:
    """Return by how much the other setups were as clearly on that side of their median in its block; else nothing."""
    planned = context.study.experiments[context.number - 1].result  # with the labels of runs
    points = run_points(planned, context.runs)
    of = {str(each.run.run): each.run for each in context.runs if each.run.run in points}
    found = []
    for each, shown in zip(arms_of(planned), arms_of(context.result), strict=True) if number in of else ():
        if each.label == of[number].label:
            continue
        same = [points[run.run] for run in of.values() if (run.block, run.label) == (of[number].block, each.label)]
        middle = statistics.median(each.points) if each.points else 0.0
        if not same or not middle or (same[-1] / middle - 1) / away < AS_CLEARLY:
            return ""
        found.append(f"{short(shown, context.result)} by {percent(100 * abs(same[-1] / middle - 1))}")
    return f", and {listed(found)} in that block" if found else ""


def _far_off(
    result: ExperimentResult,
    blocks: Mapping[str, int],
    names: Mapping[str, str],
    *,
    likewise: Callable[[str, float], str],
) -> Iterator[str]:
    for each in result.findings:
        away, label = each.evidence.get("away_share"), str(each.evidence.get("treatment"))
        if each.id == "outlier" and isinstance(away, float):
            runs = str(each.evidence.get("runs")).split(", ")
            block = f" (block {blocks[runs[0]]})" if runs[0] in blocks else ""
            start = f"Runs {listed(runs)}" if len(runs) > 1 else f"Run {runs[0]}{block}"
            from_it = "from" if each.evidence["side"] == "both" else f"{side(result.metric, away)} than"
            far = f"{'up to ' if len(runs) > 1 else ''}{percent(100 * abs(away))} {from_it} its median"
            alike = likewise(runs[0], away) if len(runs) == 1 else ""
            yield f"{start}, {of_setups([names.get(label, label)])}: {far}{alike}; kept."


def steps(context: ExperimentContext) -> str:
    """Return the setups whose level changed or rose or fell, and the ratio in each block if runs of a setup vary.

    A doubt about a ratio that moved has what its two setups did.
    """
    findings = context.result.findings
    shown = {label for each in findings if each.id == "trend-of-ratio" for label in each.of}
    treatments = {each.evidence.get("treatment"): each for each in findings if each.id == "trend-of-setup"}
    trends = [each for label, each in treatments.items() if label not in shown]
    found = (*(each for each in findings if each.id == "step"), *trends)
    says = [each.says.partition(" (p ")[0] for each in found]
    return " ".join(f"{each}." for each in [*_of_all(context.result), *says, *_ratio_by_block(context.result)])


def _of_all(result: ExperimentResult) -> Iterator[str]:
    """Yield that all values rose or fell, if by more than runs of a setup may vary and ratios are not known to move."""
    moved = any(each.id == "trend-of-ratio" for each in result.findings)
    for each in result.findings if result.comparisons and not moved else ():
        change = each.evidence.get("change_share")
        if each.id == "drift" and isinstance(change, float) and abs(change) > TYPICAL_ERROR.limit:
            yield f"{each.says.partition(' (p ')[0]}, which ratios within blocks cancel"


def _ratio_by_block(result: ExperimentResult) -> Iterator[str]:
    """Yield the ratio of two setups block by block if one of them leads and runs vary, or if one probably leads."""
    ids = {each.id for each in result.findings}
    verdicts = [each.verdict in ("better", "worse") for each in result.comparisons]
    probable = [_probable(each) for each in result.comparisons] == [True]
    blocks = result.comparisons[0].blocks if verdicts == [True] or probable else ()
    if (TYPICAL_ERROR.id in ids or probable) and FEWEST_BLOCKS <= len(blocks) <= MOST_IN_ORDER:
        (pair,) = result.comparisons
        turned = as_times(pair, result) and pair.ratio is not None and pair.ratio.value < 1
        ratios = [1 / each if turned else each for each in blocks]
        names = {each.label: short(each, result) for each in arms_of(result)}
        over, under = (pair.baseline, pair.other) if turned else (pair.other, pair.baseline)
        of = f"{names.get(over, over)} to {names.get(under, under)}"
        yield f"Ratio by block, {of}: {', '.join(f'{each:.2f}' for each in ratios)}"


def _probable(pair: ComparisonResult) -> bool:
    """Return whether an open answer has a likely winner: its interval excludes 1, and more blocks may decide."""
    ends = pair.ratio.interval if pair.ratio else None
    return pair.blocks_needed_for == "winner" and ends is not None and not ends.low <= 1 <= ends.high


def repeats(context: ExperimentContext) -> str:
    """Return which runs had a case measured again, the answer of the other blocks, and which runs were discarded."""
    result, planned = context.result, context.planned
    names = setup_names(planned, context.study.recording.plan.titles)
    labels = {names.get(each.label, each.label): each.label for each in planned.treatments} if planned else {}
    setups = [
        Setup(labels.get(each.label, each.label), each.label, short(each, result), each.points)
        for each in arms_of(result)
    ]
    left_out = replaced(context.study.experiments[context.number - 1].result, context.runs)
    counted = [each for each in context.runs if each.run.run not in left_out]
    again = repeats_sentence(counted, setups, result, known=context.study.causes_of_repeats)
    return f"{again} {discarded_sentence(context.runs, setups)}".strip()
