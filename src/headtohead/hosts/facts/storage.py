"""What is below a folder: file system, device, mount options, free space, I/O scheduler."""

import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from headtohead.hosts.kernel_files import Tree

MOUNTS = "proc/self/mountinfo"
NOT_VISIBLE = "not visible"
GIB = 1024**3
ESCAPED = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True)
class Mount:
    """A line of mountinfo: mount point, device number, kind of file system, source, and options.

    ``options`` are of this mount, ``of_file_system`` of all mounts of the file system.
    """

    place: str
    number: str
    kind: str
    source: str
    options: str
    of_file_system: str


def lies_on(folder: Path, *, tree: Tree) -> Mapping[str, str]:
    """Return the facts about the disk below a folder, by name; a fact that cannot be seen gives the reason.

    For a partition, scheduler and write cache are those of its disk.
    """
    mount = mount_of(folder, tree=tree)
    queue = f"sys/dev/block/{mount.number}" if mount else ""
    if mount and not tree.is_there(f"{queue}/queue"):
        queue = f"{queue}/.."
    scheduler = tree.text(f"{queue}/queue/scheduler") or ""
    chosen = re.search(r"\[(.+?)\]", scheduler)
    return {
        "run directory: file system": mount.kind if mount else NOT_VISIBLE,
        "run directory: device": mount.source if mount else NOT_VISIBLE,
        "run directory: mount options": _options(mount) if mount else NOT_VISIBLE,
        "run directory: free space": f"{shutil.disk_usage(folder).free // GIB} GiB",
        "run directory: I/O scheduler": chosen[1] if chosen else scheduler or NOT_VISIBLE,
        "run directory: write cache of the device": tree.text(f"{queue}/queue/write_cache") or NOT_VISIBLE,
    }


def mount_of(folder: Path, *, tree: Tree) -> Mount | None:
    """Return the mount that a folder is on: the longest path, and of equal paths the latest, which hides the others."""
    found = [each for each in _mounts(tree) if folder.is_relative_to(each.place)]
    return max(reversed(found), key=lambda each: len(each.place), default=None)


def _mounts(tree: Tree) -> Iterator[Mount]:
    for line in (tree.text(MOUNTS) or "").splitlines():
        left, _, right = line.partition(" - ")
        here, kind = left.split(), right.split()
        if len(here) > 5 and len(kind) > 1:
            yield Mount(_plain(here[4]), here[2], kind[0], _plain(kind[1]), here[5], "".join(kind[2:3]))


def _options(mount: Mount) -> str:
    return ",".join(dict.fromkeys(f"{mount.options},{mount.of_file_system}".strip(",").split(",")))


def _plain(text: str) -> str:
    """Return a path of mountinfo, in which spaces and the like are written as octal numbers."""
    return ESCAPED.sub(lambda match: chr(int(match[1], 8)), text)
