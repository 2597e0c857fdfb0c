"""What a treatment consists of: its subject, and the subjects that this one needs, each with its settings."""

from collections.abc import Mapping
from dataclasses import dataclass

from headtohead.model.plan import Treatment
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.study.subject import Subject, reached_names


@dataclass(frozen=True)
class Part:
    """A subject in a treatment, and the interface that it serves there.

    ``factor`` is the one by which another part needs it; empty for the treatment's own subject.
    """

    subject: Subject
    settings: Mapping[str, Scalar]
    interface: str
    factor: str = ""

    @property
    def name(self) -> str:
        """What its process is called in a run, and its logs."""
        return self.subject.name if self.factor else "subject"


def parts_of(treatment: Treatment, subject: Subject, needed: Mapping[str, Subject], *, asks: str) -> tuple[Part, ...]:
    """Return the parts of a treatment in the order of their start: what is needed first, its own subject last.

    A level that is no subject's name (a database inside the subject's own process) needs nothing.
    """
    wanted = {factor: scalar_text(treatment.settings[factor]) for factor in subject.needs}
    first = tuple(
        Part(needed[name], treatment.parts[name], subject.needs[factor], factor)
        for factor, name in wanted.items()
        if name in treatment.parts
    )
    return (*first, Part(subject, treatment.settings, asks))


def reach_words(subject: Subject, reached: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return ``@<factor>_<field>@`` of all that a subject needs; empty where nothing is there, or it lacks the field.

    ``reached`` holds the filled in ``reach`` of each needed part by its factor.
    """
    words = {name: "" for factor in subject.needs for name in reached_names(factor)}
    return words | {f"{factor}_{field}": text for factor, reach in reached.items() for field, text in reach.items()}
