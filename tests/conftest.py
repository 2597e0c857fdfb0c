"""What tests of every folder may use."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from headtohead.cli import app
from tests.workers import share

Command = Callable[..., tuple[int, str, str]]

# How long an example takes says more of what else this machine does than of what is tested.
settings.register_profile("beside anything", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("beside anything")


def pytest_configure(config: pytest.Config) -> None:
    """Keep what a worker of several runs, its servers too, on CPUs of its own."""
    worker = getattr(config, "workerinput", None)
    if worker is not None:
        number, workers = int(worker["workerid"].removeprefix("gw")), int(worker["workercount"])
        os.sched_setaffinity(0, share(os.sched_getaffinity(0), number, of=workers))


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return what runs the command line in this process: its exit status, standard output and standard error."""

    def run(*words: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["headtohead", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            app.run()
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return run


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note the processes that are forked."""
    found: list[int] = []
    fork = os.fork

    def noted() -> int:
        found.append(fork())
        return found[-1]

    monkeypatch.setattr(os, "fork", noted)
    return found
