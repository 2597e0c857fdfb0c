"""The files of a run on this machine."""

import shutil
import stat
from collections.abc import Sequence
from pathlib import Path

from headtohead.hosts.file_owners import give_tree, share_tree
from headtohead.hosts.files.run_files import Whose, tampered, unwritable

FOLDER_MODE = 0o700


class FilesHere:
    """Files of this machine: nothing is sent, and what is brought is where it was."""

    def make_folder(self, path: Path, *, whose: Whose, user: str | None) -> None:
        """Make a new folder."""
        try:
            path.mkdir(mode=FOLDER_MODE)
            _set_owner(path, whose=whose, user=user)
        except OSError as error:
            raise unwritable(path, error) from error

    def write(self, path: Path, text: str) -> None:
        """Write a new file; SubjectError if a program has made one there before."""
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError as error:
            raise tampered(path, error.strerror) from error
        except OSError as error:
            raise unwritable(path, error) from error

    def send(self, source: Path, target: Path, *, whose: Whose, user: str | None) -> None:
        """Copy a folder to a new place."""
        try:
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            _set_owner(target, whose=whose, user=user)
        except OSError as error:
            raise unwritable(target, error) from error

    def brought(self, path: Path, *, within: Path) -> Path:  # noqa: ARG002
        """Return the path itself: whoever opens it follows no link."""
        return path

    def plain(self, paths: Sequence[Path]) -> tuple[Path, ...]:
        """Return those that are plain files."""
        return tuple(path for path in paths if _is_plain(path))

    def names(self, folder: Path) -> tuple[str, ...]:
        """Return the names of the plain files in a folder."""
        if not folder.is_dir() or folder.is_symlink():
            return ()
        return tuple(sorted(each.name for each in folder.iterdir() if _is_plain(each)))

    def free_bytes(self, folder: Path) -> int | None:
        """Return the free space on a folder's disk; None if it cannot be read."""
        try:
            return shutil.disk_usage(folder).free
        except OSError:
            return None


def _set_owner(path: Path, *, whose: Whose, user: str | None) -> None:
    if whose == "shared":
        share_tree(user, path)
    else:
        give_tree(user, path)


def _is_plain(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False
