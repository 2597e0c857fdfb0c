"""Folders that tests here copy."""

import shutil
from pathlib import Path

import pytest

from tests import hostile


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a results folder that nobody spoiled, to be copied: nothing is written into it."""
    return hostile.whole(tmp_path_factory.mktemp("results") / "2026-11-20-whole")


@pytest.fixture
def spoiled(whole: Path, tmp_path: Path) -> Path:
    """Return a copy of it, to be spoiled."""
    return shutil.copytree(whole, tmp_path / "2026-11-20-spoiled")
