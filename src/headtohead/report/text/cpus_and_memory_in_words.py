"""What CPUs share, where memory comes from, and the meaning of levels of placement, memory and word size, as text."""

from collections.abc import Iterable, Iterator

from headtohead.model.machine.host import HostFacts
from headtohead.model.machine.topology import MemoryFrom, Shares
from headtohead.model.plan import PlannedExperiment, Treatment
from headtohead.model.quantity import scalar_text
from headtohead.report.text.wording import listed

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_BIT_NAMES = ("64", "s390x")
"""What the name of a 64-bit architecture holds (``uname -m``)."""

_LEVELS = {
    "smt": {
        "off": "one thread of each core; its other threads are idle, and not switched off, so a core may divide what "
        "its threads share as if they could run",
        "on": "every thread of each core",
    },
    "placement": {
        "siblings": "whole cores, every thread of them",
        "same-cache": "cores that share one last-level cache, one thread of each",
        "same-package": "cores of one package, alternating between its nodes and caches, one thread of each",
        "spread": "cores alternating between all packages, nodes and caches, one thread of each",
    },
    "numa": {
        "default": "the kernel chooses the node of new memory: most often the one of the CPU that first writes to it",
        "local": "new memory from the node of its CPUs, and from no other",
        "interleave": "new memory interleaved over all nodes, page by page",
        "remote": "new memory from the node farthest from its CPUs by the kernel's table of distances, "
        "and from no other",
    },
}
POLLING = "polling"
"""The driver polls its connections instead of sleeping."""

_CACHED = "Files that were in the page cache before stay on the node where they are."


def cpu_list(cpus: tuple[int, ...]) -> str:
    """Return CPUs by number, ranges shortened: ``0-3, 8``."""
    ranges: list[list[int]] = []
    for cpu in sorted(cpus):
        if ranges and cpu == ranges[-1][-1] + 1:
            ranges[-1].append(cpu)
        else:
            ranges.append([cpu])
    return ", ".join(str(each[0]) if len(each) == 1 else f"{each[0]}-{each[-1]}" for each in ranges)


def shares_text(shares: Shares | None) -> str:
    """Return what CPUs share: ``two cores of one package, one L3 cache``; empty if there is nothing to share."""
    if shares is None or shares.cpus == 0 or (shares.cpus, shares.threads) == (1, 1):
        return ""
    if shares.cpus == 1:
        return "one thread of a core, the rest of it idle"
    parts = [f"{_threads(shares)} of {many(shares.packages, 'package')}"]
    if shares.caches is not None:
        level = "last-level" if shares.cache_level is None else f"L{shares.cache_level}"
        parts.append(many(shares.caches, f"{level} cache"))
    if len(shares.nodes) > 1:
        parts.append(many(len(shares.nodes), "NUMA node"))
    return ", ".join(parts)


def _threads(shares: Shares) -> str:
    cores = many(shares.cores, "core")
    if shares.cpus == shares.cores:
        return cores if shares.threads == 1 else f"one thread of each of {cores}"
    if shares.cpus == shares.cores * shares.threads:
        return f"{'both' if shares.cpus == 2 else 'all'} threads of {cores}"
    return f"{many(shares.cpus, 'thread')} of {cores}"


def many(number: int, what: str) -> str:
    """Return a number of things in words.

    >>> many(2, "machine")
    'two machines'
    """
    word = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"{word} {what}{'' if number == 1 else 's'}"


def memory_text(memory: MemoryFrom | None, shares: Shares | None) -> str:
    """Return where memory comes from: ``node 2 (its CPUs are of node 0)``; empty if the kernel decides."""
    if memory is None:
        return ""
    nodes = listed([str(each) for each in memory.nodes])
    own = f" (its CPUs are of {_of_nodes(shares.nodes)})" if shares else ""
    return (
        f"nodes {nodes}, interleaved{own}" if memory.kind == "interleave" else f"{_of_nodes(memory.nodes)} alone{own}"
    )


def _of_nodes(nodes: tuple[int, ...]) -> str:
    return f"node{'' if len(nodes) == 1 else 's'} {listed([str(each) for each in nodes])}"


def where_text(treatment: Treatment) -> str:
    """Return the placement and memory that a treatment requests, as CPUs and nodes; empty if it requests none.

    A number of cores requests one thread of each, which needs a word where they have more.
    """
    parts = []
    by_core = "cpus" in treatment.levels and treatment.shares is not None and treatment.shares.threads > 1
    if by_core or {"placement", "smt"} & treatment.levels.keys():
        parts.append(f"CPUs {cpu_list(treatment.cpus)}, {shares_text(treatment.shares)}")
    if "numa" in treatment.levels and treatment.memory is None:
        parts.append("memory as the kernel chooses")
    elif "numa" in treatment.levels:
        parts.append(f"memory from {memory_text(treatment.memory, treatment.shares)}")
    return "; ".join(parts)


def placement_sentences(planned: PlannedExperiment) -> tuple[str, ...]:
    """Return a sentence for each placement and memory policy: which CPUs, what they share, which memory."""
    placed = [each for each in planned.treatments if each.shares]
    where = ((_levels_of(each, ("cpus", "smt", "placement", "numa")), where_text(each)) for each in placed)
    return tuple(dict.fromkeys(f"{levels}: {text}." for levels, text in where if text))


def _levels_of(treatment: Treatment, names: Iterable[str]) -> str:
    levels = treatment.levels
    return ", ".join(f"{name}={scalar_text(levels[name])}" for name in names if name in levels)


def level_notes(planned: PlannedExperiment, hosts: Iterable[HostFacts]) -> Iterator[str]:
    """Yield the meaning of levels that need an explanation: placement, memory, and the word size of programs."""
    for factor, meanings in _LEVELS.items():
        used = dict.fromkeys(str(each.levels[factor]) for each in planned.treatments if factor in each.levels)
        yield from (f"{factor}={level}: {meanings[level]}." for level in used if level in meanings)
        if used and factor == "numa":
            yield _CACHED
    sizes = {each.settings.get("bits", each.levels.get("bits")) for each in planned.treatments}
    if 32 in sizes:
        kernel = "a 64-bit kernel" if 64 in sizes or _is_64_bit(hosts) else "a kernel whose word size is not visible"
        yield (
            f"bits=32: 32-bit programs on {kernel}. What differs is the word size of the programs alone; kernel and "
            "drivers stay as they are, as they would not on a 32-bit system."
        )


def _is_64_bit(hosts: Iterable[HostFacts]) -> bool:
    facts = [each for host in hosts for each in host.facts]
    architectures = [str(each.value) for each in facts if (each.group, each.name) == ("software", "architecture")]
    return bool(architectures) and all(any(name in each for name in _BIT_NAMES) for each in architectures)
