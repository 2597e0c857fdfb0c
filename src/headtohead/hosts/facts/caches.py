"""The caches, and which CPUs share them."""

from collections import defaultdict
from collections.abc import Iterator

from headtohead.hosts.kernel_files import Group, Tree
from headtohead.model.machine.host import Fact

CPUS = "sys/devices/system/cpu"
BYTES = {"K": 1024, "M": 1024**2, "G": 1024**3}
SHOWN_SHARERS = 4


def read_caches(tree: Tree) -> Iterator[Fact]:
    """Yield size, number and sharing of each kind of cache."""
    group = Group("caches", tree)
    sharers: dict[tuple[str, str, str], dict[str, None]] = defaultdict(dict)
    for each in tree.glob(f"{CPUS}/cpu[0-9]*/cache/index[0-9]*"):
        place = str(each.relative_to(tree.root))
        level, kind, size, shared = (
            tree.text(f"{place}/{file}") or "" for file in ("level", "type", "size", "shared_cpu_list")
        )
        if level and size:
            sharers[level, kind, size][shared] = None
    source = f"/{CPUS}/cpu*/cache/index*"
    if not sharers:
        yield group.hidden("caches", source=source, why_not="this machine shows no caches of its CPUs")
    for (level, kind, size), lists in sorted(sharers.items()):
        name = f"L{level}" + ("" if kind in {"Unified", ""} else f" {kind.lower()}")
        yield group.known(f"{name} size", _in_bytes(size), source=f"{source}/size", unit="B")
        yield group.known(f"{name} instances", len(lists), source=f"{source}/shared_cpu_list")
        yield group.known(f"{name} shared by CPUs", _sharers_text(list(lists)), source=f"{source}/shared_cpu_list")


def _in_bytes(size: str) -> int:
    """Return a size as the kernel writes it (``2048K``) in bytes."""
    return int(size[:-1]) * BYTES[size[-1]] if size[-1] in BYTES else int(size)


def _sharers_text(lists: list[str]) -> str:
    shown = " | ".join(lists[:SHOWN_SHARERS])
    return shown if len(lists) <= SHOWN_SHARERS else f"{shown} | ... ({len(lists)} in all)"
