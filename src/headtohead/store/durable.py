"""Writing that outlasts a power cut: the few operations on a disk by which a results folder is made.

A file's bytes reach the disk by ``sync``, its name by ``sync_folder``. Each operation is one method, so that a test can
record them and cut the power after any of them.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from headtohead.store.untrusted.plain_files import FOLDER

NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Give an OSError that names no file this path: a write that fails, as on a full disk, names none."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


class Disk:
    """The disk of this machine."""

    def make_folder(self, path: Path) -> None:
        """Make one folder; FileExistsError if something has that name."""
        path.mkdir()

    def write(self, path: Path, parts: Iterable[bytes], *, mode: int = 0o666) -> None:
        """Write a new file with these rights; FileExistsError if something has that name."""
        with naming(path), os.fdopen(os.open(path, NEW, mode), "wb") as file:
            file.writelines(parts)

    def sync(self, path: Path) -> None:
        """Wait until a file's bytes are on the disk."""
        with naming(path):
            _sync(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)

    def sync_folder(self, path: Path) -> None:
        """Wait until the names in a folder are on the disk."""
        with naming(path):
            _sync(path, FOLDER)

    def rename(self, path: Path, to: Path) -> None:
        """Give a file or a folder another name; a file that has the name is replaced."""
        path.rename(to)


def _sync(path: Path, flags: int) -> None:
    opened = os.open(path, flags)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


DISK = Disk()


def whole(path: Path, text: str, *, mode: int = 0o666) -> None:
    """Write ``text`` so that ``path`` holds all of it or what it held before, whatever happens meanwhile.

    ``mode`` has the rights of the new file.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.unlink(missing_ok=True)  # a stranger's folder may hold a link of that name
    try:
        DISK.write(partial, [text.encode("utf-8")], mode=mode)
        DISK.sync(partial)
        DISK.rename(partial, path)
        DISK.sync_folder(path.parent)
    finally:
        partial.unlink(missing_ok=True)  # left if writing failed, or if a folder has that name


def make_folders(path: Path) -> None:
    """Make a folder and those above it that are missing, each with its name on the disk."""
    missing = [each for each in (path, *path.parents) if not each.exists()]
    for each in reversed(missing):
        DISK.make_folder(each)
        DISK.sync_folder(each.parent)
