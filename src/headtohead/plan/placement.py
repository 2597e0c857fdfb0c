"""Which CPUs a level of ``placement`` gives, and which nodes a level of ``numa``: from the machine's topology alone."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, groupby, zip_longest

from headtohead.model.errors import LimitedError
from headtohead.model.machine.host import Cpu, Machine
from headtohead.model.machine.topology import PLACEMENTS, MemoryFrom, apart, core_of, shares_of
from headtohead.model.plan import Treatment
from headtohead.model.quantity import Scalar
from headtohead.plan.cpus import cpus as counted

Key = Callable[[Cpu], int]


def place(machine: Machine, count: int, placement: str) -> tuple[int, ...]:
    """Return the subject's CPUs; raises LimitedError if the machine cannot give the level for that number.

    The same applies if all levels that it can give are the same CPUs: then the level would mean nothing.
    """
    outcomes = {each: _given(machine, count, each) for each in PLACEMENTS}
    given = outcomes[placement]
    if isinstance(given, str):
        raise _limited(placement, count, why=given)
    others = {each for name, each in outcomes.items() if name != placement and not isinstance(each, str)}
    if others <= {given}:
        why = f"This machine has one kind of placement for {counted(count)}: every other level gives the same, or none."
        raise _limited(placement, count, why=why)
    return given


def require_elsewhere(treatment: Treatment, earlier: Iterable[Treatment]) -> None:
    """Raise LimitedError if an earlier treatment with another placement, all else equal, has the same CPUs."""
    for each in earlier:
        words = treatment.levels.get("placement"), each.levels.get("placement")
        if words[0] == words[1] or _but_placement(treatment) != _but_placement(each) or treatment.cpus != each.cpus:
            continue
        cpus = ", ".join(str(cpu) for cpu in treatment.cpus)
        why = f'They would be CPUs {cpus}, as for placement = "{words[1]}": the two would be the same.'
        raise _limited(str(words[0]), len(treatment.cpus), why=why)


def _but_placement(treatment: Treatment) -> Mapping[str, Scalar]:
    return {name: level for name, level in treatment.levels.items() if name != "placement"}


def _limited(placement: str, count: int, *, why: str) -> LimitedError:
    remedy = "Write another placement or number of cpus, or set optional = true to leave it out here."
    return LimitedError(f'placement = "{placement}" for {counted(count)} cannot be given', why=why, remedy=remedy)


def _given(machine: Machine, count: int, placement: str) -> tuple[int, ...] | str:
    """Return the CPUs, or why there are none."""
    if placement == "siblings":
        return _siblings(machine, count)
    firsts = _first_threads(machine)
    if count < 2:
        return "One CPU alone shares nothing with another CPU, and is not separate from one."
    if count > len(firsts):
        return f"It takes one thread per core, and the machine has {_many(len(firsts), 'core')}."
    if placement == "same-cache":
        return _of_one(firsts, count, by=_cache, what="last-level cache")
    if placement == "same-package":
        return _of_one(_dealt(firsts, _node, _cache), count, by=_package, what="package")
    chosen = _indices(_dealt(firsts, _package, _node, _cache)[:count])
    if not apart(shares_of(chosen, machine=machine.cpus)):
        return "All cores share one last-level cache, package and node: there is nothing to spread over."
    return chosen


def _siblings(machine: Machine, count: int) -> tuple[int, ...] | str:
    """Return whole cores, with all their threads, in the machine's order."""
    ordered = sorted(machine.cpus, key=lambda cpu: (cpu.node, cpu.package, _cache(cpu), cpu.core, cpu.index))
    cores = [tuple(each) for _, each in groupby(ordered, key=core_of)]
    whole = [each for each in cores if len(each) > 1]
    if not whole:
        return "No core that may be used has a second thread."
    threads = len(whole[0])
    if count % threads:
        return f"A core has {threads} threads, and {count} is not a multiple of that."
    if count > threads * len(whole):
        return f"The machine has {_many(len(whole), 'core')} of {threads} threads."
    return _indices(chain.from_iterable(whole[: count // threads]))


def _first_threads(machine: Machine) -> list[Cpu]:
    """Return one thread of each core, cores in the machine's order."""
    ordered = sorted(machine.cpus, key=lambda cpu: (cpu.node, cpu.package, _cache(cpu), cpu.core, cpu.index))
    return [next(iter(each)) for _, each in groupby(ordered, key=core_of)]


def _of_one(firsts: Sequence[Cpu], count: int, *, by: Key, what: str) -> tuple[int, ...] | str:
    """Return the first CPUs of the first cache, or package, that has enough cores."""
    if any(each.cache is None for each in firsts) and by is _cache:
        return "This machine does not show which CPUs share a cache."
    groups: dict[int, list[Cpu]] = {}
    for each in firsts:
        groups.setdefault(by(each), []).append(each)
    enough = [groups[key] for key in sorted(groups) if len(groups[key]) >= count]
    if not enough:
        most = max(len(each) for each in groups.values())
        return f"No {what} has that many cores that may be used: {most} at most."
    return _indices(enough[0][:count])


def _dealt(cpus: Sequence[Cpu], *keys: Key) -> list[Cpu]:
    """Return the CPUs dealt round robin from the groups by the first key, and within each group by the next."""
    if not keys:
        return list(cpus)
    ordered = sorted(cpus, key=keys[0])
    groups = [_dealt(list(each), *keys[1:]) for _, each in groupby(ordered, key=keys[0])]
    return [each for turn in zip_longest(*groups) for each in turn if each is not None]


def _package(cpu: Cpu) -> int:
    return cpu.package


def _node(cpu: Cpu) -> int:
    return cpu.node


def _cache(cpu: Cpu) -> int:
    return -1 if cpu.cache is None else cpu.cache


def _indices(cpus: Iterable[Cpu]) -> tuple[int, ...]:
    return tuple(sorted(each.index for each in cpus))


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def memory_from(machine: Machine, cpus: Sequence[int], numa: str) -> MemoryFrom:
    """Return the nodes from which a level of ``numa`` takes memory; raises LimitedError if that is not possible."""
    with_memory = {each.index: each for each in machine.nodes if each.has_memory}
    if numa == "interleave" and len(with_memory) < 2:
        raise _no_node(numa, why="At most one node has memory that may be used, and interleaving needs two.")
    if numa == "interleave":
        return MemoryFrom("interleave", tuple(sorted(with_memory)))
    own = sorted({each.node for each in machine.cpus if each.index in cpus})
    if len(own) > 1:
        listed = " and ".join(str(each) for each in own)
        raise _no_node(numa, why=f"The subject's CPUs belong to the nodes {listed}, so no node is theirs alone.")
    (node,) = own
    if numa == "local":
        if node not in with_memory:
            raise _no_node(numa, why=f"Node {node}, to which its CPUs belong, has no memory that may be used.")
        return MemoryFrom("bind", (node,))
    far = next((each.distances for each in machine.nodes if each.index == node), {})
    others = [each for each in sorted(with_memory) if each != node]
    if not others:
        raise _no_node(numa, why=f"No node but {node}, to which its CPUs belong, has memory that may be used.")
    return MemoryFrom("bind", (max(others, key=lambda each: (far.get(each, 0), -each)),))


def _no_node(numa: str, *, why: str) -> LimitedError:
    remedy = "Write other cpus or another placement, or set optional = true to leave it out here."
    return LimitedError(f'numa = "{numa}" cannot be given', why=why, remedy=remedy)
