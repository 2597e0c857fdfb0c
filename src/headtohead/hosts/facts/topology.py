"""Which CPUs are together: in a package, on a core, below a last-level cache."""

from collections.abc import Callable, Iterable, Iterator

from headtohead.hosts.kernel_files import Group, Tree, cpu_list, cpu_text
from headtohead.model.machine.host import Fact

CPUS = "sys/devices/system/cpu"
BETWEEN = " | "
"""The separator between the CPUs of one package, core or cache and those of the next."""


def read_topology(tree: Tree) -> Iterator[Fact]:
    """Yield the CPUs of each package, core and last-level cache, as lists in the kernel's format."""
    group = Group("topology", tree)
    online = cpu_list(tree.text(f"{CPUS}/online") or "")
    kinds: tuple[tuple[str, str, Callable[[Tree, int], str | None]], ...] = (
        ("CPUs of each package", "topology/physical_package_id", _package),
        ("CPUs of each core", "topology/thread_siblings_list", _core),
        ("CPUs of each last-level cache", "cache/index*/shared_cpu_list", _cache),
    )
    for name, file, of in kinds:
        source = f"/{CPUS}/cpu*/{file}"
        together = _together(online, {cpu: of(tree, cpu) for cpu in online})
        if together:
            yield group.known(name, BETWEEN.join(together), source=source)
        else:
            yield group.hidden(name, source=source, why_not="this machine does not show it of all its CPUs")


def _together(online: Iterable[int], said: dict[int, str | None]) -> list[str]:
    """Return the CPUs with the same value, in order of the first; nothing if a CPU has none."""
    found: dict[str, list[int]] = {}
    for cpu in online:
        text = said[cpu]
        if text is None:
            return []
        found.setdefault(text, []).append(cpu)
    return [cpu_text(cpus) for cpus in found.values()]


def _package(tree: Tree, cpu: int) -> str | None:
    return tree.text(f"{CPUS}/cpu{cpu}/topology/physical_package_id")


def _core(tree: Tree, cpu: int) -> str | None:
    return tree.text(f"{CPUS}/cpu{cpu}/topology/thread_siblings_list")


def _cache(tree: Tree, cpu: int) -> str | None:
    """Return the CPUs that share the cache of the highest level."""
    place = f"{CPUS}/cpu{cpu}/cache"
    names = {tree.integer(f"{place}/{each.name}/level") or 0: each.name for each in tree.glob(f"{place}/index[0-9]*")}
    return tree.text(f"{place}/{names[max(names)]}/shared_cpu_list") if names else None
