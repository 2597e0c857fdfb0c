"""What this machine can give to a plan: its CPUs, what it lacks, and what is not installed on it."""

import os
from collections.abc import Collection, Iterable, Mapping

from headtohead.hosts import packages
from headtohead.hosts.facts.tree import Tree, cpu_list
from headtohead.hosts.host import Host
from headtohead.hosts.local import LocalHost
from headtohead.model.host import Cpu, Machine
from headtohead.model.subject import Subject

CPUS = "sys/devices/system/cpu"
NODES = "sys/devices/system/node"
PROTOCOLS = "proc/sys/net/ipv4/tcp_available_ulp"
"""What the kernel can put on top of TCP by itself."""
HUGE_PAGES = ("nr_hugepages", "nr_overcommit_hugepages")
"""Pages that are reserved, and pages that may be taken beyond them (/proc/sys/vm)."""
CONTROLLERS = {"cpu_quota": "cpu", "memory_mib": "memory"}


def read_machine(
    subjects: Iterable[Subject],
    *,
    host: Host | None = None,
    tree: Tree | None = None,
    allowed: Collection[int] | None = None,
    name: str = "local",
) -> Machine:
    """Return what the machine can give to runs of these subjects; changes nothing.

    ``allowed`` are the CPUs that we may run on (our own affinity where left out); others are not given out.
    """
    look, wanted = tree or Tree(), tuple(subjects)
    cpus = read_cpus(look, allowed=os.sched_getaffinity(0) if allowed is None else allowed)
    stock = packages.take_stock(wanted, host=host or LocalHost())
    return Machine(
        name=name,
        cpus=cpus,
        root=look.root_user,
        lacks={**_lacks(look, cpus), **packages.levels_lacking(wanted, host=host or LocalHost())},
        missing=stock.missing,
        unobtainable=stock.unobtainable,
    )


def read_cpus(tree: Tree, *, allowed: Collection[int]) -> tuple[Cpu, ...]:
    """Return the CPUs that are online and that we may run on, by index.

    ``core`` is the lowest index among a CPU's siblings: the kernel's own core ids repeat across dies.
    """
    online = cpu_list(tree.text(f"{CPUS}/online") or "") or tuple(sorted(allowed))
    node_of = _node_of(tree)
    return tuple(
        Cpu(
            index=index,
            node=node_of.get(index, 0),
            package=max(0, tree.integer(f"{CPUS}/cpu{index}/topology/physical_package_id") or 0),
            core=min(cpu_list(tree.text(f"{CPUS}/cpu{index}/topology/thread_siblings_list") or str(index))),
        )
        for index in online
        if index in allowed
    )


def _node_of(tree: Tree) -> Mapping[int, int]:
    nodes = {int(each.name.removeprefix("node")): each for each in tree.glob(f"{NODES}/node[0-9]*")}
    return {
        cpu: node for node, each in nodes.items() for cpu in cpu_list(tree.text(f"{NODES}/{each.name}/cpulist") or "")
    }


def _lacks(tree: Tree, cpus: Collection[Cpu]) -> dict[str, str]:
    """Return what the machine cannot give, each with the reason."""
    lacks = {factor: why for factor, name in CONTROLLERS.items() if (why := why_no_controller(tree, name))}
    if len({cpu.node for cpu in cpus}) < 2:
        lacks["numa"] = "all CPUs that may be used belong to one NUMA node"
    if len({(cpu.package, cpu.core) for cpu in cpus}) == len(cpus):
        lacks["smt"] = "no core that may be used has a second thread"
    if "tls" not in (tree.text(PROTOCOLS) or "").split():
        lacks["ktls=on"] = "the kernel does not offer TLS on its sockets (tcp_available_ulp)"
    if not any(tree.integer(f"proc/sys/vm/{name}") for name in HUGE_PAGES):
        lacks["huge_pages=on"] = "no huge pages are reserved (/proc/sys/vm/nr_hugepages)"
    return lacks


def why_no_controller(tree: Tree, name: str) -> str | None:
    """Return why no control group with that controller (``cpu``, ``memory``) can be made; None where one can."""
    if not tree.root_user:
        return f"the {name} controller's groups are made at the top of its hierarchy, which only root may"
    for line in (tree.text("proc/self/mounts") or "").splitlines():
        _, place, kind, options = line.split()[:4]
        root = place.removeprefix("/")
        v1 = kind == "cgroup" and name in options.split(",")
        v2 = kind == "cgroup2" and name in (tree.text(f"{root}/cgroup.controllers") or "").split()
        if v1 or v2:
            writable = "ro" not in options.split(",") and tree.is_writable(root)
            return None if writable else f"the {name} controller at {place} is read-only here"
    return f"no control group hierarchy with the {name} controller is mounted here"
