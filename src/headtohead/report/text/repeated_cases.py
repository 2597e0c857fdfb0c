"""What was measured again within a run: how many runs, and why. A run may count although a case of it was repeated."""

import math
import statistics
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from headtohead.model import rules
from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.record import Recorded, Recording, Run
from headtohead.report.text.names import listed, plural
from headtohead.report.text.numbers import times
from headtohead.report.text.setup_names import setup_names

REPLACED = "-replaced"
"""What ends the name of a phase whose case was measured again."""
MOST_NAMED = 3
FEWEST_LEFT = 2
"""The blocks without a repeated case, at least, whose ratio is worth showing."""
UNKNOWN = "the reason was not recorded"


def repeated(run: Run) -> bool:
    """Return whether a case of the run was measured again."""
    return bool(run.repeats) or any(each.name.endswith(REPLACED) for each in run.phases)


def causes(run: Run) -> tuple[str, ...]:
    """Return why cases of the run were measured again, each cause once."""
    reasons = [_cause(reason) for each in run.repeats for reason in each.reasons] or [UNKNOWN]
    return tuple(dict.fromkeys(reasons)) if repeated(run) else ()


def repeated_setups(recording: Recording) -> str:
    """Return the setups of the runs with a repeated case: ``, all with 2 CPUs or 2 copies``; empty if there are none.

    Repeats that concern some setups alone may favor them, so they are named; of more than a few their number is given.
    """
    names = {
        (planned.name, label): name
        for planned in recording.plan.experiments
        for label, name in setup_names(planned, recording.plan.titles, short=True).items()
    }
    runs = [each.run for each in _valid(recording) if repeated(each.run)]
    found = list(dict.fromkeys(names.get((each.experiment, each.label), each.label) for each in runs))
    if not found or len(found) == len(names):
        return ""
    if len(found) > MOST_NAMED:
        return f", of {len(found)} of {len(names)} setups"
    by_level = all(each[:1].isdigit() for each in found)
    which = f"{', '.join(found[:-1])} or {found[-1]}" if len(found) > 1 else found[0]
    return f", {'all ' if len(runs) > 1 else ''}{'with' if by_level else 'of'} {which}"


@dataclass(frozen=True)
class Setup:
    """A setup that is compared: its label in the runs, its name in the comparisons, its short name."""

    label: str
    name: str
    short: str


def repeats_sentence(recorded: Sequence[Recorded], setups: Sequence[Setup], pairs: Sequence[ComparisonResult]) -> str:
    """Return which runs had a case measured again, and the ratio without their blocks; empty if none had.

    The last values of such cases were less disturbed than the first, which may favor a setup: the ratio without these
    blocks shows how much.
    """
    labels = {each.label: each for each in setups}
    valid = [each.run for each in recorded if each.run.status == "valid"]
    again = [each for each in valid if each.label in labels and repeated(each)]
    if not again or len(setups) < 2:
        return ""
    sides = {each.label for each in again}
    why = listed(list(dict.fromkeys(cause for each in again for cause in causes(each))))
    floors = len([each for each in valid if each.label not in labels and repeated(each)])
    of = "Of the setups compared, only" if floors else "Only"
    only = f"{of} {labels[again[0].label].short} had cases" if len(sides) == 1 else "Cases were"
    others = f"; of the limit, {plural(floors, 'run')} too" if floors else ""
    what = f"{only} measured again ({plural(len(again), 'run')}: {why}{others})."
    return f"{what} {_effect(pairs, setups, valid, {each.block for each in again})}".rstrip()


def _effect(
    pairs: Sequence[ComparisonResult], setups: Sequence[Setup], valid: Sequence[Run], blocks: Collection[int]
) -> str:
    """Return the ratios without these blocks next to those with them; empty if they are not known."""
    found = [(each, _left(each, setups, valid, blocks)) for each in pairs]
    known = [(each.ratio, left) for each, left in found if left and each.ratio and each.ratio.interval]
    if not known:
        return ""
    if min(len(left) for _, left in known) < FEWEST_LEFT:
        return "Too few blocks are without such a run to see what that did."
    these = "that block" if len(blocks) == 1 else "these blocks"
    ratios = [(ratio, math.exp(statistics.fmean(left))) for ratio, left in known]
    out = sum(not ratio.interval.low <= other <= ratio.interval.high for ratio, other in ratios if ratio.interval)
    quieter = "; measure again on a quieter machine." if out else "."
    if len(ratios) == 1:
        ((ratio, other),) = ratios
        change = f"is {times(other)}, not {times(ratio.value)}{f': outside its interval{quieter}' if out else '.'}"
        same = times(other) == times(ratio.value)
        return f"Without {these} the ratio {f'stays {times(other)}.' if same else change}"
    return f"Without {these} {out or 'none'} of {len(ratios)} ratios would be outside its interval{quieter}"


def _left(
    pair: ComparisonResult, setups: Sequence[Setup], valid: Sequence[Run], blocks: Collection[int]
) -> list[float]:
    """Return the log ratios of a comparison's other blocks; empty if it is not known which blocks it used."""
    own = {each.label for each in setups if each.name in (pair.baseline, pair.other)}
    met = {(each.block, each.label) for each in valid}
    used = sorted(block for block in {each.block for each in valid} if all((block, each) in met for each in own))
    if len(used) != len(pair.blocks):
        return []
    return [math.log(ratio) for block, ratio in zip(used, pair.blocks, strict=True) if block not in blocks]


def _valid(recording: Recording) -> list[Recorded]:
    runs = sorted(recording.runs, key=lambda each: each.run.run)
    return [each for each in runs if each.run.status == "valid"]


def repeat_sentence(recording: Recording) -> str:
    """Return how many of the runs that count had a case repeated, and why; empty if none had."""
    valid = [each.run for each in _valid(recording)]
    again = [each for each in valid if repeated(each)]
    if not again:
        return ""
    counts = Counter(cause for each in again for cause in causes(each))
    why = [f"{cause} ({number})" if len(counts) > 1 else cause for cause, number in counts.most_common()]
    numbers = listed([str(each.run) for each in again])
    which = f"run {numbers}" if len(again) == 1 else f"runs {numbers}"
    return (
        f"{len(again)} of {plural(len(valid), 'run')} had a case repeated{repeated_setups(recording)}: {listed(why)} "
        f"({which}). "
        "Only the last measurement of such a case counts."
    )


def short_cause(reason: str) -> str:
    """Return why a run was discarded, in plain words; a reason without a known rule as far as its first colon or ``(``.

    >>> short_cause("foreign-cpu: 0.31 CPU in connections=100 (limit 0.10)"), short_cause("it did not start: exit 1")
    ('another program used the CPU', 'it did not start')
    """
    rule, _, said = reason.partition(": ")
    if rule in rules.CAUSES:
        return rules.CAUSES[rule]
    return (said if said and " " not in rule else rule).partition(" (")[0].strip() or UNKNOWN


def _cause(reason: str) -> str:
    """Return the plain cause of a reason, which starts with the id of its rule."""
    rule, colon, said = reason.partition(": ")
    return rules.CAUSES.get(rule, said if colon else reason)
