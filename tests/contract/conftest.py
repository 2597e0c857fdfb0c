"""What the tests of content may use."""

from collections.abc import Callable, Iterator

import pytest

from tests.conftest import NOTED
from tests.contract.bench import REPEATED


@pytest.fixture(autouse=True)
def _repeated_runs_are_noted(record_property: Callable[[str, object], None]) -> Iterator[None]:
    """Note why runs of a test were carried out once more: if a later one fails, that explains it."""
    yield
    for each in REPEATED:
        record_property(NOTED, each)
    REPEATED.clear()
