"""Setups on a card: which are shown, their short names, lists of them, and the CPUs that they had."""

from collections.abc import Sequence
from itertools import takewhile

from headtohead.model.analysis.results import ExperimentResult, TreatmentResult
from headtohead.report.context import ExperimentContext

MOST = 4
"""The most setups or findings in one line; of more only the number is given."""


def arms(result: ExperimentResult) -> list[TreatmentResult]:
    """Return the treatments but the floors."""
    return [each for each in result.treatments if not each.floor]


def short(treatment: TreatmentResult, result: ExperimentResult) -> str:
    """Return a setup's name without the words with which all names of the experiment begin: "2 CPUs"."""
    words = [each.label.split() for each in arms(result)]
    if len(words) < 2:
        return treatment.label
    common = len(list(takewhile(lambda column: len(set(column)) == 1, zip(*words, strict=False))))
    left = treatment.label.split()[common:] if not treatment.floor else []
    return " ".join(left) or treatment.label


def joined(parts: Sequence[str], *, rest: str = "in the tables") -> str:
    """Return parts as one sentence; of many the first ones, and where the others are."""
    if not parts:
        return ""
    more = f"; {len(parts) - MOST} more {rest}" if len(parts) > MOST else ""
    return f"{'; '.join(parts[:MOST])}{more}."


def cpus_line(context: ExperimentContext) -> str:
    """Return how the machine's CPUs were divided between server and load generator; empty if none shared it with them.

    If CPUs are what was varied, the names of the setups have the server's.
    """
    cards = [each.card for each in arms(context.result) if each.card]
    every = next((each.value for each in context.facts if (each.group, each.name) == ("cpu", "threads")), None)
    if not cards or not isinstance(every, int) or any(not each.driver_cpus or each.drivers for each in cards):
        return ""
    driver = len(cards[0].driver_cpus)
    if any(set(each.cpus) & set(each.driver_cpus) for each in cards):
        return f"The load generator shared the CPUs of the server{'s' if len(cards) > 1 else ''}."
    own = {len(each.cpus) for each in cards}
    if len(own) > 1:
        return f"The load generator had {driver} of the machine's {every} CPUs to itself."
    (server,) = own
    which = "the other" if driver == every - server == 1 else f"{driver} of the others"
    return f"{'Each' if len(cards) > 1 else 'The'} server had {server} of {every} CPUs, the load generator {which}."
