"""The context of a study, which all of its runs share: host, study, prepared data, and the rules for judging runs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from headtohead.execute.data.datasets import DataSets
from headtohead.execute.data.working_copies import Copies
from headtohead.execute.host_cache_and_user_of_runs import Environment
from headtohead.execute.pages.read_url_set import sample_pages
from headtohead.execute.subject.list_subjects_of_treatment import Part, parts_of
from headtohead.hosts.software import userlands
from headtohead.hosts.software.userlands import Userland
from headtohead.model.errors import HeadToHeadError
from headtohead.model.machine.userland import userland_of
from headtohead.model.plan import PlannedExperiment, Treatment
from headtohead.model.quantity import Scalar
from headtohead.model.record import LoadRecord, Recorded
from headtohead.model.study.study import Experiment, Study
from headtohead.model.study.subject import PROGRAMS, Subject
from headtohead.model.study.trials import Trial
from headtohead.model.study.workload import Workload

NextTrial = Callable[[PlannedExperiment, Treatment, Sequence[LoadRecord], Sequence[Recorded]], Trial | None]
"""Returns the next trial of a search, from the records of its trials so far and its treatment's earlier valid runs."""


@dataclass(frozen=True)
class RunRules:
    """The rules that judge a run without knowing its result: made in ``analyze``, passed in by ``cli``.

    ``judge`` returns the run with status, reasons and CPU use; reasons noted during the run exclude it too.
    ``next_trial`` returns the next trial of a search, or None.
    """

    judge: Callable[[Recorded, PlannedExperiment], Recorded]
    next_trial: NextTrial


def silent(_: str) -> None:
    """Show no message."""


class PartKey(NamedTuple):
    """What is prepared once for all runs: a subject as one treatment of one experiment needs it."""

    subject: str
    experiment: str
    treatment: str


def part_key(part: Part, experiment: PlannedExperiment, treatment: Treatment) -> PartKey:
    """Return the key of a part of a treatment."""
    return PartKey(part.subject.name, experiment.name, treatment.label)


@dataclass
class StudyContext:
    """The context of one study. As a context manager, it removes the working copies of prepared data at the end.

    ``data`` has the folder and checksum of each experiment's data set. By subject, experiment and treatment label,
    ``builds`` has the build folder, ``natives`` that of the program compiled here, ``versions`` the version line,
    ``prepared`` the pristine copy of the data, and ``unprepared`` the error if there is none. ``notes`` records how
    each copy was made (``load_s``, ``made_at``), and ``passwords`` has its password, which never leaves this process
    but for files of runs.
    On a bench ``local_data`` has the folder here of each experiment's data set, ``far_data`` the one on each driver.
    ``show`` receives a message about each slow step, ``show_trial`` each trial of a search,
    ``show_wait`` what a run waits for.
    """

    environment: Environment
    study: Study
    datasets: DataSets
    rules: RunRules
    show: Callable[[str], None] = silent
    show_trial: Callable[[str], None] = silent
    show_wait: Callable[[str], None] = silent
    data: dict[str, tuple[Path, str]] = field(default_factory=dict)
    local_data: dict[str, Path] = field(default_factory=dict)
    far_data: dict[tuple[str, str], Path] = field(default_factory=dict)
    builds: dict[PartKey, Path] = field(default_factory=dict)
    natives: dict[PartKey, Path] = field(default_factory=dict)
    prepared: dict[PartKey, Path] = field(default_factory=dict)
    notes: dict[Path, Mapping[str, Scalar]] = field(default_factory=dict)
    passwords: dict[Path, str] = field(default_factory=dict, repr=False)
    unprepared: dict[PartKey, HeadToHeadError] = field(default_factory=dict)
    versions: dict[PartKey, str] = field(default_factory=dict)
    copies: Copies = field(init=False)

    def __post_init__(self) -> None:
        """Create the empty set of working copies of prepared data."""
        self.copies = Copies(self.environment)

    def __enter__(self) -> Self:
        """Do nothing yet: data, builds and copies are made when they are needed."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the working copies."""
        self.copies.close()

    def workload(self, experiment: PlannedExperiment) -> Workload:
        """Return the workload of a planned experiment."""
        return self._experiment(experiment).workload

    def first_path(self, experiment: PlannedExperiment) -> Mapping[str, str]:
        """Return the template word for the path of the workload's first page; nothing if it has no requests."""
        session = self.workload(experiment).session
        if session is not None:
            return {"path": session.first_path}
        for request in self.workload(experiment).requests[:1]:
            if request.path is not None:
                return {"path": request.path}
            if request.urls is not None and experiment.name in self.data:
                listed = self.data_here(experiment.name) / request.urls
                return {"path": next(sample_pages(listed, status=request.expect.status, count=1)).path}
        return {}

    def data_here(self, experiment: str) -> Path:
        """Return the folder on this machine of an experiment's data set."""
        return self.local_data.get(experiment) or self.data[experiment][0]

    def subject(self, experiment: PlannedExperiment, name: str) -> Subject:
        """Return a subject of a planned experiment."""
        return self._experiment(experiment).subjects[name]

    def parts(self, experiment: PlannedExperiment, treatment: Treatment) -> tuple[Part, ...]:
        """Return the parts of a treatment in the order of their start: the needed subjects, then its own."""
        subject = self.subject(experiment, treatment.subject)
        return parts_of(treatment, subject, self._experiment(experiment).needed, asks=experiment.asks)

    def userland(self, treatment: Treatment) -> Userland | None:
        """Return the userland of a treatment, None for the machine's own files; HostError if it was changed."""
        level, environment = userland_of(treatment.levels), self.environment
        if level is None:
            return None
        return userlands.read(environment.cache, level, treatment.subject, host=environment.host)

    def words(self, experiment: PlannedExperiment, treatment: Treatment, part: Part) -> Mapping[str, str]:
        """Return the template words for the data set, the programs and the build of a part."""
        key = part_key(part, experiment, treatment)
        found = {"build": str(self.builds[key])} if key in self.builds else {}
        if part.subject.native is not None:
            found[PROGRAMS] = str(self.natives.get(key, part.subject.native.programs))
        if experiment.name in self.data:
            found["dataset"] = str(self.data[experiment.name][0])
        return found

    def password(self, pristine: Path | None) -> Mapping[str, str]:
        """Return the template word for the password of a prepared copy; nothing without a copy."""
        return {"password": self.passwords[pristine]} if pristine in self.passwords else {}

    def _experiment(self, experiment: PlannedExperiment) -> Experiment:
        return next(each for each in self.study.experiments if each.name == experiment.name)
