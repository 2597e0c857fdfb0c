"""What this machine offers a plan: its CPUs, what it lacks, and what is not installed."""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from headtohead.hosts.host import Host
from headtohead.hosts.kernel_files import Tree, cpu_list
from headtohead.hosts.local import LocalHost
from headtohead.hosts.machine.missing_settings import settings_lacking
from headtohead.hosts.paths import cache_dir
from headtohead.hosts.software import packages
from headtohead.hosts.software.debian_sources import sources_lacking
from headtohead.hosts.software.userlands import userlands_lacking, why_no_architecture
from headtohead.model.errors import HostError
from headtohead.model.machine.host import Cpu, Machine, Node
from headtohead.model.machine.userland import FACTOR as USERLAND
from headtohead.model.machine.userland import RELEASES
from headtohead.model.study.subject import Subject

CPUS = "sys/devices/system/cpu"
NODES = "sys/devices/system/node"
PROTOCOLS = "proc/sys/net/ipv4/tcp_available_ulp"
"""What the kernel can add to TCP by itself."""
HUGE_PAGES = ("nr_hugepages", "nr_overcommit_hugepages")
"""Reserved pages, and pages that may be taken beyond them (/proc/sys/vm)."""
MEMORY_ALLOWED = "Mems_allowed_list:"
OFF = ("0", "n", "f", "of")
"""The values of a kernel command line switch that mean off (kstrtobool)."""
LINKS = ("ip", "tc")
"""The programs that join and shape network namespaces."""
LOCAL = "local"
"""The name of this machine."""
A_PAIR = ("unshare", "--net", "ip", "link", "add", "h2h0", "type", "veth", "peer", "name", "h2h1")
CONTROLLERS = {"cpu_quota": "cpu", "memory_mib": "memory"}


def read_machine(
    subjects: Iterable[Subject],
    *,
    host: Host | None = None,
    tree: Tree | None = None,
    allowed: Collection[int] | None = None,
    name: str = LOCAL,
    levels: Collection[tuple[str, str]] = (),
) -> Machine:
    """Return what the machine offers to runs of these subjects; changes nothing.

    ``allowed`` are the CPUs that may be used (the process's affinity by default); others are not given out. ``levels``
    are those of the study's factors, as text.
    """
    look, wanted = tree or Tree(), tuple(subjects)
    on = host or LocalHost()
    own = frozenset(os.sched_getaffinity(0) if allowed is None else allowed)
    cpus, others = (read_cpus(look, allowed=each) for each in (own, frozenset(online_cpus(look)) - own))
    stock = packages.take_stock(wanted, host=on)
    userlands = sorted({level for factor, level in levels if factor == USERLAND and level in RELEASES})
    return Machine(
        name=name,
        cpus=cpus,
        others=others,
        root=look.root_user,
        lacks={
            **_lacks(look),
            **settings_lacking(look, levels),
            **sources_lacking(wanted, levels, cache=cache_dir(), host=on, local=name == LOCAL),
            **packages.levels_lacking(wanted, host=on),
            **userlands_lacking(wanted, levels, cache=cache_dir(), host=on, tree=look),
            **_no_userlands(userlands, look, host=on, local=name == LOCAL),
        },
        missing=stock.missing,
        unobtainable=stock.unobtainable,
        nodes=read_nodes(look),
        memory_mib=read_memory_mib(look),
    )


def topology(allowed: Collection[int]) -> tuple[Cpu, ...]:
    """Return the places of the CPUs that headtohead may run on, now."""
    return read_cpus(Tree(), allowed=allowed)


def online_cpus(tree: Tree) -> tuple[int, ...]:
    """Return the indexes of all CPUs that are online; empty if the kernel does not show it."""
    return cpu_list(tree.text(f"{CPUS}/online") or "")


def read_cpus(tree: Tree, *, allowed: Collection[int]) -> tuple[Cpu, ...]:
    """Return the CPUs that are online and that headtohead may run on, by index.

    ``core`` is the lowest index among a CPU's siblings: the kernel's own core ids repeat across dies.
    """
    online = online_cpus(tree) or tuple(sorted(allowed))
    node_of = _node_of(tree)
    caches = {index: _last_cache(tree, index) for index in online}
    return tuple(
        Cpu(
            index=index,
            node=node_of.get(index, 0),
            package=max(0, tree.integer(f"{CPUS}/cpu{index}/topology/physical_package_id") or 0),
            core=min(cpu_list(tree.text(f"{CPUS}/cpu{index}/topology/thread_siblings_list") or str(index))),
            cache=caches[index][0],
            cache_level=caches[index][1],
        )
        for index in online
        if index in allowed
    )


def _last_cache(tree: Tree, cpu: int) -> tuple[int | None, int | None]:
    """Return the lowest CPU that shares this one's last-level cache, and that cache's level; None if not shown."""
    place = f"{CPUS}/cpu{cpu}/cache"
    levels = {level: each.name for each in tree.glob(f"{place}/index[0-9]*") if (level := _level(tree, place, each))}
    if not levels:
        return None, None
    shared = cpu_list(tree.text(f"{place}/{levels[max(levels)]}/shared_cpu_list") or "")
    return (min(shared), max(levels)) if shared else (None, None)


def _level(tree: Tree, place: str, index: Path) -> int | None:
    return tree.integer(f"{place}/{index.name}/level")


