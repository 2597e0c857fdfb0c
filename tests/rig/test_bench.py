"""The commands for a bench, on a rig: what its machines are, and what killed runs left on them."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rig.build import Rig, rig, why_no_rig

WHY_NOT = why_no_rig()
pytestmark = [pytest.mark.real, pytest.mark.skipif(WHY_NOT is not None, reason=f"no rig: {WHY_NOT}")]


@pytest.fixture(scope="module")
def lab() -> Iterator[Rig]:
    with rig(servers=2, drivers=1) as made:
        (made.folder / "lab.toml").write_text(made.bench)
        yield made


def at_desk(lab: Rig, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command of headtohead at the place from which the machines are reached."""
    argv = lab.desk.enter(sys.executable, "-m", "headtohead", *map(str, words))
    return subprocess.run(argv, check=False, capture_output=True, text=True, timeout=120)


def test_each_machine_of_a_bench_is_described(lab: Rig) -> None:
    done = at_desk(lab, "host", "--bench", lab.folder / "lab.toml", "--json")

    assert done.returncode == 0, done.stderr
    hosts = json.loads(done.stdout)["hosts"]
    assert [(each["host"]["name"], each["role"]) for each in hosts] == [
        ("server1", "server"),
        ("server2", "server"),
        ("driver1", "driver"),
    ]
    for each in hosts:
        facts = {(fact["group"], fact["name"]): fact["value"] for fact in each["host"]["facts"]}
        assert facts["software", "kernel"] == os.uname().release
        assert facts["cpu", "threads"] >= 1


STUDY = """format = 1
title = "Two machines"
seed = 1

[[experiment]]
name = "page"
question = "Which machine serves more pages?"
workload = "static-page"
looks = [6]

[experiment.factors]
subject = ["noop"]
server = "each"
cpus = ["all"]
"""


def test_a_study_is_planned_for_the_servers_of_a_bench(lab: Rig) -> None:
    study, bench = lab.folder / "study.toml", lab.folder / "lab.toml"
    study.write_text(STUDY)

    done = at_desk(lab, "check", study, "--bench", bench, "--json")

    assert done.returncode == 0, done.stderr
    (experiment,) = json.loads(done.stdout)["experiments"]
    told = [(each["label"], each["server"], each["drivers"]) for each in experiment["treatments"]]
    assert told == [
        ("noop server=server1", "server1", ["driver1"]),
        ("noop server=server2", "server2", ["driver1"]),
    ]
    (pair,) = experiment["comparisons"]
    assert (pair["baseline"], pair["other"]) == ("noop server=server1", "noop server=server2")
    count = len(os.sched_getaffinity(0))
    note = f"cpus = all: {count} of {count} on server1, {count} of {count} on server2."
    assert note in experiment["notes"]


def test_setup_looks_for_packages_on_each_server(lab: Rig) -> None:
    study, bench = lab.folder / "study.toml", lab.folder / "lab.toml"
    study.write_text(STUDY)

    done = at_desk(lab, "setup", study, "--bench", bench)

    assert done.returncode == 0, done.stderr
    told = [line for line in done.stderr.splitlines() if line.startswith("On ")]
    assert told[:2] == [f"On {name}: all packages are installed." for name in ("server1", "server2")]


def test_a_cpu_that_a_machine_lacks_is_named(lab: Rig) -> None:
    wrong = lab.folder / "wrong.toml"
    wrong.write_text(lab.bench.replace('ssh = "server1"', 'ssh = "server1"\ncpus = "0,4000"'))

    done = at_desk(lab, "host", "--bench", wrong)

    assert done.returncode == 1
    assert "The host server1 has no CPU 4000" in done.stderr
    assert done.stdout == ""


def test_what_a_killed_run_left_on_a_machine_is_removed(lab: Rig) -> None:
    left = lab.machines["server1"].base / "tmp" / "headtohead-4194301-1-1"
    left.mkdir()

    done = at_desk(lab, "clean", "--bench", lab.folder / "lab.toml")

    assert done.returncode == 0, done.stderr
    assert not left.exists()
    assert "server1: " in done.stdout
    assert "driver1: nothing was left behind" in done.stdout


def test_caches_of_other_machines_are_not_removed(lab: Rig) -> None:
    done = at_desk(lab, "clean", "--bench", lab.folder / "lab.toml", "--caches")

    assert done.returncode == 2
    assert "on this machine only" in done.stderr
