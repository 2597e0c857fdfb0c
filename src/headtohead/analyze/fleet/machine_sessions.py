"""The systems of a comparison: results folders of one machine are its sessions, those of one day a single one."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from headtohead.analyze.fleet.same_test import ComparedTreatment, arms_of, key_text
from headtohead.analyze.references.compare_with_reference_machine import DAY
from headtohead.model.analysis.systems import ArmKey, System, SystemResults
from headtohead.model.machine.sessions import RecordedSpread, same_machine, steady_values
from headtohead.model.plan import Plan
from headtohead.model.quantity import Scalar


@dataclass(frozen=True)
class Machine:
    """One of the systems compared, with its results folders in the order given."""

    name: str
    folders: tuple[SystemResults, ...]

    def spread_of(self, arm: ComparedTreatment) -> RecordedSpread | None:
        """Return what was recorded between its sessions of a test; None if nothing was, or the machine has changed."""
        spreads = self.folders[0].spreads
        return spreads.of(key_text(arm)) if spreads and self.as_recorded else None

    @cached_property
    def as_recorded(self) -> bool:
        """Whether the machine is as it was when its spread was recorded."""
        spreads = self.folders[0].spreads
        return spreads is not None and same_machine(spreads, self.folders[0].facts)


@dataclass
class Gathered:
    """One treatment: the places of the systems that have values of it, and the number of systems that planned it.

    ``sessions`` holds, for each of these systems, the values of the runs by session. A session is known by its day,
    or by its folder if no day is known. ``cpus`` holds the numbers of CPUs that the subject had in each system.
    """

    arm: ComparedTreatment
    places: list[int] = field(default_factory=list)
    sessions: list[dict[str, tuple[float, ...]]] = field(default_factory=list)
    planned: set[int] = field(default_factory=set)
    cpus: list[set[int]] = field(default_factory=list)


def machines_of(systems: Sequence[SystemResults]) -> list[Machine]:
    """Return the machines, in the order of their first folders."""
    folders: dict[tuple[bool, str], list[SystemResults]] = {}
    for each in systems:
        folders.setdefault((each.machine is None, each.machine or each.name), []).append(each)
    return [Machine(name, tuple(each)) for (_, name), each in folders.items()]


def gather(machines: Sequence[Machine]) -> list[Gathered]:
    """Return every treatment that any machine planned, those of the first machine first.

    Runs of several folders of one day are runs of one session: they are too close to show how much days differ.
    """
    found: dict[Hashable, Gathered] = {}
    kinds: dict[int, Sequence[ComparedTreatment]] = {}
    for place, machine in enumerate(machines):
        for folder in machine.folders:
            session = day_of(folder.name) or folder.name
            arms = kinds.get(id(folder.plan))
            if arms is None:
                arms = kinds[id(folder.plan)] = arms_of(folder.plan)
            for arm in arms:
                own = found.get(arm.key)
                if own is None:
                    own = found[arm.key] = Gathered(arm)
                own.planned.add(place)
                _add(own, place, folder, arm, session=session)
    return list(found.values())


def _add(own: Gathered, place: int, folder: SystemResults, arm: ComparedTreatment, *, session: str) -> None:
    values = folder.values.get(ArmKey(arm.experiment.name, arm.treatment.label))
    if not values:
        return
    if not own.places or own.places[-1] != place:
        own.places.append(place)
        own.sessions.append({})
        own.cpus.append(set())
    own.cpus[-1].add(len(arm.treatment.cpus))
    own.sessions[-1][session] = own.sessions[-1].get(session, ()) + values


def plans_of(machines: Sequence[Machine]) -> list[tuple[str, Plan]]:
    """Return the plan of each folder, with its name."""
    return [(folder.name, folder.plan) for machine in machines for folder in machine.folders]


def day_of(name: str) -> str | None:
    """Return the day in the name of a results folder; None if there is none."""
    found = DAY.match(name.rpartition("/")[2])
    return found.group() if found else None


def described(machine: Machine) -> System:
    """Return what a reader needs to know the machine by."""

    def fact(group: str, name: str) -> Scalar | None:
        return machine.folders[0].facts.get((group, name), (None, None))[0]

    days = sorted({day for each in machine.folders if (day := day_of(each.name)) is not None})
    return System(
        name=machine.name,
        day=None if not days else days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}",
        cpu=fact("cpu", "model"),
        cpus=fact("cpu", "threads"),
        memory_bytes=fact("memory", "total"),
        kernel=fact("software", "kernel"),
        distribution=fact("software", "distribution"),
        price=next((each.price for each in machine.folders if each.price), None),
        power=next((each.power for each in machine.folders if each.power), None),
        sessions=tuple(each.name for each in machine.folders),
        changed=tuple(_changed(machine)),
    )


def _changed(machine: Machine) -> list[str]:
    """Return the names of the facts of kernel and settings that are not the same in all folders of a machine."""
    if len(machine.folders) < 2:
        return []
    steady = [steady_values(each.facts) for each in machine.folders]
    keys = dict.fromkeys(key for each in steady for key in each)
    return [f"{group}: {name}" for group, name in keys if len({each.get((group, name)) for each in steady}) > 1]
