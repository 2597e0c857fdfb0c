"""The parts of a treatment: its subject, and the subjects that it needs, each with its settings."""

from collections.abc import Mapping
from dataclasses import dataclass

from headtohead.model.plan import Treatment
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.study.subject import Subject


@dataclass(frozen=True)
class Part:
    """A subject in a treatment, and the interface that it serves there.

    ``factor`` is the factor through which another part needs it; empty for the treatment's own subject.
    """

    subject: Subject
    settings: Mapping[str, Scalar]
    interface: str
    factor: str = ""

    @property
    def name(self) -> str:
        """The name of its process in a run, and of its logs."""
        return self.subject.name if self.factor else "subject"


def parts_of(treatment: Treatment, subject: Subject, needed: Mapping[str, Subject], *, asks: str) -> tuple[Part, ...]:
    """Return the parts of a treatment in the order of their start: needed subjects first, its own subject last.

    A level that is not a subject's name (a database inside the subject's own process) needs nothing.
    """
    levels = {factor: scalar_text(treatment.settings[factor]) for factor in subject.needs}
    first = tuple(
        Part(needed[name], treatment.parts[name], subject.needs[factor], factor)
        for factor, name in levels.items()
        if name in treatment.parts
    )
    return (*first, Part(subject, treatment.settings, asks))
