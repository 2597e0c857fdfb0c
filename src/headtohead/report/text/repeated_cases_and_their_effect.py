"""Cases measured again within runs that count: how many runs, why, and the answer without them."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from headtohead.model import rules
from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.quantity import Metric
from headtohead.model.record import Recorded, Recording, Run
from headtohead.report.text.differences import as_times, at_least_factors
from headtohead.report.text.numbers.percents import percent, percent_decimals
from headtohead.report.text.numbers.ratios import factor, times
from headtohead.report.text.scaling import ideal_kind
from headtohead.report.text.setup_names import cases_in_words, setup_names
from headtohead.report.text.verdicts import between, side, withheld
from headtohead.report.text.wording import listed, plural

MOST_NAMED = 3
FEWEST_LEFT = 3
"""Fewer blocks without some runs show nothing of what these did."""
FEWEST_RUNS = 2
"""The runs of a setup, at least, of which one is the fastest."""
UNKNOWN = "the reason was not recorded"


def causes(run: Run) -> tuple[str, ...]:
    """Return why cases of the run were measured again, each cause once."""
    reasons = [_cause(reason) for each in run.repeats for reason in each.reasons] or [UNKNOWN]
    return tuple(dict.fromkeys(reasons)) if run.repeated else ()


def what_repeated(run: Run) -> str:
    """Return what a rule saw in each measurement that was made again: how much, and in which case.

    The plain causes if that was not recorded.
    """
    said = [reason.partition(": ")[2] or reason for each in run.repeats for reason in each.reasons]
    seen = list(dict.fromkeys(map(cases_in_words, said)))
    more = f"; {len(seen) - MOST_NAMED} more" if len(seen) > MOST_NAMED else ""
    return f"{'; '.join(seen[:MOST_NAMED])}{more}" if seen else listed(list(causes(run)))


def repeated_setups(recording: Recording) -> str:
    """Return the setups of the runs with a repeated case: ``, all with 2 CPUs or 2 copies``; empty if there are none.

    Repeats that concern some setups alone may favor them, so they are named; of more than a few their number is given.
    """
    names = {
        (planned.name, label): name
        for planned in recording.plan.experiments
        for label, name in setup_names(planned, recording.plan.titles, short=True).items()
    }
    runs = [each.run for each in _valid(recording) if each.run.repeated]
    found = list(dict.fromkeys(names.get((each.experiment, each.label), each.label) for each in runs))
    every = set(names.values())
    if not found or len(found) == len(every):
        return ""
    if len(found) > MOST_NAMED:
        return f", of {len(found)} of {len(every)} setups"
    return f", {'all ' if len(runs) > 1 else ''}{of_setups(found)}"


def of_setups(names: Sequence[str]) -> str:
    """Return whose runs they are: of programs, or with levels.

    >>> of_setups(["nginx"]), of_setups(["2 CPUs", "2 copies"]), of_setups(["gzip on"]), of_setups(["nginx on 1 CPU"])
    ('of nginx', 'with 2 CPUs or 2 copies', 'with gzip on', 'of nginx on 1 CPU')
    """
    which = f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]
    return f"{'with' if all(map(_is_level, names)) else 'of'} {which}"


def _is_level(name: str) -> bool:
    """Return whether a short name is a level alone: a number, or the word of a factor and more, but no program."""
    factor = name[:1].islower() and " " in name and not any(f" {each} " in name for each in ("with", "on", "in"))
    return name[:1].isdigit() or factor


@dataclass(frozen=True)
class Setup:
    """A setup that is compared: its label in the runs, its name in the comparisons, its short name, its values.

    ``values`` are the primary ones of the runs that count, in order of their blocks.
    """

    label: str
    name: str
    short: str
    values: Sequence[float] = ()


def causes_of(recording: Recording) -> tuple[str, ...]:
    """Return why cases were measured again in the runs that count: what the head of the page has."""
    return tuple(dict.fromkeys(cause for each in _valid(recording) for cause in causes(each.run)))


def repeats_sentence(
    recorded: Sequence[Recorded], setups: Sequence[Setup], result: ExperimentResult, *, known: Sequence[str] = ()
) -> str:
    """Return how many runs had a case measured again, and the answer of the other blocks; empty if none had.

    Their causes are left out if they are those ``known`` from the head of the page.

    The last values of such cases were less disturbed than the first, which may favor a setup: the answer without these
    blocks shows how much.
    """
    labels = {each.label: each for each in setups}
    valid = [each.run for each in recorded if each.run.status == "valid"]
    again = [each for each in valid if each.label in labels and each.repeated]
    floors = len([each for each in valid if each.label not in labels and each.repeated])
    if not again or len(setups) < 2:
        return (
            f"A part of {plural(floors, 'run')} of the limit; no answer rests on it."
            if floors and len(setups) > 1
            else ""
        )
    sides = {each.label for each in again}
    own = list(dict.fromkeys(cause for each in again for cause in causes(each)))
    notes = [listed(own)] if set(own) != set(known) else []
    notes += [f"of the limit, {plural(floors, 'run')} too"] if floors else []
    whose = of_setups([labels[again[0].label].short]) if len(sides) == 1 else ""
    who = f"{len(again)} runs {whose}".rstrip()
    by_setup = f": {_by_setup(again, setups)}" if len(sides) > 1 else ""
    if len(again) == 1:
        place = _place(again[0], labels[again[0].label], valid, result.metric)
        who = f"Run {again[0].run}, {f'the {place} ' if place else ''}{whose},"
    because = f" ({'; '.join(notes)})" if notes else ""
    what = f"{who} had a part measured again{because}{by_setup}."
    without = [each.without_repeats for each in result.comparisons]
    return f"{what} {effect_without(result, without, then='; measure again on a quieter machine')}".rstrip()


def discarded_sentence(recorded: Sequence[Recorded], setups: Sequence[Setup]) -> str:
    """Return how many runs of which setup were discarded and made again; empty if none of these setups lost one.

    Rules that strike one setup more than the other may favor it.
    """
    labels = {each.label for each in setups}
    lost = [each.run for each in recorded if each.run.status == "invalid" and each.run.label in labels]
    return f"Discarded: {_by_setup(lost, setups)}." if lost and len(setups) > 1 else ""


def _by_setup(runs: Sequence[Run], setups: Sequence[Setup]) -> str:
    """Return how many of the runs are of each setup, those with none left out: ``5 of PostgreSQL and 2 of MariaDB``."""
    counts = Counter(each.label for each in runs)
    return listed([f"{counts[each.label]} {of_setups([each.short])}" for each in setups if counts[each.label]])


def _place(run: Run, setup: Setup, valid: Sequence[Run], metric: Metric) -> str:
    """Return whether a run is the fastest or the slowest of its setup; empty if it is neither, or not known."""
    blocks = sorted({each.block for each in valid if each.label == setup.label})
    if len(blocks) != len(setup.values) or len(blocks) < FEWEST_RUNS:
        return ""
    value = setup.values[blocks.index(run.block)]
    ends = {min(setup.values): False, max(setup.values): True}
    if value not in ends:
        return ""
    fast = "faster" in metric.words if metric.words else False
    best = ends[value] == (metric.better != "lower")
    return ("fastest" if best else "slowest") if fast else ("highest" if ends[value] else "lowest")


def effect_without(
    result: ExperimentResult, without: Sequence[Estimate | None], *, then: str = "", odd: bool = False
) -> str:
    """Return the answers of the blocks without some runs; empty if they are not known.

    ``without`` holds the ratio of each comparison over these blocks, None if they are too few; ``then`` is what to do
    if one is outside the interval of all blocks. For ``odd`` runs it states whether an estimate rests on them.
    """
    pairs = [
        (each, each.ratio, each.ratio.interval, other)
        for each, other in zip(result.comparisons, without, strict=True)
        if each.ratio
    ]
    known = [(each, ratio, ends, other) for each, ratio, ends, other in pairs if ends]
    left = [(each, ratio, ends, other) for each, ratio, ends, other in known if other and other.n >= FEWEST_LEFT]
    if not left:
        return "No block, or too few, are without such a run, so what that did cannot be seen." if known else ""
    out = sum(not ends.low <= other.value <= ends.high for _, _, ends, other in left)
    end_of_all = f"{then}." if out else "."
    if len(result.comparisons) > 1:
        some = f"{out} of {len(left)} ratios" if out > 1 else "a ratio" if out else "no ratio"
        whose = "their intervals" if out > 1 else "its interval"
        return f"Without these blocks {some} would be outside {whose}{end_of_all}"
    ((pair, ratio, _, rest),) = left
    of_all, of_rest = (_size(pair, each, result) for each in (ratio, rest))
    word = "" if as_times(pair, result) else f" {side(result.metric, rest.value - 1)}"
    shown = f"{'also ' if of_all == of_rest else ''}give {of_rest}{word} ({ends_of(pair, rest, result)})"
    end = (
        f": outside the interval of all{end_of_all}"
        if out
        else f"{_winner(pair, rest) or (_rests(pair, rest, result) if odd else '')}{_ideal(pair, rest)}."
    )
    return f"The {rest.n} of {ratio.n} blocks without {'outliers' if odd else 'repeats'} {shown}{end}"


def _winner(pair: ComparisonResult, without: Estimate) -> str:
    """Return whether some blocks alone name the winner of a verdict; empty if there is none."""
    ends = without.interval
    if pair.verdict not in ("better", "worse") or pair.ratio is None or ends is None:
        return ""
    same = ends.low > 1 if pair.ratio.value > 1 else ends.high < 1
    return ": the same winner" if same else ": no sure winner"


def _ideal(pair: ComparisonResult, rest: Estimate) -> str:
    """Return that some blocks alone do not exclude an ideal which all of them exclude; else empty."""
    more, ends = pair.scaling, rest.interval
    if more is None or ends is None or pair.verdict != "better" or ideal_kind(more) == "open":
        return ""
    whole = 1 + more.ideal
    return f", with {factor(whole)} not excluded" if ends.low <= whole <= ends.high else ""


def _rests(pair: ComparisonResult, rest: Estimate, result: ExperimentResult) -> str:
    """Return that an open estimate rests on the blocks left out, if the others have under half of it; else empty.

    One of less than half the margin is nothing that could rest on them.
    """
    if pair.verdict != "inconclusive" or pair.ratio is None or withheld(pair):
        return ""
    of_all, of_rest = math.log(pair.ratio.value), math.log(rest.value)
    less = of_all * of_rest < 0 or abs(of_rest) < abs(of_all) / 2
    large = abs(of_all) >= math.log(result.matters) / 2
    return ", so the best estimate rests on the outliers" if less and large else ""


def _size(pair: ComparisonResult, ratio: Estimate, result: ExperimentResult) -> str:
    """Return the size of a ratio as the answer has it, with as many decimals: ``2.92x``, ``3.7 %``."""
    if as_times(pair, result):
        return f"{times(upright(pair, ratio.value))}x"
    whole = pair.ratio or ratio
    ends = [whole.interval.low, whole.interval.high] if whole.interval else []
    places = percent_decimals(sorted(100 * abs(each - 1) for each in (whole.value, *ends)))
    return percent(100 * abs(ratio.value - 1), places)


def ends_of(pair: ComparisonResult, ratio: Estimate, result: ExperimentResult) -> str:
    """Return the interval of a ratio in the words of the pair's answer: ``1.66x to 2.09x``; empty without one."""
    if ratio.interval is None:
        return ""
    if not as_times(pair, result):
        return between(ratio.interval, result.metric, joined="to")
    low, high = sorted(upright(pair, each) for each in (ratio.interval.low, ratio.interval.high))
    return " to ".join(at_least_factors([low, high]))


