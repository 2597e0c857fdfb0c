from pathlib import Path

import pytest

from headtohead.describe.home import Home
from tests.describe.homes import make_home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path / "home")
