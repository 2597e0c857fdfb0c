"""The real supervise: whatever is put under it, nothing of it is left."""

import os
import shutil
from pathlib import Path

import pytest

from headtohead.hosts.local import LocalHost
from headtohead.hosts.supervise.client import Supervisor
from headtohead.hosts.supervise.messages import Limits
from headtohead.hosts.supervise.setup import Setup
from headtohead.model.errors import SubjectError
from tests.hosts.supervised import LEFT_WITHIN_S, SPIN, STUBBORN, command, eventually, left, probe

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(probe() is None, reason="h2h-probe is not built: cargo build --release"),
]


def test_a_stubborn_tree_ends_with_its_stop(setup: Setup) -> None:
    with Supervisor(LocalHost(), setup) as run:
        hello = run.hello()
        assert hello.run_dir == str(setup.run_dir)
        run.group("subject", Limits())
        run.start("server", command(setup, *STUBBORN))
        assert eventually(lambda: len(left(setup.run_id)) >= 3)
        assert run.alive("server").alive
        stopped = run.stop("server", within_s=0.5)
        assert stopped.killed
        assert not run.alive("server").alive
        assert not [each for each in left(setup.run_id) if each.startswith("process")]
        run.end()
    assert left(setup.run_id) == []


def test_closing_ends_a_stubborn_tree(setup: Setup) -> None:
    with Supervisor(LocalHost(), setup) as run:
        run.hello()
        run.group("subject", Limits())
        run.start("server", command(setup, *STUBBORN))
        assert eventually(lambda: len(left(setup.run_id)) >= 3)
    assert left(setup.run_id) == []


def test_an_error_inside_leaves_nothing_either(setup: Setup) -> None:
    def interrupted() -> None:
        with Supervisor(LocalHost(), setup) as run:
            run.group("subject", Limits())
            run.start("server", command(setup, *STUBBORN))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert left(setup.run_id) == []


def test_what_is_asked_is_read_back(setup: Setup) -> None:
    cpu = min(os.sched_getaffinity(0))
    with Supervisor(LocalHost(), setup) as run:
        run.group("subject", Limits(cpus=(cpu,)))
        run.start("spin", command(setup, *SPIN))
        assert not run.wait("spin", within_s=0.1).exited
        answer = run.read_back("subject")
        assert answer.cpus == (cpu,)
        assert answer.processes == 1
        assert 0 not in answer.uids or setup.user is None
        assert eventually(lambda: run.usage("subject").cpu_ns > 0)
        run.stop("spin", within_s=1)


@pytest.mark.skipif(os.geteuid() != 0, reason="control groups are root's to make")
@pytest.mark.parametrize("stops", [True, False])
def test_processes_that_fork_and_end_in_a_chain_are_ended(setup: Setup, *, stops: bool) -> None:
    chain = (
        "import os\nif os.fork():\n    os._exit(0)\nos.setsid()\nwhile True:\n    if os.fork():\n        os._exit(0)"
    )
    with Supervisor(LocalHost(), setup) as run:
        if run.hello().cgroups is None:
            pytest.skip("no control groups here")
        run.group("subject", Limits())
        run.start("chain", command(setup, "/usr/bin/python3", "-c", chain))
        assert run.wait("chain", within_s=LEFT_WITHIN_S).exited
        assert eventually(lambda: any(each.startswith("process") for each in left(setup.run_id)))
        if stops:
            assert run.stop("chain", within_s=0.1).left_over > 0
            assert not [each for each in left(setup.run_id) if each.startswith("process")]
        run.end()
    assert all(left(setup.run_id) == [] for _ in range(20))


@pytest.mark.skipif(os.geteuid() != 0, reason="quotas are root's to give")
def test_a_quota_holds_and_is_read_back(setup: Setup) -> None:
    with Supervisor(LocalHost(), setup) as run:
        if run.hello().cgroups is None:
            pytest.skip("no control groups here")
        run.group("subject", Limits(cpu_quota=0.25))
        run.start("spin", command(setup, *SPIN))
        run.wait("spin", within_s=1.0)
        assert run.read_back("subject").cpu_quota == pytest.approx(0.25, rel=0.01)
        assert eventually(lambda: (run.usage("subject").throttled_periods or 0) > 0)  # not at once beside other work
    assert left(setup.run_id) == []


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("tc") is None, reason="a link is root's to make, with iproute2")
def test_a_link_is_read_back_and_leaves_nothing(setup: Setup) -> None:
    with Supervisor(LocalHost(), setup) as run:
        for name in ("subject", "driver"):
            run.group(name, Limits())
        link = run.link(100)
        assert (link.subject, link.driver, link.rate_mbit) == ("192.0.2.1", "192.0.2.2", 100)
        assert (link.congestion, link.mtu) == ("cubic", 1500)
        run.start("server", command(setup, *SPIN))
        run.start("load", command(setup, *SPIN, group="driver"))
        assert [run.read_back(name).network for name in ("subject", "driver")] == ["own", "own"]
    assert left(setup.run_id) == []


def test_a_program_that_ends_is_waited_for(setup: Setup) -> None:
    with Supervisor(LocalHost(), setup) as run:
        run.group("subject", Limits())
        run.start("says", command(setup, "/bin/sh", "-c", "echo $HEADTOHEAD_OWNER; exit 3"))
        waited = run.wait("says", within_s=LEFT_WITHIN_S)
        assert (waited.exited, waited.code, waited.signal) == (True, 3, None)
        assert (setup.run_dir / "sh.out").read_text() == f"{setup.run_id}\n"


def test_a_missing_program_is_the_subjects_error(setup: Setup) -> None:
    with Supervisor(LocalHost(), setup) as run:
        run.group("subject", Limits())
        with pytest.raises(SubjectError):
            run.start("absent", command(setup, "/nonexistent/program"))


def test_readings_can_be_read_while_they_are_taken(setup: Setup, tmp_path: Path) -> None:
    # whether a case counts is judged from them at its end
    with Supervisor(LocalHost(), setup) as run:
        run.group("subject", Limits())
        run.watch(tmp_path / "readings.csv", every_ms=50)
        seen: list[str] = []

        def read() -> bool:
            seen.append((tmp_path / "readings.csv").read_text())
            return len(seen[-1].splitlines()) >= 4

        assert eventually(read)
        run.unwatch()
    assert all(each.endswith("\n") for each in seen if each)


def test_readings_are_complete_after_unwatch(setup: Setup, tmp_path: Path) -> None:
    with Supervisor(LocalHost(), setup) as run:
        run.group("subject", Limits())
        watching = run.watch(tmp_path / "readings.csv", every_ms=50)
        run.gate(below_cpus=64.0, for_s=0.3, within_s=5)
        watched = run.unwatch()
    lines = (tmp_path / "readings.csv").read_text().splitlines()
    assert tuple(lines[0].split(",")) == watching.columns
    assert len(lines) == watched.readings + 1
    assert {"t_ns", "busy_ns", "subject_cpu_ns", "harness_cpu_ns"} <= set(watching.columns)
