"""Disk space, asked for before it is used: data sets and their prepared copies are large."""

import shutil
from pathlib import Path

from headtohead.execute.copies import size_bytes
from headtohead.model.errors import HostError

COPY_PER_DATA = 3
"""A prepared copy with its indexes and logs, while it is made, takes up to so many times what the data set does."""
SPARE_BYTES = 256 * 1024 * 1024
"""Left to all others: results, logs, run directories."""


def ask_room(folder: Path, dataset: Path, *, what: str, copies: int = 2) -> None:
    """Raise HostError where the disk of a folder has no room for prepared copies (one pristine, one to work on)."""
    ask_bytes(folder, size_bytes(dataset) * COPY_PER_DATA * copies, what=what)


def ask_bytes(folder: Path, wanted: int, *, what: str) -> None:
    """Raise HostError where the disk that a folder lies on, or will, has fewer bytes free than wanted, and a spare."""
    there = next(each for each in (folder, *folder.parents) if each.is_dir())
    free = shutil.disk_usage(there).free
    if free < wanted + SPARE_BYTES:
        raise HostError(
            f"There is no room for {what}",
            why=f"It may take {_mib(wanted)} below {folder}, where {_mib(free)} are free.",
            remedy="Make room there (`headtohead clean --caches` removes earlier studies' data), or ask for less data.",
        )


def _mib(count: int) -> str:
    return f"{count / 1024**2:,.0f} MiB"
