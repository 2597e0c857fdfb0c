"""Opening files that others may have laid down: plain files only, never a link, a pipe or a device."""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

MOST_BYTES = 256 * 1024 * 1024
"""No file of a results folder comes near this; a larger one is refused unread."""

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def open_plain(path: Path, *, within: Path) -> BinaryIO:
    """Open a file for reading, following no link below ``within``; OSError where it is not a plain file."""
    *between, name = path.relative_to(within).parts
    folder = os.open(within, FOLDER)
    try:
        for part in between:
            inner = os.open(part, FOLDER | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
        file = os.open(name, FILE, dir_fd=folder)
    finally:
        os.close(folder)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(errno.EINVAL, "Not a plain file", str(path))
    return os.fdopen(file, "rb")


def read_plain(path: Path, *, within: Path) -> bytes:
    """Return a file's bytes, following no link below ``within``; OSError where it is not plain, or too large."""
    with open_plain(path, within=within) as file:
        told = os.fstat(file.fileno()).st_size  # what is asked for is set aside first: not all that may be
        held = file.read(min(told, MOST_BYTES) + 1)
    if len(held) > MOST_BYTES:
        raise OSError(errno.EFBIG, "Larger than 256 MiB", str(path))
    return held
