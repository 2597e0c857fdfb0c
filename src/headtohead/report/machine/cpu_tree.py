"""Packages, nodes, last-level caches and cores of a host's CPUs, as far as its facts hold them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from headtohead.model.machine.host import Cpu, HostFacts
from headtohead.model.quantity import Scalar

MOST_CPUS = 1024
"""Larger machines are not drawn, and longer lists are not trusted."""

_LISTED = re.compile(r"\d{1,5}(-\d{1,5})?(,\d{1,5}(-\d{1,5})?)*")
_NODE = re.compile(r"node(\d{1,4}) CPUs")
_SHARED = re.compile(r"L(\d) shared by CPUs")

Facts = Mapping[tuple[str, str], Scalar]


@dataclass(frozen=True)
class CpuTree:
    """The CPUs of a host by index; ``hidden`` names what the facts lack and drawings leave out."""

    cpus: tuple[Cpu, ...]
    hidden: tuple[str, ...]


def cpu_tree_of(host: HostFacts) -> CpuTree | None:
    """Return the CPUs with their places, or None if their number is not known or too large.

    Folders from before the ``topology`` facts have it in the facts of caches and nodes, if these are few.
    """
    facts = {(each.group, each.name): each.value for each in host.facts if each.value is not None}
    packages = _packages(facts)
    nodes = _nodes(facts)
    lists_of_cores = facts.get(("topology", "CPUs of each core"), facts.get(("caches", "L1 data shared by CPUs")))
    cores = _split(lists_of_cores)
    level, caches = _caches(facts)
    indexes = sorted(packages or nodes or cores)
    if not indexes or len(indexes) > MOST_CPUS:
        return None
    levels = (("package", packages), ("core", cores), ("last-level cache", caches))
    hidden = tuple(f"which CPUs share a {what}" for what, found in levels if set(indexes) - set(found))
    cpus = tuple(
        Cpu(
            index=index,
            node=nodes.get(index, 0),
            package=packages.get(index, 0),
            core=cores.get(index, index),
            cache=caches.get(index),
            cache_level=level if index in caches else None,
        )
        for index in indexes
    )
    return CpuTree(cpus, hidden)


def _packages(facts: Facts) -> dict[int, int]:
    """Return the package of each CPU, counted from 0; a host with one socket has all its CPUs in it."""
    lists = _lists(facts.get(("topology", "CPUs of each package")))
    if lists:
        return {cpu: place for place, cpus in enumerate(lists) for cpu in cpus}
    threads = facts.get(("cpu", "threads"))
    if facts.get(("cpu", "sockets")) != 1 or not isinstance(threads, int) or not 0 < threads <= MOST_CPUS:
        return {}
    return dict.fromkeys(_nodes(facts) or range(threads), 0)


def _nodes(facts: Facts) -> dict[int, int]:
    """Return the node of each CPU."""
    found: dict[int, int] = {}
    for (group, name), value in facts.items():
        node = _NODE.fullmatch(name) if group == "numa" else None
        if node:
            found.update(dict.fromkeys(cpus_of(value), int(node[1])))
    return found


def _caches(facts: Facts) -> tuple[int | None, dict[int, int]]:
    """Return the level of the last cache and, for each CPU, the lowest one that shares it."""
    levels = {int(found[1]): name for (_, name) in facts if (found := _SHARED.fullmatch(name))}
    level = max(levels, default=None)
    shared = _split(facts.get(("topology", "CPUs of each last-level cache")))
    if shared or level is None:
        return level, shared
    return level, _split(facts.get(("caches", levels[level])))


def _split(value: Scalar | None) -> dict[int, int]:
    """Return for each CPU the lowest one of its list, from a fact such as ``0,4 | 1,5``."""
    return {cpu: cpus[0] for cpus in _lists(value) for cpu in cpus}


def _lists(value: Scalar | None) -> list[tuple[int, ...]]:
    """Return the lists of a fact; none if one of them is not a list, for example because it was cut."""
    parts = [cpus_of(part) for part in str(value).split(" | ")] if value is not None else []
    return parts if all(parts) else []


def cpus_of(value: Scalar) -> tuple[int, ...]:
    """Return the CPUs of a list in the kernel's format; empty if the text is no such list or too long.

    >>> cpus_of("0-2,5"), cpus_of("... (9 in all)")
    ((0, 1, 2, 5), ())
    """
    return tuple(_each(str(value))) if _LISTED.fullmatch(str(value)) else ()


def _each(text: str) -> Iterator[int]:
    for part in text.split(","):
        low, _, high = part.partition("-")
        yield from range(int(low), min(int(high or low), int(low) + MOST_CPUS) + 1)
