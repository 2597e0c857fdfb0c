"""Remove a whole folder, however deep a program has nested it."""

import contextlib
import os
import shutil
import subprocess
from pathlib import Path


def remove_tree(top: Path) -> None:
    """Remove a folder with all in it, and follow no link; OSError or RecursionError if it cannot be removed.

    A program may have nested it deeper than Python goes, or than files may be open: then ``rm`` removes it.
    FileNotFoundError if it is not there.
    """
    try:
        shutil.rmtree(top)
    except (OSError, RecursionError):
        argv = ("rm", "--recursive", "--force", "--one-file-system", "--", str(top))
        if not os.path.lexists(top) or _fails(argv):
            raise


def remove_if_there(folder: Path) -> None:
    """Remove a folder, if there is one; what cannot be removed is left, and swept later."""
    with contextlib.suppress(OSError, RecursionError):
        remove_tree(folder)


def _fails(argv: tuple[str, ...]) -> bool:
    return subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode != 0
