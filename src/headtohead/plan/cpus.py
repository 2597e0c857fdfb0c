"""Which CPUs the subject gets and which the driver, in order of node and core: subject first, no core for both."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from headtohead.model.errors import LimitedError
from headtohead.model.machine.host import Cpu, Machine
from headtohead.model.study.study import Experiment

Core = tuple[int, ...]


@dataclass(frozen=True)
class DriverNeed:
    """How many of the CPUs that are left a driver takes: whole cores up to this number, or ``exactly`` the number."""

    cpus: int
    exactly: bool = False


NO_DRIVER = DriverNeed(0)


def cores(machine: Machine) -> tuple[Core, ...]:
    """Return the machine's CPUs by core, siblings together, in order of node, package and core."""
    ordered = sorted(machine.cpus, key=lambda cpu: (*_core(cpu), cpu.index))
    return tuple(tuple(cpu.index for cpu in siblings) for _, siblings in groupby(ordered, key=_core))


def _core(cpu: Cpu) -> tuple[int, int, int]:
    return cpu.node, cpu.package, cpu.core


def most(machine: Machine, *, driver: int) -> int:
    """Return how many CPUs a subject can have at most if the driver needs this number in cores of its own."""
    return len(machine.cpus) - len(_whole(reversed(cores(machine)), driver))


def most_cores(machine: Machine, *, driver: int) -> int:
    """Return how many cores a subject can have at most if the driver needs this number of CPUs in cores of its own."""
    of_driver = set(_whole(reversed(cores(machine)), driver))
    return sum(not of_driver & set(core) for core in cores(machine))


def of_cores(machine: Machine, count: int, *, threads: bool) -> tuple[int, ...]:
    """Return the CPUs of the first cores, at most this many: one thread of each, or all of their ``threads``."""
    return tuple(cpu for core in cores(machine)[:count] for cpu in (core if threads else core[:1]))


def has_threads(machine: Machine) -> bool:
    """Return whether a core of the machine has a second thread that may be used."""
    return any(len(core) > 1 for core in cores(machine))


def least_of_driver(experiment: Experiment) -> int:
    """Return how many CPUs the driver of an experiment needs at least: the study's number, 1, or none."""
    if not experiment.has_driver:
        return 0
    return experiment.driver_cpus if isinstance(experiment.driver_cpus, int) else 1


def need_of_driver(experiment: Experiment, subject_cpus: int) -> DriverNeed:
    """Return how many CPUs the driver takes if the subject has this number: the study's number, or as it can use.

    It has at most one thread for each connection. Sending a request and checking its response costs less than serving
    it, so it needs no more CPUs than the subject has. A client program of the subject's own is not known to use more
    than one.
    """
    given, load = experiment.driver_cpus, experiment.load
    if given is not None:
        return DriverNeed(sys.maxsize) if given == "rest" else DriverNeed(given, exactly=True)
    if load.loop == "batch":
        return DriverNeed(1)
    connections = load.cases.get("connections", (load.settings.get("connections", subject_cpus),))
    return DriverNeed(max(1, min(subject_cpus, max(int(each) for each in connections))))


def allot(
    machine: Machine, subject_cpus: int, *, driver: DriverNeed = NO_DRIVER, placed: tuple[int, ...] | None = None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the subject's CPUs (``placed`` if a placement names them) and the driver's, each sorted.

    The driver gets the first cores of which the subject has no CPU, so that it never runs on a sibling of the
    subject's. Raises LimitedError if there are too few CPUs.
    """
    count = len(machine.cpus)
    if subject_cpus > count:
        raise LimitedError(
            f"{cpus(subject_cpus)} for the subject",
            why=f"The machine has {cpus(count)}.",
            remedy='Write fewer, or "all".',
        )
    in_order = [cpu for core in cores(machine) for cpu in core]
    of_subject = in_order[:subject_cpus] if placed is None else list(placed)
    if driver == NO_DRIVER:
        return tuple(sorted(of_subject)), ()
    free = _whole((core for core in cores(machine) if not set(core) & set(of_subject)), driver.cpus)
    of_driver = free[: driver.cpus] if driver.exactly else free
    if not of_driver or (driver.exactly and len(of_driver) < driver.cpus):
        held = "1 core" if len(cores(machine)) == 1 else f"{len(cores(machine))} cores"
        what, left = "no CPU left for the driver", ""
        if of_driver:
            what, left = (
                "too few CPUs left for the driver",
                f" {cpus(len(of_driver))} are left, driver_cpus = {driver.cpus}.",
            )
        raise LimitedError(
            what,
            why=f"The machine has {cpus(count)} ({held}), the subject takes {subject_cpus}, "
            f"and the driver needs a core of its own.{left}",
            remedy="Write fewer cpus. With share_driver = true both have the same CPUs, and a run does not count in "
            "which the driver has over 5 % of the subject's CPU time.",
        )
    return tuple(sorted(of_subject)), tuple(sorted(of_driver))


def _whole(given: Iterable[Core], count: int) -> Core:
    """Return the CPUs of whole cores in their order until there are ``count``, or all if there are fewer."""
    found: Core = ()
    for core in given:
        if len(found) >= count:
            break
        found += core
    return found


def cpus(count: int) -> str:
    """Return a number of CPUs in words: ``1 CPU``, ``2 CPUs``."""
    return f"{count} CPU{'' if count == 1 else 's'}"