def upright(pair: ComparisonResult, ratio: float) -> float:
    """Return a ratio, or its inverse if the answer names the baseline first: answers have factors above 1."""
    return ratio if pair.ratio is None or pair.ratio.value >= 1 else 1 / ratio


def _valid(recording: Recording) -> list[Recorded]:
    runs = sorted(recording.runs, key=lambda each: each.run.run)
    return [each for each in runs if each.run.status == "valid"]


def repeat_sentence(recording: Recording) -> str:
    """Return how many of the runs that count had a case repeated, and why; empty if none had."""
    valid = [each.run for each in _valid(recording)]
    again = [each for each in valid if each.repeated]
    if not again:
        return ""
    counts = Counter(cause for each in again for cause in causes(each))
    why = [f"{cause} ({number})" if len(counts) > 1 else cause for cause, number in counts.most_common()]
    numbers = listed([str(each.run) for each in again])
    which = f"run {numbers}" if len(again) == 1 else f"runs {numbers}"
    return (
        f"{len(again)} of {plural(len(valid), 'run')} had a part measured again{repeated_setups(recording)}: "
        f"{listed(why)} ({which}). Only the last measurement of such a part counts."
    )


def _cause(reason: str) -> str:
    """Return the plain cause of a reason, which starts with the id of its rule."""
    rule, colon, said = reason.partition(": ")
    return rules.CAUSES.get(rule, said if colon else reason)