def read_nodes(tree: Tree) -> tuple[Node, ...]:
    """Return the NUMA nodes: those with usable memory, and the kernel's table of distances."""
    nodes = [int(each.name.removeprefix("node")) for each in tree.glob(f"{NODES}/node[0-9]*")]
    status = tree.text("proc/self/status") or ""
    allowed = next((cpu_list(each.split()[1]) for each in status.splitlines() if each.startswith(MEMORY_ALLOWED)), None)
    with_memory = set(cpu_list(tree.text(f"{NODES}/has_memory") or "") or nodes)
    with_memory &= set(nodes if allowed is None else allowed)
    return tuple(Node(each, each in with_memory, _distances(tree, each, nodes=nodes)) for each in nodes)


def _distances(tree: Tree, node: int, *, nodes: Sequence[int]) -> dict[int, int]:
    """Return the distances of a node to each node: its file has one number for each, in order."""
    distances = (tree.text(f"{NODES}/node{node}/distance") or "").split()
    return dict(zip(nodes, map(int, distances), strict=True)) if len(distances) == len(nodes) else {}


def _node_of(tree: Tree) -> Mapping[int, int]:
    nodes = {int(each.name.removeprefix("node")): each for each in tree.glob(f"{NODES}/node[0-9]*")}
    return {
        cpu: node for node, each in nodes.items() for cpu in cpu_list(tree.text(f"{NODES}/{each.name}/cpulist") or "")
    }


def read_memory_mib(tree: Tree) -> int | None:
    """Return the memory that the kernel counts, in MiB; None if it does not show it."""
    lines = (tree.text("proc/meminfo") or "").splitlines()
    total = next((each.split()[1] for each in lines if each.startswith("MemTotal:")), None)
    return int(total) // 1024 if total else None


def _lacks(tree: Tree) -> dict[str, str]:
    """Return what the machine lacks, each with the reason."""
    lacks = {factor: why for factor, name in CONTROLLERS.items() if (why := why_no_controller(tree, name))}
    if why := _why_no_numa(tree):
        lacks["numa"] = why
    if "tls" not in (tree.text(PROTOCOLS) or "").split():
        lacks["ktls=on"] = "the kernel does not offer TLS on its sockets (tcp_available_ulp)"
    if not any(tree.integer(f"proc/sys/vm/{name}") for name in HUGE_PAGES):
        lacks["huge_pages=on"] = "no huge pages are reserved (/proc/sys/vm/nr_hugepages)"
    if why := _why_no_32_bits(tree):
        lacks["bits=32"] = why
    if why := _why_no_link(tree):
        lacks["link"] = why
    return lacks


def _why_no_numa(tree: Tree) -> str | None:
    """Return why memory cannot be taken from a chosen node; None if it can."""
    nodes = read_nodes(tree)
    if len(nodes) < 2:
        return "the machine has one NUMA node"
    if sum(each.has_memory for each in nodes) < 2:
        return "all memory that may be used belongs to one NUMA node"
    if not tree.is_there("proc/self/numa_maps"):
        return "the kernel shows no /proc/PID/numa_maps, so it could not be read back"
    return None


def _why_no_32_bits(tree: Tree) -> str | None:
    """Return why an x86-64 kernel runs no 32-bit programs; None if it does, or if that is not known.

    It has /proc/sys/abi/vsyscall32 if it was built to run them; the boot options may turn that off.
    """
    if (tree.said(("uname", "-m")) or "").strip() != "x86_64":
        return None
    if tree.is_there("proc/sys/abi") and not tree.is_there("proc/sys/abi/vsyscall32"):
        return "the kernel was built without 32-bit programs (CONFIG_IA32_EMULATION)"
    words = (tree.text("proc/cmdline") or "").split()
    at_boot = [word.partition("=")[2].lower() for word in words if word.startswith("ia32_emulation=")]
    if at_boot and at_boot[-1].startswith(OFF):
        return "the kernel was set at boot to run no 32-bit programs (ia32_emulation)"
    return None


def _no_userlands(userlands: Sequence[str], tree: Tree, *, host: Host, local: bool) -> dict[str, str]:
    """Return which of these userlands a machine cannot have at all, each with the reason."""
    if not local:
        return dict.fromkeys((f"{USERLAND}={each}" for each in userlands), "a userland is made on this machine only")
    lacking = {}
    for each in userlands:
        try:
            native = host.run(("dpkg", "--print-architecture"), within_s=packages.ASK_WITHIN_S).strip()
        except HostError:
            native = "no Debian"
        why = why_no_architecture(each, native)
        if why is None and RELEASES[each].architecture == "i386":
            why = _why_no_32_bits(tree)
        if why is not None:
            lacking[f"{USERLAND}={each}"] = why
    return lacking


def _why_no_link(tree: Tree) -> str | None:
    """Return why two network namespaces cannot be joined here; None if they can, which is tried in a temporary one."""
    if not tree.root_user:
        return "server and client program stand in network namespaces, which only root may make"
    missing = [name for name in LINKS if tree.said((name, "-V")) is None]
    if missing:
        return f"the program {missing[0]} is not installed (package iproute2)"
    if tree.said(A_PAIR) is None:
        return "the kernel makes no network namespace with a veth pair here"
    return None


def why_no_controller(tree: Tree, name: str) -> str | None:
    """Return why a control group with that controller (``cpu``, ``memory``) cannot be made; None if it can."""
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
