"""The NUMA nodes: their CPUs, their memory, and their distances."""

from collections.abc import Iterator

from headtohead.hosts.kernel_files import Group, Tree
from headtohead.model.machine.host import Fact

NODES = "sys/devices/system/node"
KIB = 1024


def read_numa(tree: Tree) -> Iterator[Fact]:
    """Yield the facts of the NUMA nodes."""
    group = Group("numa", tree)
    nodes = [each.name for each in tree.glob(f"{NODES}/node[0-9]*")]
    if not nodes:
        yield group.hidden("nodes", source=f"/{NODES}", why_not=tree.why_not(NODES))
        return
    yield group.known("nodes", len(nodes), source=f"/{NODES}")
    for node in nodes:
        yield group.file(f"{node} CPUs", f"{NODES}/{node}/cpulist")
        words = (tree.text(f"{NODES}/{node}/meminfo") or "").split()
        source = f"/{NODES}/{node}/meminfo (MemTotal)"
        if "MemTotal:" in words:
            total = int(words[words.index("MemTotal:") + 1]) * KIB
            yield group.known(f"{node} memory", total, source=source, unit="B")
        else:
            yield group.hidden(f"{node} memory", source=source, why_not=tree.why_not(f"{NODES}/{node}/meminfo"))
        yield group.file(f"{node} distances", f"{NODES}/{node}/distance")
