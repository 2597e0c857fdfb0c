"""Machines as values: what was read about a host, what it offers, what is installed on it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from headtohead.model.quantity import Scalar


@dataclass(frozen=True)
class Fact:
    """One fact read about a host. ``value`` is None if it is not visible, and ``why_not`` gives the reason."""

    group: str
    name: str
    value: Scalar | None
    unit: str | None
    source: str
    why_not: str | None = None


@dataclass(frozen=True)
class Cpu:
    """A logical CPU and its position; CPUs of equal (package, core) are siblings.

    ``cache`` is the lowest index among the CPUs that share its last-level cache, which is of level ``cache_level``.
    Both are None if the kernel does not show them.
    """

    index: int
    node: int
    package: int
    core: int
    cache: int | None = None
    cache_level: int | None = None


@dataclass(frozen=True)
class Node:
    """A NUMA node: whether it has memory that we may use, and its distance to each node, by the kernel's table."""

    index: int
    has_memory: bool
    distances: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Machine:
    """What planning needs to know about a host.

    ``lacks`` maps what the machine cannot give to the reason: a factor (``cpu_quota``, ``memory_mib``, ``numa``,
    ``smt``, ``link``), one level of a factor (``ktls=on``, ``bits=32``), or a level for one subject (``lacked``).
    ``missing`` maps a subject's name to what is not installed for it, one text each; absent if nothing is missing.
    ``unobtainable`` holds the subjects of ``missing`` whose packages are not available here, with the reason.
    """

    name: str
    cpus: tuple[Cpu, ...]
    root: bool
    lacks: Mapping[str, str] = field(default_factory=dict)
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unobtainable: Mapping[str, str] = field(default_factory=dict)
    nodes: tuple[Node, ...] = ()
    memory_mib: int | None = None
    """The memory that the kernel counts in all; None if it does not show it."""
    others: tuple[Cpu, ...] = ()
    """The machine's CPUs that are online and not to be used, as the affinity or the bench's file leaves them out."""


def lacked(factor: str, level: str, subject: str) -> str:
    """Return the key in ``Machine.lacks`` of a level that a machine cannot give one subject.

    >>> lacked("userland", "debian-13", "nginx")
    'userland=debian-13 with nginx'
    """
    return f"{factor}={level} with {subject}"


@dataclass(frozen=True)
class HostFacts:
    """All that was read about one host, in reading order (``hosts.json``)."""

    name: str
    facts: tuple[Fact, ...]
