"""A study that is killed at random moments leaves nothing behind, and goes on where it was."""

import json
import os
import random
import signal
import time
from pathlib import Path

import pytest

from benches.ports import listening_of
from headtohead.cli.main import INTERRUPTED
from tests.contract.leftovers import left_behind, nothing
from tests.end_to_end.command import headtohead, started

GONE_WITHIN_S = 60.0
MOMENTS = int(os.environ.get("H2H_KILL_MOMENTS", "3"))
STUDY = """format = 1
title = "To be killed"
seed = 7

[[experiment]]
name = "static-page"
question = "Is anything lost or left?"
workload = "static-page"
looks = [BLOCKS]

[experiment.factors]
subject = [{ name = "noop", label = "A" }, { name = "noop", label = "B" }]
cpus = [1]

[experiment.load]
loop = "open"
rate_per_s = 200
warm_up_s = 0.1
measure_s = 0.4
"""
"""Its load leaves the CPUs to other tests: what is held here does not depend on it."""

pytestmark = pytest.mark.real


def left(owner: str, lane: Path, before: set[str]) -> str:
    found, ports = left_behind(owner, cache=lane), listening_of(owner) - before
    return "" if found == nothing() and not ports else f"{found}, {ports}"


def wait_until_nothing_is_left(owner: str, lane: Path, before: set[str]) -> None:
    began_s = time.monotonic()
    while (still := left(owner, lane, before)) and time.monotonic() - began_s < GONE_WITHIN_S:
        time.sleep(0.1)
    assert not still, f"still there after {GONE_WITHIN_S} s"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT], ids=["kill -9", "Ctrl-C"])
def test_nothing_is_lost_or_left_when_it_is_ended_at_random_moments(
    number: signal.Signals, tmp_path: Path, lane: Path
) -> None:
    study = tmp_path / "killed.toml"
    study.write_text(STUDY.replace("BLOCKS", str(3 * MOMENTS)))
    results = tmp_path / "results"
    rng = random.Random(int(number))
    before = listening_of()
    kept: set[str] = set()
    for _ in range(MOMENTS):
        process = started(["run", study, "--results", results], lane=lane)
        time.sleep(rng.uniform(0.2, 4.0))
        process.send_signal(number)
        process.wait(GONE_WITHIN_S)
        wait_until_nothing_is_left(f"{process.pid}-", lane, before)
        found = {str(path) for path in results.glob("*/runs/[0-9]*")}
        assert kept <= found
        kept = found
        assert len(list(results.glob("*"))) <= 1
        assert not list(results.glob("*/end.json")), "the study ended before it could be ended"

    done = headtohead("run", study, "--results", results, lane=lane)

    assert "Traceback" not in done.stderr
    (folder,) = results.iterdir()
    assert (folder / "end.json").is_file()
    plan = json.loads((folder / "plan.json").read_text())
    planned = {(each["block"], each["place"]) for each in plan["experiments"][0]["runs"]}
    runs = [json.loads(path.read_text()) for path in folder.glob("runs/*/run.json")]
    first = [(each["block"], each["place"]) for each in runs if each["attempt"] == 1]
    assert sorted(first) == sorted(planned)
    assert len(first) == len(set(first))
    assert sorted(each["run"] for each in runs) == list(range(1, len(runs) + 1))
    assert not list((folder / "runs").glob(".*"))
    assert left_behind(done.owner, cache=lane) == nothing()


def test_a_second_measurement_is_told_who_holds_the_lock(tmp_path: Path, lane: Path) -> None:
    study = tmp_path / "killed.toml"
    study.write_text(STUDY.replace("BLOCKS", "9").replace("measure_s = 0.4", "measure_s = 600"))  # until interrupted
    first = started(["run", study, "--results", tmp_path / "a"], lane=lane)
    try:
        deadline_s = time.monotonic() + GONE_WITHIN_S
        while not list((tmp_path / "a").glob("*/plan.json")) and time.monotonic() < deadline_s:
            time.sleep(0.05)
        second = headtohead("run", "smoke", "--results", tmp_path / "b", lane=lane)
    finally:
        first.send_signal(signal.SIGINT)
        ended = first.wait(GONE_WITHIN_S)

    assert ended == INTERRUPTED
    assert second.returncode == 1
    assert f"process {first.pid}" in second.stderr
