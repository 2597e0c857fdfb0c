"""The command as a user runs it, in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

WITHIN_S = 900
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    pid: int
    returncode: int
    stdout: str
    stderr: str

    @property
    def owner(self) -> str:
        """Return how the ids of its runs begin."""
        return f"{self.pid}-"


def environment() -> dict[str, str]:
    """Return an environment without a terminal's width, so that output is the same everywhere."""
    return {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "PYTHONPATH": str(ROOT)}


def argv(*words: str | Path, hurried: bool = False) -> list[str]:
    """Return the command line; ``hurried`` is as in ``hurried.py``."""
    module = "tests.end_to_end.hurried" if hurried else "headtohead"
    return [sys.executable, "-m", module, *(str(each) for each in words)]


def headtohead(*words: str | Path, cwd: Path | None = None, hurried: bool = False) -> Done:
    """Run the command to its end."""
    line, output = argv(*words, hurried=hurried), subprocess.PIPE
    with subprocess.Popen(line, stdout=output, stderr=output, text=True, env=environment(), cwd=cwd) as process:
        try:
            out, err = process.communicate(timeout=WITHIN_S)
        except BaseException:
            process.kill()
            raise
    return Done(process.pid, process.returncode, out, err)


def started(words: Sequence[str | Path]) -> subprocess.Popen[bytes]:
    """Start the command in haste and return at once. Ctrl-C ends it even where tests in the background ignore it."""
    return subprocess.Popen(
        ["env", "--default-signal=INT", *argv(*words, hurried=True)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(),
        start_new_session=True,
    )
