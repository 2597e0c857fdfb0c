"""What was measured again within a run: how many runs, and why. A run may count although a case of it was repeated."""

from collections import Counter
from collections.abc import Sequence

from headtohead.model import rules
from headtohead.model.record import Recorded, Run
from headtohead.report.text.names import listed, plural

REPLACED = "-replaced"
"""What ends the name of a phase whose case was measured again."""
UNKNOWN = "the reason was not recorded"


def repeated(run: Run) -> bool:
    """Return whether a case of the run was measured again."""
    return bool(run.repeats) or any(each.name.endswith(REPLACED) for each in run.phases)


def causes(run: Run) -> tuple[str, ...]:
    """Return why cases of the run were measured again, each cause once."""
    reasons = [_cause(reason) for each in run.repeats for reason in each.reasons] or [UNKNOWN]
    return tuple(dict.fromkeys(reasons)) if repeated(run) else ()


def repeat_sentence(runs: Sequence[Recorded]) -> str:
    """Return how many of the runs that count had a case repeated, and why; empty if none had."""
    valid = [each.run for each in runs if each.run.status == "valid"]
    again = [each for each in valid if repeated(each)]
    if not again:
        return ""
    counts = Counter(cause for each in again for cause in causes(each))
    why = [f"{cause} ({number})" if len(counts) > 1 else cause for cause, number in counts.most_common()]
    numbers = listed([str(each.run) for each in again])
    which = f"run {numbers}" if len(again) == 1 else f"runs {numbers}"
    return (
        f"{len(again)} of {plural(len(valid), 'run')} had a case repeated: {listed(why)} ({which}). "
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
