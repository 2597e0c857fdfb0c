"""A drawing of each host: packages, nodes, last-level caches, cores and their threads."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from headtohead.model.machine.host import Cpu, HostFacts
from headtohead.model.machine.topology import core_of
from headtohead.report.document import Figure
from headtohead.report.drawing.box_drawing import Sheet, width_of
from headtohead.report.drawing.chart import Boxes
from headtohead.report.drawing.chart_style import NARROW, WIDE
from headtohead.report.machine.cpu_tree import CpuTree, cpu_tree_of
from headtohead.report.text.cpus_and_memory_in_words import cpu_list
from headtohead.report.text.numbers.values_with_units import fact
from headtohead.report.text.wording import capital, listed, plural

MOST_DRAWN = 256
"""The most CPUs drawn: more would be a carpet."""
_CPU, _PAD, _GAP, _LINE = 28.0, 8.0, 6.0, 17.0
_ACROSS = 8
"""The most cores side by side in one cache, if there is room."""
_CACHES = ("L1 data", "L1 instruction", "L2", "L3", "L4")


@dataclass(frozen=True)
class _Group:
    """The CPUs of one last-level cache of one node, core by core, and the name of the group."""

    name: str
    cores: tuple[tuple[Cpu, ...], ...]

    @property
    def core_width(self) -> float:
        return max(len(core) for core in self.cores) * _CPU + 6

    def across(self, room: float) -> int:
        """Return how many cores fit side by side into this width."""
        fitting = int((room - 2 * _PAD + _GAP) / (self.core_width + _GAP))
        return max(1, min(_ACROSS, fitting, len(self.cores)))

    def size(self, room: float) -> tuple[float, float]:
        across = self.across(room)
        rows = -(-len(self.cores) // across)
        wide = across * (self.core_width + _GAP) - _GAP + 2 * _PAD
        high = _LINE + 4 + rows * (_CPU + 6 + _GAP) - _GAP + _PAD
        return min(room, max(wide, width_of(self.name, size=11) + 2 * _PAD)), high


def draw_topology(host: HostFacts, *, prefix: str) -> tuple[Figure, ...]:
    """Return the drawing of a host; nothing if its CPUs are not known or too many."""
    tree = cpu_tree_of(host)
    if tree is None or len(tree.cpus) > MOST_DRAWN:
        return ()
    words = topology_sentences(host)
    title = f"What {host.name} is made of"

    def drawn(width: float, name: str) -> str:
        sheet = Sheet(width)
        height = _packages(sheet, tree, host)
        return sheet.svg(height, prefix=name, title=title, description=" ".join(words))

    hidden = f" This machine's facts do not show {listed(list(tree.hidden))}." if tree.hidden else ""
    facts = {(each.group, each.name): each.value for each in host.facts}
    virtual = facts.get(("virtualization", "hypervisor")) not in (None, "none")
    shown = " This is what the hypervisor presents; its cores may be threads of one core." if virtual else ""
    caption = (
        f"Each square is a CPU by its number, each box around squares a core, each shaded box a cache.{shown}{hidden}"
    )
    drawing = Boxes(drawn(WIDE, f"{prefix}-wide"), drawn(NARROW, f"{prefix}-narrow"))
    return (Figure(drawing, caption, words),)


def topology_sentences(host: HostFacts) -> tuple[str, ...]:
    """Return the drawing in words: the CPUs of each package, node and last-level cache; empty if they are not known."""
    tree = cpu_tree_of(host)
    if tree is None:
        return ()
    lines = [
        f"{capital(_package_name(package, tree))}: "
        + "; ".join(f"{group.name}: CPUs {cpu_list(_indexes(group))}" for group in _groups(cpus, tree, host))
        + "."
        for package, cpus in _by_package(tree)
    ]
    return (*lines, *(f"{each}." for each in (_cache_line(host),) if each))


def _indexes(group: _Group) -> tuple[int, ...]:
    return tuple(cpu.index for core in group.cores for cpu in core)


def _package_name(package: int, tree: CpuTree) -> str:
    if any("package" in each for each in tree.hidden):
        return "the packages together"
    return f"package {package}"


def _by_package(tree: CpuTree) -> Iterator[tuple[int, tuple[Cpu, ...]]]:
    ordered = sorted(tree.cpus, key=lambda cpu: cpu.package)
    for package, cpus in itertools.groupby(ordered, key=lambda cpu: cpu.package):
        yield package, tuple(cpus)


def _groups(cpus: Iterable[Cpu], tree: CpuTree, host: HostFacts) -> list[_Group]:
    """Return the groups of a package, one for each last-level cache; nodes are named only if there are several."""
    values = {(each.group, each.name): each for each in host.facts if each.value is not None}
    several = len({cpu.node for cpu in tree.cpus}) > 1
    found: dict[tuple[int, int | None, int | None], dict[tuple[int, int], list[Cpu]]] = {}
    for cpu in cpus:
        found.setdefault((cpu.node, cpu.cache, cpu.cache_level), {}).setdefault(core_of(cpu), []).append(cpu)
    groups = []
    for (node, shared, level), cores in sorted(found.items(), key=lambda pair: min(pair[1])):
        memory, cache = values.get(("numa", f"node{node} memory")), values.get(("caches", f"L{level} size"))
        parts = [f"node {node}{f', {fact(memory.value, memory.unit)}' if memory else ''}"] if several else []
        if shared is not None:
            name = "one cache" if level is None else f"L{level}"
            parts.append(f"{name}{f' {fact(cache.value, cache.unit)}' if cache else ''}")
        groups.append(_Group(", ".join(parts) or f"node {node}", tuple(tuple(core) for core in cores.values())))
    return groups


def _cache_line(host: HostFacts) -> str:
    """Return the caches with the number of each."""
    facts = {(each.group, each.name): each for each in host.facts if each.value is not None}
    parts = []
    for name in _CACHES:
        size, number = facts.get(("caches", f"{name} size")), facts.get(("caches", f"{name} instances"))
        if size and number:
            parts.append(f"{number.value} x {name} {fact(size.value, size.unit)}")
    return f"Caches: {', '.join(parts)}" if parts else ""


def _packages(sheet: Sheet, tree: CpuTree, host: HostFacts) -> float:
    """Draw the packages from top to bottom; return how high that is."""
    top = 1.0
    for package, cpus in _by_package(tree):
        groups = _groups(cpus, tree, host)
        cores = len({core_of(cpu) for cpu in cpus})
        known = not any("core" in each for each in tree.hidden)
        many = f"{plural(cores, 'core')}, {plural(len(cpus), 'CPU')}" if known else plural(len(cpus), "CPU")
        name = f"{capital(_package_name(package, tree))}: {many}"
        high = _place(sheet, groups, top=top + _LINE + _PAD)
        sheet.box((1, top), (sheet.width - 2, high - top + _PAD))
        sheet.write((1 + _PAD, top + _LINE), name, bold=True)
        top = high + _PAD + _GAP
    for line in sheet.lines(_cache_line(host), size=11):
        top += _LINE - 3
        sheet.write((1, top), line, size=11, color="var(--muted)")
    return top + _GAP


def _place(sheet: Sheet, groups: Sequence[_Group], *, top: float) -> float:
    """Draw groups side by side while there is room, then below; return the lower end of the last one."""
    left, bottom, room = 1 + _PAD, top, sheet.width - 2 - 2 * _PAD
    for group in groups:
        wide, high = group.size(room)
        if left > 1 + _PAD and left + wide > 1 + _PAD + room:
            left, top = 1 + _PAD, bottom + _GAP
        _draw_group(sheet, group, at=(left, top), size=(wide, high))
        left, bottom = left + wide + _GAP, max(bottom, top + high)
    return bottom


def _draw_group(sheet: Sheet, group: _Group, *, at: tuple[float, float], size: tuple[float, float]) -> None:
    sheet.box(at, size, fill="var(--band)")
    sheet.write((at[0] + _PAD, at[1] + _LINE - 3), group.name, size=11, color="var(--muted)")
    across = group.across(size[0])
    for number, core in enumerate(group.cores):
        row, column = divmod(number, across)
        left = at[0] + _PAD + column * (group.core_width + _GAP)
        top = at[1] + _LINE + 4 + row * (_CPU + 6 + _GAP)
        sheet.box((left, top), (len(core) * _CPU + 6, _CPU + 6), fill="var(--paper)")
        for place, cpu in enumerate(core):
            corner = (left + 3 + place * _CPU, top + 3)
            sheet.box((corner[0] + 1, corner[1] + 1), (_CPU - 2, _CPU - 2))
            middle = (corner[0] + _CPU / 2, corner[1] + _CPU / 2 + 4)
            sheet.write(middle, str(cpu.index), size=11, anchor="middle")
