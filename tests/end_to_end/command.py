"""The command as a user runs it, in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

WITHIN_S = 900
ROOT = Path(__file__).parents[2]


def environment() -> dict[str, str]:
    """Return an environment without a terminal's width, so that output is the same everywhere."""
    return {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "PYTHONPATH": str(ROOT)}


def argv(*words: str | Path, hurried: bool = False) -> list[str]:
    """Return the command line; ``hurried`` is as in ``hurried.py``."""
    module = "tests.end_to_end.hurried" if hurried else "headtohead"
    return [sys.executable, "-m", module, *(str(each) for each in words)]


def headtohead(*words: str | Path, cwd: Path | None = None, hurried: bool = False) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    return subprocess.run(
        argv(*words, hurried=hurried),
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
        env=environment(),
        cwd=cwd,
    )


def started(words: Sequence[str | Path]) -> subprocess.Popen[bytes]:
    """Start the command in haste and return at once. Ctrl-C ends it even where tests in the background ignore it."""
    return subprocess.Popen(
        ["env", "--default-signal=INT", *argv(*words, hurried=True)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(),
        start_new_session=True,
    )
