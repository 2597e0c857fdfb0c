"""What tests of every folder may use."""

import gc
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import typer.main
from hypothesis import HealthCheck, settings

from headtohead.cli import app
from headtohead.report.drawing.chart import Chart
from tests.workers import share

Command = Callable[..., tuple[int, str, str]]

# How long an example takes says more of what else this machine does than of what is tested. A test run has the same
# examples each time, so that it fails by a change alone; `make fuzz` draws new ones.
settings.register_profile(
    "beside anything",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="H2H_FUZZ_SEED" not in os.environ,
)
settings.load_profile("beside anything")


def pytest_configure(config: pytest.Config) -> None:
    """Keep what a worker of several runs, its servers too, on CPUs of its own; collect tests without garbage."""
    gc.disable()  # collecting tests makes objects that all stay; to look through them costs a second in each worker
    worker = getattr(config, "workerinput", None)
    if worker is not None:
        number, workers = int(worker["workerid"].removeprefix("gw")), int(worker["workercount"])
        os.sched_setaffinity(0, share(os.sched_getaffinity(0), number, of=workers))


def pytest_collection_finish() -> None:
    """Never look through what was imported and collected again."""
    gc.freeze()
    gc.enable()


NOTED = "noted"
"""The property of a test that the end of the log shows, also if the test passes."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests noted."""
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", "") == "teardown":
                for text in (text for name, text in report.user_properties if name == NOTED):
                    terminalreporter.write_line(f"{report.nodeid}: {text}")


_program = cache(typer.main.get_command)  # made once in this process, as where a user types one command
_drawn: dict[str, object] = {}


@pytest.fixture
def tables_as_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let folders that hold tables and no runs be compared: for tests of all else that ``compare`` does."""
    monkeypatch.setattr("headtohead.cli.commands.results.compare.believed", lambda systems, _: ([*systems], []))


@pytest.fixture
def charts_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw equal charts once in this process: for tests of all else that pages and folders hold."""

    def once(draw: Callable[..., object]) -> Callable[..., object]:
        def drawn(chart: Chart, *parts: object, **options: object) -> object:
            asked = repr((draw.__name__, chart, parts, options))
            if asked not in _drawn:
                _drawn[asked] = draw(chart, *parts, **options)
            return _drawn[asked]

        return drawn

    for name in ("_adopted", "png"):
        monkeypatch.setattr(Chart, name, once(getattr(Chart, name)))


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return what runs the command line in this process: its exit status, standard output and standard error."""

    def run(*words: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(typer.main, "get_command", _program)
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
