"""Results folders of several machines side by side: what is read of each, and what ``compare`` makes of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from headtohead.model.analysis.comparison import Verdict
from headtohead.model.analysis.cost import WorkPrice
from headtohead.model.analysis.estimates import Estimate, Key
from headtohead.model.case import Case
from headtohead.model.external.prices import Power, SystemPrice
from headtohead.model.machine.sessions import SessionSpreads
from headtohead.model.plan import Plan
from headtohead.model.quantity import Metric, Scalar, Summary

FactValue = tuple[Scalar | None, str | None]
"""The value of a host fact (None: not visible) and its unit."""

Basis = Literal["between-sessions", "recorded-spread", "within-session"]
"""What an interval rests on: sessions, the spread that was recorded between sessions, or the runs of one session.

Only the first two allow for another day, so only they carry verdicts and ranks.
"""


class ArmKey(NamedTuple):
    """A treatment of an experiment, by their names."""

    experiment: str
    treatment: str


@dataclass(frozen=True)
class SystemResults:
    """A results folder, as far as plan.json, hosts.json and measurements.csv show: nothing else is read of others.

    ``facts`` are those of its hosts, by group and name; ``values`` the primary values of the valid runs, in the order
    of the runs, by experiment and treatment. Where there is none the key is absent. ``price`` and ``power`` are what
    people gave of the machine in its system.toml, where there is one. ``spreads`` is what sessions.json records of its
    sessions. ``machine`` names the system that the folder is a session of; None if it is a system by itself.
    """

    name: str
    plan: Plan
    facts: Mapping[tuple[str, str], FactValue]
    values: Mapping[ArmKey, tuple[float, ...]]
    price: SystemPrice | None = None
    power: Power | None = None
    cases: Mapping[ArmKey, Mapping[Key, tuple[float, ...]]] = field(default_factory=dict)
    """The values of each case and metric, run by run, if they were read: only to compare a few systems."""
    sealed: bool = True
    """Whether these files are in the folder's seal; False if it has none."""
    spreads: SessionSpreads | None = None
    machine: str | None = None
    blocks: Mapping[ArmKey, Mapping[int, float]] = field(default_factory=dict)
    """The primary values by block, if they were read: only to divide them by those of one treatment."""


@dataclass(frozen=True)
class Broken:
    """A results folder that could not be read, and why."""

    name: str
    why: str


@dataclass(frozen=True)
class System:
    """A system among others: what it is known by, its days, and the least that distinguishes it.

    ``sessions`` names its results folders. ``changed`` names the facts of kernel and settings in which they differ.
    None is "not visible", never zero.
    """

    name: str
    day: str | None
    cpu: Scalar | None
    cpus: Scalar | None
    memory_bytes: Scalar | None
    kernel: Scalar | None
    distribution: Scalar | None
    price: SystemPrice | None = None
    power: Power | None = None
    """What people gave of it: no probe reads it."""
    sessions: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """How one system did in one test: its value over its sessions, and against the baseline.

    ``ratio`` is system over baseline as measured (1.13 is 13 % more, whatever the metric's direction); None for the
    baseline itself and where there is none, ``because`` is the reason. ``basis`` and ``ratio_basis`` name what their
    intervals rest on. ``rank`` is the first and the last that its interval allows; None if the system was measured
    once and has no recorded spread, or the metric is better neither way. ``price`` is what its work costs by the price
    of the system, ``joules`` what a unit of it takes by the power that was given of the machine under load.
    """

    system: str
    estimate: Estimate
    ratio: Estimate | None
    verdict: Verdict | None
    because: str
    rank: tuple[int, int] | None
    price: WorkPrice | None = None
    joules: Estimate | None = None
    sessions: int = 1
    basis: Basis = "within-session"
    ratio_basis: Basis | None = None
    cpus: tuple[int, ...] = ()
    """The numbers of CPUs that the subject had, rising: a word such as "all" is another number on another machine."""


@dataclass(frozen=True)
class SystemsTable:
    """One treatment of one experiment in every system that has it, the best first.

    ``missing`` names the systems in which it was not measured. The intervals of the values hold for all systems of the
    table at once, those of the ratios for all ratios of the experiment.
    """

    experiment: str
    treatment: str
    workload: str
    workload_title: str
    workload_version: int
    same_test: str
    primary: Summary
    metric: Metric
    matters: float
    standings: tuple[Standing, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True)
class GridRow:
    """One case of a grid: the estimate of each system, in the order of the grid's; None if it has no values."""

    case: Case
    estimates: tuple[Estimate | None, ...]


@dataclass(frozen=True)
class SystemsGrid:
    """One metric of one treatment, case by case, of a few systems next to each other, as articles print it.

    Intervals are at 95 % each: of the sessions of a system or, if ``within_session``, of the runs of its one session.
    A grid decides nothing.
    """

    experiment: str
    treatment: str
    metric: Metric
    loop: str
    systems: tuple[str, ...]
    within_session: tuple[bool, ...]
    rows: tuple[GridRow, ...]


@dataclass(frozen=True)
class OverallStanding:
    """How much better one system is than the baseline, as the geometric mean over several tables.

    ``ratio`` is above 1 where it is better, whatever the directions of the metrics; None for the baseline. ``rank`` is
    None if it was measured once.
    """

    system: str
    ratio: Estimate | None
    rank: tuple[int, int] | None
    ratio_basis: Basis | None = None


@dataclass(frozen=True)
class Overall:
    """The geometric mean over the ``tables`` that every system has, of ``of`` tables; empty standings where none is."""

    tables: int
    of: int
    standings: tuple[OverallStanding, ...]
    lacking: tuple[str, ...]
    """The systems that lack a table which others have, those that lack most first."""


@dataclass(frozen=True)
class Refusal:
    """What some systems have of an experiment that cannot be compared with the baseline: ``field`` is what differs."""

    experiment: str
    field: str
    why: str
    systems: tuple[str, ...]


@dataclass(frozen=True)
class FactDifference:
    """A host fact that is not the same in all systems, ``intended`` when it was named beforehand.

    ``values`` has one entry a system, in the order of the systems; None is "not visible".
    """

    group: str
    name: str
    unit: str | None
    intended: bool
    values: tuple[Scalar | None, ...]


@dataclass(frozen=True)
class SystemsComparison:
    """Several systems compared with one: who they are, how they did, what differs, what could not be compared."""

    baseline: str
    says: str
    systems: tuple[System, ...]
    overall: Overall
    tables: tuple[SystemsTable, ...]
    facts: tuple[FactDifference, ...]
    refused: tuple[Refusal, ...]
    broken: tuple[Broken, ...]
    unsealed: tuple[str, ...] = ()
    """The systems whose folders have no seal: a change of their files cannot be seen."""
    tables_believed: bool = False
    """Whether the values are those of the folders' tables, which were not made again from their runs."""
    grids: tuple[SystemsGrid, ...] = ()
    """Case by case, if few systems are compared."""
    relative_to: str | None = None
    """The treatment by whose run in the same block each value was divided; None for the values themselves."""
