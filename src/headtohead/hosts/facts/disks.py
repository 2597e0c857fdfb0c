"""The disks: model, size, scheduler; and the file systems that results and runs are written to."""

import re
from collections.abc import Iterator
from pathlib import Path

from headtohead.hosts.facts.storage import MOUNTS, mount_of
from headtohead.hosts.kernel_files import Group, Tree
from headtohead.hosts.paths import RUNS
from headtohead.model.machine.host import Fact

BLOCK = "sys/block"
SECTOR_BYTES = 512


def read_disks(tree: Tree) -> Iterator[Fact]:
    """Yield the facts of the disks that have a device, and of two file systems."""
    group = Group("disks", tree)
    disks = [each.name for each in tree.glob(f"{BLOCK}/*") if tree.is_there(f"{BLOCK}/{each.name}/device")]
    if not disks:
        yield group.hidden("disks", source=f"/{BLOCK}/*/device", why_not="no block device has a device of its own")
    for name in disks:
        yield from _disk(group, name)
    yield _file_system(group, "file system of the working directory", folder=Path.cwd())
    yield _file_system(group, "file system of the runs", folder=RUNS)


def _disk(group: Group, name: str) -> Iterator[Fact]:
    tree, place = group.tree, f"{BLOCK}/{name}"
    yield group.file(f"{name} model", f"{place}/device/model")
    yield group.number(f"{name} size", f"{place}/size", unit="B", scale=SECTOR_BYTES)
    offered = tree.text(f"{place}/queue/scheduler") or ""
    chosen = re.search(r"\[(.+?)\]", offered)
    source = f"/{place}/queue/scheduler"
    if chosen or offered:
        yield group.known(f"{name} scheduler", chosen[1] if chosen else offered, source=source)
    else:
        yield group.hidden(f"{name} scheduler", source=source, why_not=tree.why_not(f"{place}/queue/scheduler"))
    rotates = tree.integer(f"{place}/queue/rotational")
    source = f"/{place}/queue/rotational"
    if rotates is None:
        yield group.hidden(f"{name} rotational", source=source, why_not=tree.why_not(f"{place}/queue/rotational"))
    else:
        yield group.known(f"{name} rotational", bool(rotates), source=source)
    yield group.file(f"{name} write cache", f"{place}/queue/write_cache")


def _file_system(group: Group, name: str, *, folder: Path) -> Fact:
    """Return kind, device and options of the file system that a folder is on: that of the longest mount point."""
    mount = mount_of(folder, tree=group.tree)
    if mount is None:
        return group.hidden(name, source=f"/{MOUNTS}", why_not=group.tree.why_not(MOUNTS))
    device = mount.source.rpartition("/")[2] or mount.source
    return group.known(name, f"{mount.kind} on {device} ({mount.options})", source=f"/{MOUNTS}")
