"""The real supervise of tests: its program, and the start of a run."""

import os
from pathlib import Path

import pytest

from headtohead.hosts import paths
from headtohead.hosts.local import LocalHost
from headtohead.hosts.software import subjects_user
from headtohead.hosts.software.programs import PROBE, find_program, install_programs
from headtohead.hosts.supervise.setup import Setup
from tests.hosts.supervised import NUMBERS


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    cache = tmp_path_factory.mktemp("cache")
    return install_programs((find_program(PROBE),), cache=cache) / PROBE


@pytest.fixture
def setup(program: Path, tmp_path: Path) -> Setup:
    run_id = paths.this_owner().run_id(next(NUMBERS))
    user = subjects_user.USER if os.geteuid() == 0 and subjects_user.uid_of(LocalHost()) is not None else None
    return Setup(program, run_id, paths.run_dir(run_id), tmp_path / "supervise.log", user=user)
