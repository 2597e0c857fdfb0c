"""Whatever is killed, nothing of ours is left on any machine, and nothing of anybody else is touched."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from headtohead.hosts import paths, processes
from headtohead.hosts.ssh.connection import Connection, command_line
from headtohead.hosts.ssh.host import SshHost
from headtohead.hosts.ssh.open_host import ssh_host
from headtohead.hosts.ssh.probe_orders import SEND, end
from headtohead.hosts.ssh.session import Session
from headtohead.hosts.supervise.remove_leftovers import Swept, sweep
from headtohead.model.errors import HostError
from tests.rig.build import Rig, rig, why_no_rig
from tests.rig.leftovers import eventually, left, of_run, start_stubborn, supervised
from tests.rig.machine import GROUPS

WHY_NOT = why_no_rig()
GONE_WITHIN_S = 60.0
ATTEMPTS = 5
A_RIG = """
import time
from tests.rig.build import rig
with rig() as made:
    print(made.folder, flush=True)
    time.sleep(600)
"""
STRANGER = ("sleep", "86399")
CHECKSUM = "0" * 64
pytestmark = [pytest.mark.real, pytest.mark.skipif(WHY_NOT is not None, reason=f"no rig: {WHY_NOT}")]


@pytest.fixture(scope="module")
def lab() -> Iterator[Rig]:
    with rig(servers=1, drivers=1) as made:
        yield made


@pytest.fixture
def stranger(lab: Rig) -> Iterator[subprocess.Popen[bytes]]:
    """Somebody else's process on the server."""
    with subprocess.Popen(lab.machines["server1"].enter(*STRANGER)) as process:
        yield process
        assert process.poll() is None, "somebody else's process was ended"
        process.kill()


