"""A disk that records what is done to it, and what may be left of that when the power goes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from headtohead.store.durable import Disk


@dataclass(frozen=True)
class Operation:
    """One operation: its kind, its path, and what it wrote or where it moved."""

    kind: str
    path: Path
    content: bytes = b""
    to: Path | None = None


class RecordingDisk(Disk):
    """Does what a disk does, and notes it."""

    def __init__(self) -> None:
        self.done: list[Operation] = []

    def make_folder(self, path: Path) -> None:
        super().make_folder(path)
        self.done.append(Operation("make_folder", path))

    def write(self, path: Path, parts: Iterable[bytes], *, mode: int = 0o666) -> None:
        content = b"".join(parts)
        super().write(path, [content], mode=mode)
        self.done.append(Operation("write", path, content))

    def sync(self, path: Path) -> None:
        super().sync(path)
        self.done.append(Operation("sync", path))

    def sync_folder(self, path: Path) -> None:
        super().sync_folder(path)
        self.done.append(Operation("sync_folder", path))

    def rename(self, path: Path, to: Path) -> None:
        super().rename(path, to)
        self.done.append(Operation("rename", path, to=to))


@dataclass
class _Node:
    """A file or a folder: what it holds now, what is on the disk for certain, and changes of names in between."""

    folder: bool
    content: bytes = b""
    synced: bytes | None = None
    names: dict[str, "_Node"] = field(default_factory=dict)
    certain: dict[str, "_Node"] = field(default_factory=dict)
    pending: list[tuple[str, "_Node | None"]] = field(default_factory=list)

    def name(self, name: str, node: "_Node | None") -> None:
        _put(self.names, name, node)
        self.pending.append((name, node))


def _put(names: dict[str, _Node], name: str, node: _Node | None) -> None:
    if node is None:
        names.pop(name, None)
    else:
        names[name] = node


FATES = ("lost", "torn", "kept")
"""What may become of bytes that were written and not synced: nothing, the first half, or all of them."""


Tree = Mapping[str, bytes | None]
"""Files by path with their bytes, and folders with None."""


def after_cut(done: Sequence[Operation], root: Path) -> Iterator[Tree]:
    """Yield what may be left of ``root`` if the power goes after these operations.

    A change of names that was not synced may be on the disk or not: none, all, the first ones, or all but one of them.
    A rename takes a name away and gives another in one step, as journals of file systems do.
    """
    top = _Node(folder=True)
    for each in done:
        _do(top, each, root)
    for kept in _choices(_pending(top)):
        for fate in FATES:
            yield dict(_tree(top, "", kept=kept, fate=fate))


def lay(tree: Tree, to: Path) -> None:
    """Write a tree below a folder, which is made."""
    to.mkdir(parents=True)
    for name, content in tree.items():
        if content is None:
            (to / name).mkdir()
        else:
            (to / name).write_bytes(content)


def _do(top: _Node, each: Operation, root: Path) -> None:
    if not each.path.is_relative_to(root) or each.path == root.parent:
        return
    at = _find(top, each.path, root) if each.kind.startswith("sync") else None
    parent = _find(top, each.path.parent, root) if each.path != root else top
    if each.kind == "make_folder" and each.path != root:
        parent.name(each.path.name, _Node(folder=True))
    elif each.kind == "write":
        parent.name(each.path.name, _Node(folder=False, content=each.content))
    elif each.kind == "rename":
        assert each.to is not None
        assert each.to.parent == each.path.parent
        node = parent.names[each.path.name]
        parent.names.pop(each.path.name)
        parent.names[each.to.name] = node
        parent.pending.append((f"{each.path.name}\0{each.to.name}", node))
    elif each.kind == "sync" and at is not None:
        at.synced = at.content
    elif each.kind == "sync_folder" and at is not None:
        at.certain, at.pending = dict(at.names), []


def _find(top: _Node, path: Path, root: Path) -> _Node:
    node = top
    for part in path.relative_to(root).parts:
        node = node.names[part]
    return node


def _pending(node: _Node) -> int:
    """Return the most changes of names that wait in one folder, of this folder and those in it."""
    return max([len(node.pending), *(_pending(each) for each in node.names.values() if each.folder)])


def _choices(most: int) -> Iterator[tuple[int, int]]:
    """Yield which waiting changes are kept: the first so many, less the one at a place (-1: less none)."""
    for first in range(most + 1):
        yield first, -1
        for less in range(first):
            yield first, less


def _tree(node: _Node, path: str, *, kept: tuple[int, int], fate: str) -> Iterator[tuple[str, bytes | None]]:
    first, less = kept
    names = dict(node.certain)
    for number, (name, changed) in enumerate(node.pending):
        if number < first and number != less:
            old, _, new = name.partition("\0")
            if new:
                names.pop(old, None)
            _put(names, new or old, changed)
    for name, each in names.items():
        yield path + name, None if each.folder else _left(each, fate)
        if each.folder:
            yield from _tree(each, f"{path}{name}/", kept=kept, fate=fate)


def _left(node: _Node, fate: str) -> bytes:
    if node.synced is not None:
        return node.synced
    return {"lost": b"", "torn": node.content[: len(node.content) // 2], "kept": node.content}[fate]
