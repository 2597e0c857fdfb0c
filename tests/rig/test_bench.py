"""The commands for a bench, on a rig: what its machines are, and what killed runs left on them."""

import json
import os
from collections.abc import Iterator

import pytest

from tests.rig.build import Rig, rig, why_no_rig
from tests.rig.desk import at_desk, study_of, with_study

WHY_NOT = why_no_rig()
pytestmark = [pytest.mark.real, pytest.mark.skipif(WHY_NOT is not None, reason=f"no rig: {WHY_NOT}")]


@pytest.fixture(scope="module")
def lab() -> Iterator[Rig]:
    with rig(servers=2, drivers=1) as made:
        yield with_study(made, look=6, subject="noop", more='server = "each"\ncpus = ["all"]\n')


def test_each_machine_of_a_bench_is_described(lab: Rig) -> None:
    ended = at_desk(lab, "host", "--bench", lab.bench_file, "--json")

    assert ended.returncode == 0, ended.stderr
    hosts = json.loads(ended.stdout)["hosts"]
    assert [(each["host"]["name"], each["role"]) for each in hosts] == [
        ("server1", "server"),
        ("server2", "server"),
        ("driver1", "driver"),
    ]
    for each in hosts:
        facts = {(fact["group"], fact["name"]): fact["value"] for fact in each["host"]["facts"]}
        assert facts["software", "kernel"] == os.uname().release
        assert facts["cpu", "threads"] >= 1


def test_a_study_is_planned_for_the_servers_of_a_bench(lab: Rig) -> None:
    ended = at_desk(lab, "check", study_of(lab), "--bench", lab.bench_file, "--json")

    assert ended.returncode == 0, ended.stderr
    (experiment,) = json.loads(ended.stdout)["experiments"]
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
    ended = at_desk(lab, "setup", study_of(lab), "--bench", lab.bench_file)

    assert ended.returncode == 0, ended.stderr
    told = [line for line in ended.stderr.splitlines() if line.startswith("On ")]
    assert told[:2] == [f"On {name}: all packages are installed." for name in ("server1", "server2")]


def test_a_cpu_that_a_machine_lacks_is_named(lab: Rig) -> None:
    wrong = lab.folder / "wrong.toml"
    there = min(os.sched_getaffinity(0))
    wrong.write_text(lab.bench.replace('ssh = "server1"', f'ssh = "server1"\ncpus = "{there},4000"'))

    ended = at_desk(lab, "host", "--bench", wrong)

    assert ended.returncode == 1
    assert "The host server1 has no CPU 4000" in ended.stderr
    assert ended.stdout == ""


def test_what_a_killed_run_left_on_a_machine_is_removed(lab: Rig) -> None:
    left = lab.machines["server1"].base / "tmp" / "headtohead-4194301-1-1"
    left.mkdir()

    ended = at_desk(lab, "clean", "--bench", lab.bench_file)

    assert ended.returncode == 0, ended.stderr
    assert not left.exists()
    assert "server1: " in ended.stdout
    # A sweep sees the processes of all machines of the rig, so it may find what another test has left.
    of_driver = [line for line in ended.stdout.splitlines() if line.startswith("driver1: ")]
    assert of_driver
    assert not any("4194301-1-1" in line for line in of_driver)


def test_caches_of_other_machines_are_not_removed(lab: Rig) -> None:
    ended = at_desk(lab, "clean", "--bench", lab.bench_file, "--caches")

    assert ended.returncode == 2
    assert "on this machine only" in ended.stderr
