"""What the user of the subjects can reach if headtohead runs as root."""

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

HIDDEN = ("/tmp", "/home", "/root")
"""What programs of a run do not see if headtohead runs as root (crates/probe/src/private_files.rs)."""
ENTERS = 0o001
"""The right of other users to enter a folder, or to run a program."""


def obstacle(path: Path, *, here: Path) -> Path | None:
    """Return the file or folder that keeps other users from a path; None if they reach it.

    ``here`` is the folder that is shown to the programs of a run, wherever it is.
    """
    return next((found for each in (path, path.resolve()) if (found := _obstacle(each, here)) is not None), None)


def _obstacle(path: Path, here: Path) -> Path | None:
    hidden = any(path.is_relative_to(each) for each in HIDDEN)
    if hidden and not path.is_relative_to(here):
        return path
    way = [each for each in (path, *path.parents) if not hidden or each.is_relative_to(here)]
    return next((each for each in reversed(way) if not each.stat().st_mode & ENTERS), None)


def found_program(word: str, *, here: Path, as_other_user: bool) -> tuple[Path | None, Path | None]:
    """Return the program that a word of a command names, and the one that the shell would run in its place.

    Another user does not see every folder of our PATH: for such a one it is the first program that this user reaches,
    as it would be in a shell of that user. The second is None if both are the same.
    """
    programs = list(_on_path(word))
    if not programs:
        return None, None
    first = programs[0]
    if not as_other_user or "/" in word:
        return first, None
    reached = next((each for each in programs if obstacle(each, here=here) is None), first)
    return reached, None if reached == first else first


def _on_path(word: str) -> Iterator[Path]:
    """Yield the programs of this name in the folders of PATH, in its order; of a path, that one."""
    folders: Sequence[str | None] = [None] if "/" in word else os.environ.get("PATH", os.defpath).split(os.pathsep)
    for folder in folders:
        if found := shutil.which(word, path=folder):
            yield Path(found).absolute()
