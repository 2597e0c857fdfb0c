"""Results folders of several machines: what is read of each, and the result of ``compare``."""

from collections.abc import Mapping
from dataclasses import dataclass

from headtohead.model.analysis import Estimate, Verdict, WorkPrice
from headtohead.model.plan import Plan
from headtohead.model.prices import Power, SystemPrice
from headtohead.model.quantity import Metric, Scalar, Summary

Told = tuple[Scalar | None, str | None]
"""The value of a host fact (None: not visible) and its unit."""


@dataclass(frozen=True)
class SystemResults:
    """The content of plan.json, hosts.json and measurements.csv of a results folder; no other file is read.

    ``facts`` are those of its hosts, by group and name; ``values`` the primary values of the valid runs, in the order
    of the runs, by experiment and treatment. If there are none, the key is absent. ``price`` and ``power`` are those
    of the machine in its system.toml, if there is one.
    """

    name: str
    plan: Plan
    facts: Mapping[tuple[str, str], Told]
    values: Mapping[tuple[str, str], tuple[float, ...]]
    price: SystemPrice | None = None
    power: Power | None = None


@dataclass(frozen=True)
class Broken:
    """A results folder that could not be read, and why."""

    name: str
    why: str


@dataclass(frozen=True)
class System:
    """A results folder among others: its name, the day in its name, and the main facts that distinguish it.

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
    """What people gave of it; no probe reads this."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The result of one system in one test: its value over its valid runs, and against the baseline.

    ``ratio`` is system over baseline as measured (1.13 is 13 % more, whatever the metric's direction). It is None for
    the baseline itself and if it cannot be computed; ``because`` gives the reason. ``rank`` is the first and the last
    that its interval allows; None if it has none, or if neither direction of the metric is better. ``price`` is the
    cost of its work at the price of the system, ``joules`` the energy of a unit at the given power under load.
    """

    system: str
    estimate: Estimate
    ratio: Estimate | None
    verdict: Verdict | None
    because: str
    rank: tuple[int, int] | None
    price: WorkPrice | None = None
    joules: Estimate | None = None


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
class OverallStanding:
    """How much better one system is than the baseline, as the geometric mean over several tables.

    ``ratio`` is above 1 if it is better, whatever the directions of the metrics; None for the baseline.
    """

    system: str
    ratio: Estimate | None
    rank: tuple[int, int]


@dataclass(frozen=True)
class Overall:
    """The geometric mean over the ``tables`` that every system has, of ``of`` tables; no standings if there is none."""

    tables: int
    of: int
    standings: tuple[OverallStanding, ...]
    lacking: tuple[str, ...]
    """The systems that lack a table which others have, those that lack most first."""


@dataclass(frozen=True)
class Refusal:
    """An experiment of some systems that cannot be compared with the baseline: ``field`` is what differs."""

    experiment: str
    field: str
    why: str
    systems: tuple[str, ...]


@dataclass(frozen=True)
class FactDifference:
    """A host fact that is not the same in all systems, ``intended`` if it was named beforehand.

    ``values`` has one entry per system, in the order of the systems; None is "not visible".
    """

    group: str
    name: str
    unit: str | None
    intended: bool
    values: tuple[Scalar | None, ...]


@dataclass(frozen=True)
class SystemsComparison:
    """Several systems compared with one: what they are, their results, what differs, what was not compared."""

    baseline: str
    says: str
    systems: tuple[System, ...]
    overall: Overall
    tables: tuple[SystemsTable, ...]
    facts: tuple[FactDifference, ...]
    refused: tuple[Refusal, ...]
    broken: tuple[Broken, ...]
