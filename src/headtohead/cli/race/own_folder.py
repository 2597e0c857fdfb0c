"""The folder for the files of a race, while it runs."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from headtohead.hosts.paths import run_dir, this_owner

OF_A_RACE = 0
"""The number of a race's own folder among the folders of this process; runs count from 1."""


@contextmanager
def own_folder() -> Iterator[Path]:
    """Yield a folder for the files of a race; if this process is killed, the next command removes it."""
    folder = run_dir(this_owner().run_id(OF_A_RACE))
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
