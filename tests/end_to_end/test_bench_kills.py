"""The bench of kills: interrupted, it ends each lane's study first; what it takes for a trace of Python's own start."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from benches.bench_kills import is_of_python_alone
from headtohead.cli.main import INTERRUPTED
from tests.end_to_end.command import ROOT, environment

STARTS_WITHIN_S, ENDS_WITHIN_S = 120.0, 90.0
LANES = 2

FROZEN = """Traceback (most recent call last):
  File "<frozen importlib._bootstrap>", line 1176, in _find_and_load
  File "<frozen site>", line 73, in <module>
KeyboardInterrupt
"""
OURS = '  File "/a place/headtohead/cli/main.py", line 4, in <module>\n'


def places() -> set[Path]:
    return set(Path("/var/tmp").glob("bench-kills-*"))


def lanes_at_work(place: Path) -> set[str]:
    """Return the lanes of which a process runs: each has the folder of its lane in its environment."""
    found = set()
    for each in Path("/proc").glob("[0-9]*/environ"):
        try:
            words = each.read_bytes().partition(str(place).encode())[2]
        except OSError:
            continue
        found.update([words[1:].split(b"/")[0].decode()] if words else [])
    return found


def await_that(holds: Callable[[], bool], *, within_s: float) -> None:
    until_s = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < until_s
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        (FROZEN, True),
        (f"Starting\n{FROZEN}", True),
        (FROZEN.replace("KeyboardInterrupt", f"{OURS}KeyboardInterrupt"), False),
        (f"{FROZEN}\nDuring handling:\n{OURS}", False),
        ("Interrupted; nothing was left behind.\n", False),
        ("Traceback (most recent call last):\nKeyboardInterrupt\n", False),
    ],
)
def test_a_trace_with_a_frame_that_is_not_frozen_into_python_is_ours(text: str, *, alone: bool) -> None:
    assert is_of_python_alone(text) is alone


@pytest.mark.real
def test_its_folder_is_there_until_each_lane_has_ended_however_often_it_is_interrupted() -> None:
    before = places()
    words = ("-m", "benches.bench_kills", "--lanes", str(LANES), "--rounds", "1000", "--kinds", "floor")
    with subprocess.Popen(
        ["env", "--default-signal=INT", sys.executable, *words],
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    ) as bench:
        try:
            await_that(lambda: len(places() - before) == 1, within_s=STARTS_WITHIN_S)
            (place,) = places() - before
            await_that(lambda: len(list(place.glob("lane-*/floor-*/*/plan.json"))) == LANES, within_s=STARTS_WITHIN_S)
            for _ in range(3):
                bench.send_signal(signal.SIGINT)
                time.sleep(0.2)
            await_that(lambda: not place.exists(), within_s=ENDS_WITHIN_S)
            assert lanes_at_work(place) == set()
            output = bench.communicate(timeout=ENDS_WITHIN_S)[0]
        finally:
            bench.kill()

    assert bench.returncode == INTERRUPTED
    assert "wrong: 0" in output
