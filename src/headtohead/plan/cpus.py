"""Which CPUs the subject gets and which the driver: whole cores, in order of node and core, subject first."""

from itertools import groupby

from headtohead.model.errors import LimitedError
from headtohead.model.machine.host import Cpu, Machine


def cores(machine: Machine) -> tuple[tuple[int, ...], ...]:
    """Return the machine's CPUs by core, siblings together, in order of node, package and core."""
    ordered = sorted(machine.cpus, key=lambda cpu: (*_core(cpu), cpu.index))
    return tuple(tuple(cpu.index for cpu in siblings) for _, siblings in groupby(ordered, key=_core))


def _core(cpu: Cpu) -> tuple[int, int, int]:
    return cpu.node, cpu.package, cpu.core


def most(machine: Machine, *, driver: bool) -> int:
    """Return how many CPUs a subject can have at most: all, or all but the driver's core."""
    own = cores(machine)
    return sum(len(core) for core in (own[:-1] if driver else own))


def allot(
    machine: Machine, subject_cpus: int, *, driver: bool, placed: tuple[int, ...] | None = None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the subject's CPUs (``placed`` if a placement names them) and the driver's, each sorted.

    The driver gets the first core of which the subject has no CPU, so that it never runs on a sibling of the
    subject's; without ``driver`` it gets none. Raises LimitedError if there are too few CPUs.
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
    if not driver:
        return tuple(sorted(of_subject)), ()
    free = [core for core in cores(machine) if not set(core) & set(of_subject)]
    if not free:
        held = "1 core" if len(cores(machine)) == 1 else f"{len(cores(machine))} cores"
        raise LimitedError(
            "no CPU left for the driver",
            why=f"The machine has {cpus(count)} ({held}), the subject takes {subject_cpus}, "
            "and the driver needs a core of its own.",
            remedy="Write fewer cpus, or share_driver = true.",
        )
    return tuple(sorted(of_subject)), tuple(sorted(free[0]))


def cpus(count: int) -> str:
    """Return a number of CPUs in words: ``1 CPU``, ``2 CPUs``."""
    return f"{count} CPU{'' if count == 1 else 's'}"
