"""The protocol of a run's files, and the errors for those that cannot be used."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Protocol

from headtohead.model.errors import HostError, SubjectError

MB = 1e6
Whose = Literal["shared", "theirs"]
"""``shared``: ours, and the programs' user may read and run it. ``theirs``: it belongs to the programs' user."""


class RunFiles(Protocol):
    """Files on the machine of a run. Paths are those of that machine, except for a ``source`` and what is returned.

    ``user`` is the user that programs run as there, None if it is ours. Raises HostError if something cannot be
    written, and SubjectError for a file that a program of the run has removed, replaced or made.
    """

    def make_folder(self, path: Path, *, whose: Whose, user: str | None) -> None:
        """Make a new folder."""

    def write(self, path: Path, text: str) -> None:
        """Write a new file."""

    def send(self, source: Path, target: Path, *, whose: Whose, user: str | None) -> None:
        """Copy a folder of this machine to a new place there."""

    def brought(self, path: Path, *, within: Path) -> Path:
        """Return the path here of a file as it is now; no link is followed below ``within``."""

    def plain(self, paths: Sequence[Path]) -> tuple[Path, ...]:
        """Return those that are plain files, in their order."""

    def names(self, folder: Path) -> tuple[str, ...]:
        """Return the names of the plain files in a folder, sorted; none if there is no such folder."""

    def free_bytes(self, folder: Path) -> int | None:
        """Return the free space on a folder's disk; None if it cannot be read."""


def tampered(path: Path, reason: str | None) -> SubjectError:
    """Return the error for a file of a run that a program has changed."""
    return SubjectError(
        f"{path.name} in the run directory cannot be used",
        why=f"{reason}: a program of the run has removed, replaced or made it.",
        remedy="See what the subject does in its working directory.",
    )


def unwritable(path: Path, error: OSError) -> HostError:
    """Return the error for a file here that could not be written, most often because of a full disk."""
    cause = error.strerror or _first_reason(error)
    there = next(each for each in path.absolute().parents if each.exists())
    size = shutil.disk_usage(there)
    return HostError(
        f"{path.name} could not be written",
        why=f"{cause}: {path.parent} ({size.free / MB:,.0f} of the {size.total / MB:,.0f} MB of its disk are free).",
        remedy="Check the disk space there (`headtohead clean --caches` removes earlier studies' data), and its owner.",
    )


def _first_reason(error: OSError) -> str:
    """Return the first reason of an error from copying a folder, which has one reason for each file."""
    reasons = error.args[0] if isinstance(error, shutil.Error) and error.args else ()
    return str(reasons[0][-1]) if isinstance(reasons, list) and reasons else str(error)
