"""What every run of a study shares: the ground it stands on, the question, what was prepared, the rules for judging."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from headtohead.execute.stand import Ground
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import CaseRecord, Recorded
from headtohead.model.study import Study
from headtohead.model.subject import Subject
from headtohead.model.workload import BatchExpect, Workload


@dataclass(frozen=True)
class Judgment:
    """What the rules that are blind to the result say of a run: made in ``analyze``, handed in by ``cli``.

    ``judge`` returns the run with status, reasons (those noted while it was made strike it too) and CPU use; ``wrong``
    what is wrong with a batch program's answers.
    """

    judge: Callable[[Recorded, PlannedExperiment], Recorded]
    wrong: Callable[[tuple[CaseRecord, ...], BatchExpect], tuple[str, ...]]


@dataclass
class Bench:
    """The laboratory bench of one study.

    ``data`` holds folder and checksum of an experiment's data set, ``builds`` the folder that (subject, treatment
    label) was built into, ``versions`` a line for each subject.
    """

    ground: Ground
    study: Study
    datasets: Path
    judgment: Judgment
    data: dict[str, tuple[Path, str]] = field(default_factory=dict)
    builds: dict[tuple[str, str], Path] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    def workload(self, experiment: PlannedExperiment) -> Workload:
        """Return the workload of a planned experiment."""
        return next(each.workload for each in self.study.experiments if each.name == experiment.name)

    def subject(self, experiment: PlannedExperiment, name: str) -> Subject:
        """Return a subject of a planned experiment."""
        return next(each.subjects[name] for each in self.study.experiments if each.name == experiment.name)
