"""A study on a bench, on a rig: carried out, recorded by machine, and nothing is left."""

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from headtohead.hosts import paths, processes
from headtohead.model.record import LoadRecord
from headtohead.store import read
from tests.end_to_end.command import environment
from tests.last_attempts import last_attempts
from tests.rig.build import Rig, rig, why_no_rig
from tests.rig.desk import ran_study, run_study, study_of, with_study
from tests.rig.leftovers import eventually, left_on

WHY_NOT = why_no_rig()
BEGUN_WITHIN_S = 300.0
GONE_WITHIN_S = 90.0
"""More than the lease of a run and the time in which what does not stop is killed."""
pytestmark = [pytest.mark.real, pytest.mark.skipif(WHY_NOT is not None, reason=f"no rig: {WHY_NOT}")]
HURRIED = ("-m", "tests.end_to_end.hurried")
OWN, CONTENT = "my.json", b'{"a file": "of our own"}' * 100
SHORT = """server = "each"
cpus = ["all"]

[experiment.load]
connections = [4]
warm_up_s = 0.1
measure_s = 0.3
"""


@pytest.fixture(scope="module")
def lab() -> Iterator[Rig]:
    with rig(servers=2, drivers=2) as made:
        study = study_of(with_study(made, look=1, subject="nginx", more=SHORT))
        study.write_text(study.read_text().replace("looks =", f'file = "{OWN}"\nlooks ='))
        study.with_name(OWN).write_bytes(CONTENT)
        yield made


def left(lab: Rig) -> list[str]:
    """Return what runs left on the machines: folders, processes and control groups."""
    folders = [str(each) for name in lab.machines for each in (lab.folder / name / "tmp").iterdir()]
    return [*folders, *(f"process {pid}" for machine in lab.machines.values() for pid in _ours(machine.members()))]


def _ours(pids: frozenset[int]) -> list[int]:
    return [pid for pid in pids if processes.run_of_environment(pid, paths.PROC)]


def _kill_at_once(pids: frozenset[int]) -> None:
    """Kill processes so that none can clean up after another: stopped first, none sees that one has ended."""
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)


def test_ones_own_file_is_served_by_two_machines_and_nothing_is_left(lab: Rig, tmp_path: Path) -> None:
    ended = ran_study(lab, tmp_path, hurried=True)

    assert ended.returncode == 0, ended.stderr
    (root,) = tmp_path.iterdir()
    recording = read.recording(root)
    assert [each.name for each in recording.hosts] == ["server1", "server2", "driver1", "driver2"]
    # Next to other tests a run may fail or be excluded; it is then repeated, once.
    made = [json.loads(each.read_text()) for each in root.glob("runs/*/run.json")]
    counted = {each["run"] for each in last_attempts(made)}
    runs = [each for each in recording.runs if each.run.run in counted]
    assert [each.run.status for each in runs] == ["valid"] * 2, [each["reasons"] for each in made]
    assert {each.run.label for each in runs} == {"nginx server=server1", "nginx server=server2"}
    for each in runs:
        server = each.run.treatment["server"]
        assert each.run.hosts == {"sut": server, "drivers": ("driver1", "driver2")}
        assert set(each.run.clocks) == {server, "driver1", "driver2"}
        for clock in each.run.clocks.values():  # one kernel: the truth is 0
            assert abs(clock["offset_before_ns"]) <= clock["uncertainty_ns"]
        (phase,) = [one for one in each.run.phases if one.name == "measure"]
        (load,) = each.records
        assert isinstance(load, LoadRecord)
        assert load.driver == "driver1,driver2"
        assert set(load.drivers) == {"driver1", "driver2"}
        assert phase.from_ns < load.from_ns < load.to_ns < phase.to_ns
        assert load.right == load.sent > 0
        assert (root / "runs" / f"{each.run.run:04d}" / "times.hlog").stat().st_size > 0
    assert recording.plan.own == {OWN: sha256(CONTENT).hexdigest()}
    assert runs[0].run.data is not None
    assert left(lab) == []
    report = (root / "report.md").read_text()
    assert "server1" in report
    assert "server2" in report
    assert "from driver1 and driver2, over a network" in report


def test_a_killed_controller_leaves_nothing_on_the_machines_and_the_study_resumes(lab: Rig, tmp_path: Path) -> None:
    argv = run_study(lab, tmp_path, by=HURRIED)
    with subprocess.Popen(argv, stderr=subprocess.DEVNULL, env=environment()) as process:
        begun = eventually(lambda: any(left(lab)), within_s=BEGUN_WITHIN_S)
        process.send_signal(signal.SIGKILL)
    assert begun
    assert eventually(lambda: left(lab) == [], within_s=GONE_WITHIN_S), left(lab)

    ended = ran_study(lab, tmp_path, hurried=True)

    assert ended.returncode == 0, ended.stderr
    assert "Resuming in" in ended.stderr
    (root,) = tmp_path.iterdir()
    runs = [json.loads(each.read_text()) for each in sorted(root.glob("runs/*/run.json"))]
    tried = [(each["run"], each["place"], each["attempt"], each["status"], each["reasons"]) for each in runs]
    assert {each["place"] for each in runs if each["status"] == "valid"} == {1, 2}, tried
    # Next to other tests a run may fail or be excluded; it is then repeated, once. None is carried out twice over.
    assert len(runs) == len({(each["place"], each["attempt"]) for each in runs}), tried


def test_a_driver_whose_processes_are_killed_is_empty_when_the_study_has_ended(lab: Rig, tmp_path: Path) -> None:
    driver = lab.machines["driver1"]
    argv = run_study(lab, tmp_path, by=HURRIED)
    with subprocess.Popen(argv, stderr=subprocess.PIPE, text=True, env=environment()) as process:
        begun = eventually(lambda: any((driver.base / "tmp").iterdir()), within_s=BEGUN_WITHIN_S)
        _kill_at_once(driver.members() - {driver.pid})
        said = process.communicate(timeout=GONE_WITHIN_S)[1]
    assert begun
    assert process.returncode == 1, said
    assert left_on(driver) == []
    assert "Removed on driver1: directory" in said
