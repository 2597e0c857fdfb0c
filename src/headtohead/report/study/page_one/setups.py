"""Setups on a card: which are shown, their short names, and lists of them."""

from collections.abc import Sequence
from itertools import takewhile

from headtohead.model.analysis.results import ExperimentResult, TreatmentResult

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
