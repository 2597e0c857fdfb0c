"""What was measured again within a run: how many runs, and why. A run may count although a case of it was repeated."""

from collections import Counter
from collections.abc import Sequence

from headtohead.model import rules
from headtohead.model.record import Recorded, Recording, Run
from headtohead.report.text.names import listed, plural
from headtohead.report.text.setup_names import setup_names

REPLACED = "-replaced"
"""What ends the name of a phase whose case was measured again."""
MOST_NAMED = 3
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


def one_side_sentence(recorded: Sequence[Recorded], names: Sequence[tuple[str, str]]) -> str:
    """Return the consequence if cases of one setup alone were measured again for stolen CPU time; else empty.

    ``names`` holds the label and the name of each setup. Its last values had less steal than the first.
    """
    again = [each.run for each in recorded if each.run.status == "valid" and repeated(each.run)]
    stolen = [each for each in again if rules.CAUSES[rules.STEAL.id] in causes(each)]
    sides = {each.label for each in stolen}
    known = dict(names)
    if len(names) < 2 or len(sides) != 1 or len(stolen) != len(again) or not sides <= known.keys():
        return ""
    (side,) = sides
    name, runs = known[side], plural(len(stolen), "run")
    return f"Only with {name} were cases measured again for stolen CPU time ({runs}), which may favor {name} slightly."


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
