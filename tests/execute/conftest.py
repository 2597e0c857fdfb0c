"""The laboratories of most tests here."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.execute.laboratory import Laboratory, Ready, fake_affinity, tiny_home, tiny_page, tiny_program
from tests.execute.needing import NEEDS


@pytest.fixture
def laboratory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Laboratory]:
    fake_affinity(monkeypatch)
    place = Laboratory(NEEDS, tmp_path, home=tiny_home(tmp_path), pages=tiny_page)
    place.script.program = tiny_program
    with place.study_context:
        yield place


@pytest.fixture
def ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Ready]:
    """Return what gives a laboratory for a study's text, in which everything is prepared."""
    fake_affinity(monkeypatch)
    return lambda text: Ready(text, tmp_path)
