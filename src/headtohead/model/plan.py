"""The plan: everything that is decided before the first run (``plan.json``).

A plan is complete by itself: analysis and report need nothing else but the runs.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import reduce

from headtohead.model.case import Case
from headtohead.model.machine.link import Link, Reach
from headtohead.model.machine.topology import MemoryFrom, Shares
from headtohead.model.quantity import Metric, Scalar, Summary
from headtohead.model.rules import ADDED_ERROR, ALL_ADDED_ERROR, ERROR
from headtohead.model.study.study import Orders
from headtohead.model.study.workload import DataSet, Load, Poll

NO_TIME = 0.0
"""The time limit, in minutes, of an experiment that does not go on while blocks are added to others."""


@dataclass(frozen=True)
class Treatment:
    """One combination of levels, one per factor, with its values on this machine.

    ``levels`` holds every factor of the experiment, words like "all" resolved; ``settings`` every factor of the
    subject, defaults included. ``cpus`` are the subject's, ``driver_cpus`` the driver's: empty for batch work, and if
    the subject works in process.
    """

    label: str
    subject: str
    levels: Mapping[str, Scalar]
    settings: Mapping[str, Scalar]
    cpus: tuple[int, ...]
    driver_cpus: tuple[int, ...]
    cpu_quota: float | None
    floor: bool
    parts: Mapping[str, Mapping[str, Scalar]] = field(default_factory=dict)
    """The subjects that this one needs (a forum's database), each with its settings: started first, on its CPUs."""
    in_process: bool = False
    """Whether driver and subject are one program: what the client does counts as the subject's work."""
    fresh: bool = False
    """Whether each run starts on its own copy of the data, as set by the workload or a level of its factors."""
    shares: Shares | None = None
    """What its CPUs share; None in older plans."""
    apart: tuple[int, ...] | None = None
    """The machine's CPUs that share no core with the subject's or the driver's; None in older plans."""
    memory: MemoryFrom | None = None
    """The NUMA nodes that the subject takes memory from; None leaves it to the kernel."""
    link: Link | None = None
    """What joins server and driver of a ``net/`` interface; None if both use the host's network."""
    changed: tuple[str, ...] = ()
    """The subject's own settings that the study set to another level than their default."""
    poll: Poll | None = None
    """How the load generator waits for responses. None in older plans, where it slept, and without one."""
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By factor, the count words ("all", "half") that stand for its number here; empty, and absent from plan.json, if
    none does, and in older plans. A number that the study writes as well is among them."""
    reach: Reach | None = None
    """How a driver reaches a database server; None, and absent from plan.json, for others, and in older plans."""
    server: str | None = None
    """The server of the bench that it runs on; None, and absent from plan.json, without a bench."""
    drivers: tuple[str, ...] = ()
    """The drivers of the bench that send its requests; empty, and absent from plan.json, if there is none."""

    def alike(self, other: "Treatment") -> bool:
        """Return whether two treatments differ in nothing but their labels: they are one setup twice."""
        one, two = (
            replace(each, label="", levels={name: value for name, value in each.levels.items() if name != "subject"})
            for each in (self, other)
        )
        return one == two


@dataclass(frozen=True)
class Comparison:
    """Two treatments compared within blocks, by label; ``alpha`` holds the error share of each interim analysis."""

    factor: str
    baseline: str
    other: str
    fixed: Mapping[str, Scalar]
    alpha: tuple[float, ...]


@dataclass(frozen=True)
class PlannedRun:
    """One treatment once: its block, its place in the block, and the order of its cases."""

    block: int
    place: int
    treatment: str
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class PlannedExperiment:
    """One experiment, expanded. ``runs`` go up to the last interim analysis; ``run_s`` are expected seconds per run."""

    name: str
    question: str
    workload: str
    workload_version: int
    workload_title: str
    asks: str
    same_test: str
    data: DataSet | None
    load: Load
    primary: Summary
    summaries: tuple[Summary, ...]
    metrics: Mapping[str, Metric]
    compare: str | None
    matters: float
    looks: tuple[int, ...]
    within_min: float | None
    share_driver: bool
    cases: tuple[Case, ...]
    treatments: tuple[Treatment, ...]
    comparisons: tuple[Comparison, ...]
    runs: tuple[PlannedRun, ...]
    run_s: Mapping[str, float]
    notes: tuple[str, ...] = ()
    """What a reader should know about the planning: levels merged, words resolved."""
    declared: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The names (kernels, queries) that the workload itself has in each case field with several names."""
    orders: Orders = "random"
    """How the orders of treatments in blocks were drawn."""
    tolerates_noise: bool = False
    """Whether runs count that other programs or the hypervisor disturbed; then no verdict is given (ADR 61). Absent
    from plan.json if it is not so."""

    @property
    def of_queries(self) -> bool:
        """Whether the load is queries to an ``sql/`` interface."""
        return self.asks.startswith("sql/")

    @property
    def over_link(self) -> bool:
        """Whether the load is a client program of the subject's own, over a link (``net/``)."""
        return self.asks.startswith("net/")

    @property
    def not_asked(self) -> Mapping[str, tuple[str, ...]]:
        """The declared names that the load leaves out, by case field, if the primary summary is over that field."""
        left_out = {}
        for name, declared in self.declared.items():
            asked = {str(each[name]) for each in (*self.cases, self.load.settings) if name in each}
            if asked and name not in self.primary.where:
                left_out[name] = tuple(each for each in declared if each not in asked)
        return {name: missing for name, missing in left_out.items() if missing}

    @property
    def lengthened(self) -> bool:
        """Whether blocks were added when it had ended: its last analysis has no more error than an added one."""
        return _error(self) <= ADDED_ERROR * _ROUNDED

    @property
    def goes_on(self) -> bool:
        """Whether runs of it may still be made: it has time left, or no limit."""
        return self.within_min != NO_TIME

    @property
    def added_error(self) -> float:
        """The error of the next analysis that was not planned, over all comparisons: half of the one before it."""
        return _error(self) / 2 if self.lengthened else ADDED_ERROR

    @property
    def error(self) -> float:
        """The error of all its analyses together, those that were not planned included."""
        return ERROR + (ALL_ADDED_ERROR if self.lengthened else 0.0)

    def against_itself(self, baseline: str, other: str) -> bool:
        """Return whether two labels are of one setup, so that no difference between them is theirs."""
        found = [each for each in self.treatments if each.label in (baseline, other)]
        return len(found) > 1 and found[0].alike(found[1])

    def treatment(self, label: str) -> Treatment:
        """Return the treatment of that label; a KeyError if there is none."""
        for each in self.treatments:
            if each.label == label:
                return each
        raise KeyError(label)


@dataclass(frozen=True)
class LeftOut:
    """An experiment, or a treatment of one, that this machine cannot carry out, and why."""

    experiment: str
    reason: str
    treatment: str | None = None


@dataclass(frozen=True)
class MoreBlocks:
    """Blocks added to an experiment that had ended: up to which one, the level of each comparison, and their runs."""

    experiment: str
    look: int
    alpha: float
    runs: tuple[PlannedRun, ...]


@dataclass(frozen=True)
class AddedBlocks:
    """Blocks that ``run --more`` added to a study that had ended; an empty list lifts its time limit."""

    more: tuple[MoreBlocks, ...]
    only: tuple[str, ...] = ()
    """The experiments that go on since the latest addition; empty, and absent from more.json, for all."""


@dataclass(frozen=True)
class Plan:
    """All runs in the order they will be made, fixed by the study's seed."""

    title: str
    seed: int
    within_min: float | None
    study_sha256: str
    version: str
    experiments: tuple[PlannedExperiment, ...]
    left_out: tuple[LeftOut, ...]
    titles: Mapping[str, str]
    """From each subject's name to its title."""
    own: Mapping[str, str] = field(default_factory=dict)
    """The subjects, workloads, data sets and files of the user's own, each by its path from the study, with its
    SHA-256. Empty, and absent from plan.json, if all content is ours."""
    own_study: str = ""
    """The name of the study's file if some content is the user's own: it is found from where that file is. Else empty,
    and absent from plan.json."""

    def on(self, server: str | None) -> "Plan":
        """Return the plan with the treatments of one server of the bench alone; all of it without a bench."""
        parts = [
            replace(each, treatments=tuple(one for one in each.treatments if one.server == server))
            for each in self.experiments
        ]
        return replace(self, experiments=tuple(each for each in parts if each.treatments))

    def going_on(self) -> "Plan":
        """Return the plan with the experiments of which runs may still be made."""
        return replace(self, experiments=tuple(each for each in self.experiments if each.goes_on))

    @property
    def tolerates_noise(self) -> bool:
        """Whether runs count that other programs or the hypervisor disturbed, so that no verdict is given."""
        return any(each.tolerates_noise for each in self.experiments)

    def tolerating_noise(self) -> "Plan":
        """Return the plan in which such runs count."""
        return replace(self, experiments=tuple(replace(each, tolerates_noise=True) for each in self.experiments))

    def with_more(self, added: AddedBlocks | None) -> "Plan":
        """Return the plan with blocks that were added when it had ended; then no time limit ends it.

        None leaves it as it was planned. No blocks lift the time limit that had ended it. Experiments that do not go on
        have no time left.
        """
        if added is None:
            return self
        parts = []
        for each in self.experiments:
            own = [one for one in added.more if one.experiment == each.name]
            limit = NO_TIME if added.only and each.name not in added.only else None
            parts.append(reduce(_longer, own, replace(each, within_min=limit)))
        return replace(self, experiments=tuple(parts), within_min=None)


_ROUNDED = 1 + 1e-6
"""Numbers in files have 9 significant digits."""


def _error(planned: PlannedExperiment) -> float:
    """Return the error of the last analysis, over all comparisons; that of the experiment if nothing is compared."""
    return math.fsum(each.alpha[-1] for each in planned.comparisons) if planned.comparisons else ERROR


def _longer(planned: PlannedExperiment, added: MoreBlocks) -> PlannedExperiment:
    comparisons = tuple(replace(each, alpha=(*each.alpha, added.alpha)) for each in planned.comparisons)
    looks = (*planned.looks, added.look)
    return replace(planned, looks=looks, comparisons=comparisons, runs=(*planned.runs, *added.runs))
