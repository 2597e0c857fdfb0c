"""Copy and remove folders of a machine, and drop (evict) their files from the kernel's cache."""

import contextlib
import os
import shutil
import stat
from pathlib import Path

from headtohead.execute.data.disk_space import check_free_space, size_bytes
from headtohead.execute.host_cache_and_user_of_runs import Environment
from headtohead.hosts.file_owners import give_tree
from headtohead.hosts.files.remove_tree import remove_if_there
from headtohead.hosts.files.run_files import unwritable
from headtohead.hosts.files.there import FilesThere
from headtohead.model.errors import HostError


def copy_tree(source: Path, target: Path, *, user: str | None = None) -> None:
    """Copy a folder with its modes and links, for ``user``; sync it to disk before returning.

    No program of a user may run that can change ``source`` meanwhile: its files are opened by name. Raises HostError
    if it cannot be copied, and removes the incomplete copy.
    """
    try:
        shutil.copytree(source, target, symlinks=True)
        give_tree(user, target)
    except OSError as error:
        remove_if_there(target)
        raise unwritable(target, error) from error
    except RecursionError:
        remove_if_there(target)
        raise _too_deep(source) from None
    os.sync()


def _too_deep(folder: Path) -> HostError:
    return HostError(
        f"{folder} cannot be copied",
        why="a program has nested folders in it deeper than can be copied.",
        remedy="Remove the experiment from the study, or correct the program.",
    )


def copy_for(environment: Environment, source: Path, target: Path, *, what: str) -> None:
    """Copy a folder of the environment's machine to a new place there, for the user that programs run as.

    Raises HostError if there is no room for it; ``what`` is what it is then called.
    """
    if isinstance(environment.files, FilesThere):
        environment.files.duplicate(source, target, user=environment.user)
        return
    try:
        size = size_bytes(source)
    except (OSError, RecursionError):
        raise _too_deep(source) from None
    check_free_space(target.parent, size, what=what)
    copy_tree(source, target, user=environment.user)


def remove_on(environment: Environment, folder: Path) -> None:
    """Remove a folder of the environment's machine, if there is one."""
    if isinstance(environment.files, FilesThere):
        environment.files.remove(folder)
    else:
        remove_if_there(folder)


def evict_on(environment: Environment, folder: Path) -> None:
    """Drop the files of a folder of the environment's machine from its kernel's cache; see ``evict``."""
    if isinstance(environment.files, FilesThere):
        environment.files.evict(folder)
    else:
        with contextlib.suppress(OSError, RecursionError):  # what a program has nested too deep stays in memory
            evict(folder)


def evict(folder: Path) -> None:
    """Drop a folder's files from the kernel's cache, so that the next reader's memory is charged for them.

    Otherwise a memory limit would not cover files that we have copied, or that an earlier run has read.
    """
    for path in folder.rglob("*"):
        if stat.S_ISREG(path.lstat().st_mode):
            file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                os.fsync(file)  # the kernel can drop only what is on disk
                os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(file)
