"""The position of CPUs and what they share: one definition for planning, for reading back and for the report."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Literal

from headtohead.model.machine.host import Cpu

PLACEMENTS: Final = ("siblings", "same-cache", "same-package", "spread")
"""The levels of the host factor ``placement``, from near to far."""

SMT_LEVELS: Final = ("off", "on")
"""The levels of the host factor ``smt``: one thread of each core, or all of them."""

KERNEL: Final = "default"
"""The level of ``numa`` that leaves memory to the kernel."""

MEMORY_LEVELS: Final = (KERNEL, "local", "interleave", "remote")
"""The levels of the host factor ``numa``."""


@dataclass(frozen=True)
class Shares:
    """What a treatment's CPUs share: the numbers of ``cpus``, ``cores``, caches and packages, and the ``nodes``.

    ``threads`` is the number of threads of one of their cores, including threads of others. ``caches`` counts
    last-level caches, of level ``cache_level``; None if this machine does not show which CPUs share one.
    """

    cpus: int
    cores: int
    threads: int
    caches: int | None
    cache_level: int | None
    packages: int
    nodes: tuple[int, ...]


@dataclass(frozen=True)
class MemoryFrom:
    """The NUMA nodes that memory is taken from: these alone (``bind``), or these round robin (``interleave``)."""

    kind: Literal["bind", "interleave"]
    nodes: tuple[int, ...]


def core_of(cpu: Cpu) -> tuple[int, int]:
    """Return what identifies a CPU's core."""
    return cpu.package, cpu.core


def shares_of(cpus: Collection[int], *, machine: Collection[Cpu]) -> Shares:
    """Return what these CPUs of a machine share; CPUs that it does not have are ignored."""
    own = [each for each in machine if each.index in cpus]
    threads = Counter(core_of(each) for each in machine)
    cores = {core_of(each) for each in own}
    caches = {each.cache for each in own}
    levels = {each.cache_level for each in own}
    return Shares(
        cpus=len(own),
        cores=len(cores),
        threads=max((threads[each] for each in cores), default=0),
        caches=None if None in caches or not own else len(caches),
        cache_level=levels.pop() if len(levels) == 1 else None,
        packages=len({each.package for each in own}),
        nodes=tuple(sorted({each.node for each in own})),
    )


def apart_from(cpus: Collection[int], *, machine: Collection[Cpu]) -> tuple[int, ...]:
    """Return the CPUs of a machine that share no core with these."""
    cores = {core_of(each) for each in machine if each.index in cpus}
    return tuple(sorted(each.index for each in machine if core_of(each) not in cores))


def is_placed(placement: str, shares: Shares) -> bool:
    """Return whether CPUs that share this match the level (docs/reference/placement.md)."""
    if placement == "siblings":
        return shares.threads > 1 and shares.cpus == shares.cores * shares.threads
    if shares.cpus < 2 or shares.cores != shares.cpus:
        return False
    if placement == "same-cache":
        return shares.caches == 1
    if placement == "same-package":
        return shares.packages == 1
    return placement == "spread" and apart(shares)


def apart(shares: Shares) -> bool:
    """Return whether they are in more than one last-level cache, package or node."""
    return (shares.caches or 1) > 1 or shares.packages > 1 or len(shares.nodes) > 1
