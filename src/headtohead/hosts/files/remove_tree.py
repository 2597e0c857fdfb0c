"""Remove a whole folder, however deep a program has nested it."""

import shutil
import subprocess
from pathlib import Path


def remove_tree(top: Path) -> None:
    """Remove a folder with all in it, and follow no link; OSError or RecursionError if it cannot be removed.

    A program may have nested it deeper than Python goes, or than files may be open: then ``rm`` removes it.
    """
    try:
        shutil.rmtree(top)
    except FileNotFoundError:
        raise
    except (OSError, RecursionError):
        argv = ("rm", "--recursive", "--force", "--one-file-system", "--", str(top))
        if subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode != 0:
            raise
