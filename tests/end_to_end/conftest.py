"""What tests of the command may use."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.command import own_lane


@pytest.fixture
def lane() -> Iterator[Path]:
    with own_lane() as folder:
        yield folder
