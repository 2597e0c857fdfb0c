"""Something noticed that bears on a result: a value, never a print."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from headtohead.model.quantity import Scalar

REPORTED = "reported"
"""Evidence of this name is text of a program, as it is in the sentence: what looks like a label in it is none."""
AT_WORST = ", at worst"
"""After the number of runs of a doubt that several have: what follows is the worst of them."""


class Severity(StrEnum):
    """How much a finding matters: a note informs, a doubt weakens the claim, what is invalid does not count.

    An invalid run is left out; an invalid comparison has no verdict.
    """

    NOTE = "note"
    DOUBT = "doubt"
    INVALID = "invalid"


@dataclass(frozen=True)
class Finding:
    """One thing noticed: what it is, what to do about it, and the numbers that it rests on.

    ``id`` is a kebab-case name (``client-limited``, ``foreign-cpu``); the unit of each evidence is in its name.
    ``of`` holds the labels of the treatments that it is about: one, the two of a comparison, or none for all.
    """

    id: str
    severity: Severity
    says: str
    advice: str
    evidence: Mapping[str, Scalar] = field(default_factory=dict)
    of: tuple[str, ...] = ()
