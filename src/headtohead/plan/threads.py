"""What a number in ``cpus`` counts: cores, with one thread of each or, by ``smt``, all; with a placement, CPUs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from headtohead.model.errors import LimitedError
from headtohead.model.machine.host import Machine
from headtohead.model.quantity import Scalar
from headtohead.model.study.study import Experiment
from headtohead.plan import cpus

CPUS, SMT, PLACEMENT = "cpus", "smt", "placement"
ON = "on"


@dataclass(frozen=True)
class Counting:
    """How an experiment counts CPUs on a machine.

    A second thread of a core is not a second core: cores are counted where the study counts at all. A placement names
    its threads itself. Without any of these factors a subject has every CPU that the driver leaves.
    """

    machine: Machine
    factors: Mapping[str, tuple[Scalar, ...]]
    """The levels of each factor, as written."""

    driver: int
    """How many CPUs the driver needs at least. If it leaves none, the subject is offered the whole machine: a driver
    that may share the CPUs then does, and one that may not is refused with the reason."""

    @property
    def by_core(self) -> bool:
        """Return whether a number counts cores."""
        return PLACEMENT not in self.factors and bool({CPUS, SMT} & self.factors.keys())

    @property
    def most(self) -> int:
        """Return the meaning of ``all`` in ``cpus``, at least 1; even where ``half`` is compared with it."""
        found = self._most
        return found - 1 if self._uneven else found

    @property
    def _most(self) -> int:
        if self.by_core:
            return cpus.most_cores(self.machine, driver=self.driver) or len(cpus.cores(self.machine))
        return cpus.most(self.machine, driver=self.driver) or len(self.machine.cpus)

    @property
    def _uneven(self) -> bool:
        both = {"half", "all"} <= set(self.factors.get(CPUS, ()))
        return both and self._most > 1 and self._most % 2 == 1

    def own(self, levels: Mapping[str, Scalar]) -> tuple[int, ...] | None:
        """Return the CPUs of a treatment where cores are counted; None elsewhere, and if there are too few cores.

        Raises LimitedError where a number of cores is more than there are, and might be one of threads.
        """
        if not self.by_core:
            return None
        count = self._count(levels)
        cores = len(cpus.cores(self.machine))
        if count > cores and cpus.has_threads(self.machine):
            raise LimitedError(
                f"{cpus.cpus(count)} for the subject",
                why=f"cpus counts cores, and the machine has {cores}, with {len(self.machine.cpus)} threads.",
                remedy='Write fewer, or "all"; smt = ["on"] uses every thread of a core.',
            )
        return cpus.of_cores(self.machine, count, threads=levels.get(SMT) == ON) if count <= cores else None

    def check(self, levels: Mapping[str, Scalar]) -> None:
        """Raise LimitedError for second threads that the machine does not have, if one thread is compared with them."""
        if levels.get(SMT) == ON and len(self.factors[SMT]) > 1 and not cpus.has_threads(self.machine):
            why = "No core that may be used has a second thread."
            remedy = "Remove smt, or set optional = true to leave it out here."
            raise LimitedError('smt = "on" cannot be given', why=why, remedy=remedy)

    def count(self, levels: Mapping[str, Scalar]) -> int:
        """Return how many CPUs a treatment has, also if the machine has fewer."""
        wanted = self._count(levels)
        if not self.by_core or levels.get(SMT) != ON:
            return wanted
        return len(cpus.of_cores(self.machine, wanted, threads=True))

    def _count(self, levels: Mapping[str, Scalar]) -> int:
        return int(levels[CPUS]) if CPUS in levels else self.most

    def notes(self) -> Iterator[str]:
        """Yield what a reader of the plan cannot see in the numbers."""
        if self.by_core and SMT not in self.factors and cpus.has_threads(self.machine):
            yield (
                "cpus counts cores here, and one thread of each is used; the others are idle. "
                'smt = ["on"] uses every thread.'
            )
        if self._uneven:
            what = "core" if self.by_core else "CPU"
            yield f'The subject could have {self._most} {what}s; "all" is {self.most}, so that it is twice "half".'


def counting(experiment: Experiment, machine: Machine) -> Counting:
    """Return how an experiment counts CPUs on a machine."""
    factors = {each.name: tuple(level.value for level in each.levels) for each in experiment.factors}
    return Counting(machine, factors, cpus.least_of_driver(experiment))
