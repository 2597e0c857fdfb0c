"""The command as a user runs it, in a process of its own."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tests.end_to_end.warm import Asked, Done, Warm

WITHIN_S = 900
ROOT = Path(__file__).parents[2]


def environment(*, lane: Path | None = None, lenient: bool = False) -> dict[str, str]:
    """Return an environment without a terminal's width, so that output is the same everywhere."""
    fonts = {"MPLCONFIGDIR": str(ROOT / "build" / "matplotlib")}  # read once, not by each command with its own cache
    told = {**os.environ, **fonts, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "PYTHONPATH": str(ROOT)}
    told |= {"H2H_LENIENT": "1"} if lenient else {}
    return told if lane is None else {**told, "H2H_LANE": str(lane)}


@contextmanager
def own_lane() -> Iterator[Path]:
    """Yield a folder for a cache and a lock of its own: a command in haste then runs next to others (`hurried.py`)."""
    with tempfile.TemporaryDirectory(prefix="lane-", dir="/var/tmp") as folder:
        Path(folder).chmod(0o711)  # subjects are not root, and their programs are in the cache
        yield Path(folder)


def argv(*words: str | Path, hurried: bool = False) -> list[str]:
    """Return the command line; ``hurried`` is as in ``hurried.py``."""
    module = "tests.end_to_end.hurried" if hurried else "headtohead"
    return [sys.executable, "-m", module, *(str(each) for each in words)]


def headtohead(
    *words: str | Path, cwd: Path | None = None, hurried: bool = False, lane: Path | None = None, lenient: bool = False
) -> Done:
    """Run the command to its end, from a warm start; one with a lane is in haste (``hurried.py``, ``lenient`` too)."""
    told, hurried = environment(lane=lane, lenient=lenient), hurried or lane is not None
    asked = Asked([str(each) for each in words], told, str(cwd or Path.cwd()), hurried=hurried)
    return _warm().run(asked, within_s=WITHIN_S)


@cache
def _warm() -> Warm:
    return Warm(environment())


def cold(*words: str | Path, cwd: Path | None = None) -> Done:
    """Run the command to its end, started by itself, as a user does."""
    line, output = argv(*words), subprocess.PIPE
    with subprocess.Popen(line, stdout=output, stderr=output, text=True, env=environment(), cwd=cwd) as process:
        try:
            out, err = process.communicate(timeout=WITHIN_S)
        except BaseException:
            process.kill()
            raise
    return Done(process.pid, process.returncode, out, err)


def started(words: Sequence[str | Path], *, lane: Path) -> subprocess.Popen[bytes]:
    """Start the command in haste and return at once. Ctrl-C ends it even where tests in the background ignore it."""
    return subprocess.Popen(
        ["env", "--default-signal=INT", *argv(*words, hurried=True)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(lane=lane),
        start_new_session=True,
    )
