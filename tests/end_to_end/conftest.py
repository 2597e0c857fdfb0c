"""What tests of the command may use."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.command import own_lane
from tests.end_to_end.racing import SERVER


@pytest.fixture
def lane() -> Iterator[Path]:
    with own_lane() as folder:
        yield folder


@pytest.fixture
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that every user may enter, with the server in it."""
    folder = tmp_path_factory.mktemp("race")
    folder.chmod(0o755)
    shutil.copy(SERVER, folder / "server.py")
    return folder
