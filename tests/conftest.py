"""What tests of every folder may use."""

from collections.abc import Callable
from pathlib import Path

import pytest

from headtohead.cli import main

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return what runs the command line in this process: its exit status, standard output and standard error."""

    def run(*words: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["headtohead", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main.main()
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return run
