"""A folder for the files of one command while it runs."""

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from headtohead.hosts.paths import UNGUESSED, run_dir, this_owner


@contextmanager
def own_folder() -> Iterator[Path]:
    """Make a folder that only its owner may enter. If this process is killed, the next command removes it."""
    folder = run_dir(this_owner().run_id(secrets.randbelow(UNGUESSED)))
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
