"""Opening files that others may have placed: plain files only, never a link, a pipe or a device."""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

MIB = 1024 * 1024
MOST_BYTES = 128 * MIB
"""All files of results folders are far smaller; a larger one is refused unread."""

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def open_plain(path: Path, *, within: Path) -> BinaryIO:
    """Open a file for reading, following no link below ``within``; OSError if it is not a plain file.

    The kind of the file is checked before it is opened, as opening some devices has effects.
    """
    *between, name = path.relative_to(within).parts
    folder = os.open(within, FOLDER)
    try:
        for part in between:
            inner = os.open(part, FOLDER | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
        there = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        if not stat.S_ISREG(there) and not stat.S_ISLNK(there):
            raise OSError(errno.EINVAL, "Not a plain file", str(path))
        file = os.open(name, FILE, dir_fd=folder)  # fails on a link, with an error that names it as one
    finally:
        os.close(folder)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(errno.EINVAL, "Not a plain file", str(path))
    return os.fdopen(file, "rb")


def read_plain(path: Path, *, within: Path, most: int = MOST_BYTES) -> bytes:
    """Return a file's bytes, following no link below ``within``; OSError if it is not plain or above ``most``."""
    with open_plain(path, within=within) as file:
        stated = os.fstat(file.fileno()).st_size  # read() allocates what it requests: so not all that is allowed
        held = file.read(stated + 1) if stated <= most else b""
    if max(stated, len(held)) > most:
        raise OSError(errno.EFBIG, f"Larger than {most // MIB} MiB", str(path))
    return held
