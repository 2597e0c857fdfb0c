"""For an error text: the last output of a program, and a disk that is nearly full."""

from collections.abc import Sequence
from pathlib import Path

from headtohead.hosts.files.run_files import RunFiles

LONGEST_LINE = 400
"""The number of characters of a program's last output that an error quotes."""
LITTLE_BYTES = 64 * 1024 * 1024
"""A database with less free space than this may fail because of it, whatever its message is."""


def last_words(lines: Sequence[str]) -> str:
    """Return the last lines that are not empty, as many as fit; the last one always, shortened at its end.

    >>> last_words(["Starting up.", "", "no space left on device."])
    'Starting up. / no space left on device'
    """
    words = ""
    for line in reversed([each.strip() for each in lines if each.strip()]):
        longer = f"{line} / {words}" if words else line[:LONGEST_LINE]
        if len(longer) > LONGEST_LINE:
            break
        words = longer
    return words.rstrip(".")


def little_room(files: RunFiles, folder: Path) -> str:
    """Return a sentence about the free space on a folder's disk if it is low, else nothing."""
    free = files.free_bytes(folder)
    if free is None or free >= LITTLE_BYTES:
        return ""
    return f"{free / 1024**2:.0f} MiB are left on the disk of {folder}"
