"""What every run of a study shares: the ground it stands on, the question, what was prepared, the rules for judging."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from headtohead.execute.data.copies import Copies
from headtohead.execute.sandbox import Ground
from headtohead.execute.subject.components import Part, parts_of
from headtohead.model.errors import HeadToHeadError
from headtohead.model.plan import PlannedExperiment, Treatment
from headtohead.model.quantity import Scalar
from headtohead.model.record import CaseRecord, LoadRecord, Recorded
from headtohead.model.search import Trial
from headtohead.model.study.study import Experiment, Study
from headtohead.model.study.subject import Subject
from headtohead.model.study.workload import BatchExpect, Workload

NextTrial = Callable[[PlannedExperiment, Treatment, Sequence[LoadRecord], Sequence[Recorded]], Trial | None]
"""What a search does next, from the records of its trials so far and the earlier valid runs of its treatment."""


@dataclass(frozen=True)
class Judgment:
    """What the rules that are blind to the result say of a run: made in ``analyze``, handed in by ``cli``.

    ``judge`` returns the run with status, reasons (those noted while it was made strike it too) and CPU use; ``wrong``
    what is wrong with a batch program's answers; ``next_trial`` how a search goes on, None once it is done.
    """

    judge: Callable[[Recorded, PlannedExperiment], Recorded]
    wrong: Callable[[tuple[CaseRecord, ...], BatchExpect], tuple[str, ...]]
    next_trial: NextTrial


def silent(_: str) -> None:
    """Tell nobody."""


@dataclass
class Bench:
    """The laboratory bench of one study; left as a context, it takes away the working copies of prepared data.

    ``data`` holds folder and checksum of an experiment's data set, ``builds`` the folder that (subject, experiment
    and treatment label) was built into, ``versions`` the line that it says of itself, ``prepared`` the pristine copy
    that it was prepared as, ``unprepared`` why it could not be, ``notes`` how such a copy was made (``load_s``,
    ``made_at``). ``tell`` is given a line on what takes long, ``trying`` what a search does next.
    """

    ground: Ground
    study: Study
    datasets: Path
    judgment: Judgment
    tell: Callable[[str], None] = silent
    trying: Callable[[str], None] = silent
    data: dict[str, tuple[Path, str]] = field(default_factory=dict)
    builds: dict[tuple[str, str, str], Path] = field(default_factory=dict)
    prepared: dict[tuple[str, str, str], Path] = field(default_factory=dict)
    notes: dict[Path, Mapping[str, Scalar]] = field(default_factory=dict)
    unprepared: dict[tuple[str, str, str], HeadToHeadError] = field(default_factory=dict)
    versions: dict[tuple[str, str, str], str] = field(default_factory=dict)
    copies: Copies = field(init=False)

    def __post_init__(self) -> None:
        """Have a place for the working copies of prepared data; none is made yet."""
        self.copies = Copies(self.ground)

    def __enter__(self) -> Self:
        """Do nothing yet: what a study needs is made when it is needed."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take away what only this study needed."""
        self.copies.close()

    def workload(self, experiment: PlannedExperiment) -> Workload:
        """Return the workload of a planned experiment."""
        return self._asked(experiment).workload

    def subject(self, experiment: PlannedExperiment, name: str) -> Subject:
        """Return a subject of a planned experiment."""
        return self._asked(experiment).subjects[name]

    def parts(self, experiment: PlannedExperiment, treatment: Treatment) -> tuple[Part, ...]:
        """Return what a treatment starts, in order: what its subject needs, then the subject."""
        subject = self.subject(experiment, treatment.subject)
        return parts_of(treatment, subject, self._asked(experiment).needed, asks=experiment.asks)

    def words(self, experiment: PlannedExperiment, treatment: Treatment, part: Part) -> Mapping[str, str]:
        """Return where the data set and the build of a part are, as its templates name them."""
        built = self.builds.get((part.subject.name, experiment.name, treatment.label))
        found = {"build": str(built)} if built is not None else {}
        if experiment.name in self.data:
            found["dataset"] = str(self.data[experiment.name][0])
        return found

    def _asked(self, experiment: PlannedExperiment) -> Experiment:
        return next(each for each in self.study.experiments if each.name == experiment.name)
