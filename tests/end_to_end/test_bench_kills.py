"""The bench of kills, interrupted: each lane ends its study before the folder of all is removed."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from headtohead.cli.main import INTERRUPTED
from tests.end_to_end.command import ROOT, environment

STARTS_WITHIN_S, ENDS_WITHIN_S = 120.0, 90.0
LANES = 2

pytestmark = pytest.mark.real


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
