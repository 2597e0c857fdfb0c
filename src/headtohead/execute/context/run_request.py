"""The run to carry out: its plan, its attempt, its number, and the limits of its subject."""

from dataclasses import dataclass

from headtohead.hosts.supervise.messages import Limits
from headtohead.model.machine.settings import NOFILE
from headtohead.model.plan import PlannedExperiment, PlannedRun, Treatment
from headtohead.model.record import Recorded


@dataclass(frozen=True)
class RunRequest:
    """The run to carry out: its plan, its attempt (2 for a repeated run), and its number in the results folder.

    ``earlier`` holds the valid runs of its treatment so far; a search starts from their result.
    """

    experiment: PlannedExperiment
    planned: PlannedRun
    attempt: int
    number: int
    earlier: tuple[Recorded, ...] = ()

    @property
    def treatment(self) -> Treatment:
        """The treatment of the run."""
        return self.experiment.treatment(self.planned.treatment)

    @property
    def memory_mib(self) -> int | None:
        """The memory that the subject may use, in MiB, including its page cache; None for no limit."""
        limit = self.treatment.levels.get("memory_mib")
        return None if limit is None else int(limit)

    @property
    def limits(self) -> Limits:
        """The limits of the subject and of the subjects that it needs, together."""
        own = self.treatment
        nofile = own.levels.get(NOFILE)
        files = None if nofile is None else int(nofile)
        return Limits(own.cpus, own.cpu_quota, memory_mib=self.memory_mib, memory=own.memory, nofile=files)