@contextlib.contextmanager
def controlled(lab: Rig, log: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a controller with a run on server1; yield it and the run's id once the run's processes are there."""
    argv = (sys.executable, "-m", "tests.rig.controller", "server1", json.dumps(lab.ssh), str(log))
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as controller:
        try:
            assert controller.stdout is not None
            run_id = controller.stdout.readline().strip()
            assert eventually(lambda: len(of_run(run_id)) >= 3, within_s=GONE_WITHIN_S)
            yield controller, run_id
        finally:
            controller.kill()


def names(pids: Collection[int]) -> list[str]:
    return [processes.name_of(pid, paths.PROC) for pid in pids]


def clients(lab: Rig) -> frozenset[int]:
    """Return the SSH clients at the desk: all processes of its network but the first."""
    return lab.desk.members() - {lab.desk.pid}


def swept_of(host: SshHost, run_id: str) -> list[Swept]:
    """Return what a sweep of the machine removed of that run. It may see what others' runs left: tests run beside."""
    return [each for each in host.sweep() if each.run_id == run_id]


@pytest.mark.parametrize("victim", ["controller", "connection", "server's processes"])
def test_nothing_is_left_whatever_is_killed(
    victim: str, lab: Rig, stranger: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    tmp = lab.folder / "server1" / "tmp"
    with controlled(lab, tmp_path / "log") as (controller, run_id):
        assert left(run_id, tmp=tmp)
        assert clients(lab)
        if victim == "controller":
            controller.kill()
        elif victim == "connection":
            # The client that holds the shared connection is the first of those that were started.
            os.kill(min(clients(lab), key=lambda pid: paths.start_ticks(pid) or 0), signal.SIGKILL)
        else:
            for pid in lab.machines["server1"].members() - {lab.machines["server1"].pid, stranger.pid}:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        assert eventually(lambda: not of_run(run_id), within_s=GONE_WITHIN_S), left(run_id, tmp=tmp)
        controller.kill()
        controller.wait()
    assert eventually(lambda: not clients(lab), within_s=GONE_WITHIN_S)
    sweep()
    # The next session finds what a killed supervise could not remove, and only that.
    with ssh_host("server1", "server1", ssh=lab.ssh) as host, Session(host, study="next", since="now", user="tests"):
        removed = swept_of(host, run_id)
        assert victim == "server's processes" or removed == []
        assert swept_of(host, run_id) == []
    assert left(run_id, tmp=tmp) == []


def test_a_pulled_cable_ends_the_run_by_its_lease_and_the_next_session_finds_nothing(lab: Rig, tmp_path: Path) -> None:
    there = lab.folder / "server1" / "tmp"
    gone = closed = False
    machine = lab.machines["server1"]
    with (
        contextlib.suppress(HostError),
        ssh_host("server1", "server1", ssh=lab.ssh, lease_s=4) as host,
        Session(host, study="run", since="now", user="tests") as session,
    ):
        setup, supervisor = supervised(host, session, tmp_path / "log", lease_s=4)
        with supervisor as run:
            run.hello()
            start_stubborn(run, setup.run_dir)
            lab.cable("server1", plugged=False)
            run_dir = there / setup.run_dir.name
            gone = eventually(lambda: not of_run(setup.run_id) and not run_dir.exists(), within_s=GONE_WITHIN_S)
            # The sshd of the connection too, which would wait for hours for what cannot come.
            closed = eventually(lambda: machine.members() == {machine.pid}, within_s=GONE_WITHIN_S)
            lab.cable("server1", plugged=True)
    assert gone
    assert closed
    with ssh_host("server1", "server1", ssh=lab.ssh) as host, Session(host, study="next", since="now", user="tests"):
        assert swept_of(host, setup.run_id) == []


def test_a_cable_pulled_while_our_program_is_sent_leaves_nothing(lab: Rig, tmp_path: Path) -> None:
    machine = lab.machines["server1"]
    with Connection("server1", "server1", folder=tmp_path / "ssh", ssh=lab.ssh, lease_s=4) as connection:
        sending = connection.start(command_line(SEND, CHECKSUM))
        sending.write(b"the first part of it")
        assert eventually(lambda: "cat" in names(machine.members()), within_s=GONE_WITHIN_S)
        time.sleep(6)  # longer than the lease: the signs of life keep it
        assert "cat" in names(machine.members())
        lab.cable("server1", plugged=False)
        gone = eventually(lambda: machine.members() == {machine.pid}, within_s=GONE_WITHIN_S)
        still = names(machine.members())
        lab.cable("server1", plugged=True)
        end(sending)
    assert gone, still
    assert not list((machine.base / "cache" / "remote" / CHECKSUM).iterdir())


def test_a_sweep_removes_what_a_dead_owner_left_and_nothing_of_a_living_one(lab: Rig) -> None:
    # The owner lives until the sweep. Other tests sweep too, and all see the same processes: one may be first.
    for _ in range(ATTEMPTS):
        with subprocess.Popen(("sleep", "600")) as owner:
            try:
                if _swept_once_it_is_dead(lab, owner):
                    return
            finally:
                owner.kill()
    pytest.fail(f"in {ATTEMPTS} of {ATTEMPTS} attempts the machine's own sweep did not find all")


def _swept_once_it_is_dead(lab: Rig, owner: "subprocess.Popen[bytes]") -> bool:
    """Return whether the machine's own sweep removed all that a dead owner left; all of it is gone."""
    dead = paths.Owner(owner.pid, paths.start_ticks(owner.pid) or 0).run_id(5)
    living = paths.this_owner().run_id(6)
    machine = lab.machines["server1"]
    top = next(each for each in (GROUPS / "cpu", GROUPS) if each.is_dir())  # cgroups of version 1, else of version 2
    for run_id in (dead, living):
        machine.run("mkdir", "-p", f"/var/tmp/headtohead-{run_id}/work", f"{top}/headtohead-{run_id}-subject")
    kept = [f"HEADTOHEAD_OWNER={run_id}" for run_id in (dead, living)]
    with (
        subprocess.Popen(machine.enter("env", kept[0], "sleep", "600")) as lost,
        subprocess.Popen(machine.enter("env", kept[1], "sleep", "600")) as mine,
        ssh_host("server1", "server1", ssh=lab.ssh) as host,
    ):
        try:
            assert eventually(lambda: bool(of_run(dead) and of_run(living)), within_s=GONE_WITHIN_S)
            owner.kill()
            owner.wait()
            removed = [each for each in host.sweep() if each.run_id in {dead, living}]
            found = {(each.kind, each.run_id, each.why_not) for each in removed}
            all_of_it = {("process", dead, None), ("cgroup", dead, None), ("directory", dead, None)}
            assert found <= all_of_it
            assert lost.wait(GONE_WITHIN_S) == -signal.SIGKILL
            assert mine.poll() is None
            assert left(dead, tmp=lab.folder / "server1" / "tmp") == []
            assert {each.kind for each in host.end_run(living)} == {"process", "cgroup", "directory"}
            assert mine.wait(GONE_WITHIN_S) == -signal.SIGKILL
            return found == all_of_it
        finally:
            lost.kill()
            mine.kill()


def test_a_killed_rig_is_gone_and_the_next_one_starts() -> None:
    with subprocess.Popen((sys.executable, "-c", A_RIG), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        folder = Path(process.stdout.readline().strip())
        process.kill()
    owner = paths.owner_of(folder.name.removeprefix(paths.PREFIX))
    assert owner is not None
    with rig(servers=1, drivers=0) as made:
        assert not folder.exists()
        assert made.machines["server1"].run("hostname") == "server1\n"

    def has(pid: int) -> bool:
        return str(folder).encode() in (paths.PROC / str(pid) / "cmdline").read_bytes()

    with contextlib.suppress(OSError):
        assert not [pid for pid in processes.all_pids(paths.PROC) if has(pid)]
