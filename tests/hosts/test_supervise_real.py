"""The real supervise: whatever is put under it, nothing of it is left."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from headtohead.hosts import owners, paths, processes
from headtohead.hosts.local import LocalHost
from headtohead.hosts.software import account
from headtohead.hosts.software.programs import PROBE, find_program, install_programs
from headtohead.hosts.supervise import sweep
from headtohead.hosts.supervise.client import Supervisor
from headtohead.hosts.supervise.messages import Command, Limits
from headtohead.hosts.supervise.setup import Setup
from headtohead.hosts.supervise.sweep import Places
from headtohead.model.errors import HostError, SubjectError

# Ignores TERM, as does a child in a session of its own whose parent is gone.
STUBBORN = (
    "/bin/sh",
    "-c",
    "trap '' TERM; (setsid sh -c 'while :; do sleep 0.2; done' &); echo ready; while :; do sleep 0.2; done",
)
SPIN = ("/bin/sh", "-c", "while :; do :; done")
LEFT_WITHIN_S = 60.0
NUMBERS = count(9000)


def probe() -> Path | None:
    """Return our probe where it has supervise."""
    with contextlib.suppress(HostError, OSError, subprocess.SubprocessError):
        program = find_program(PROBE)
        argv = [str(program), "supervise"]
        said = subprocess.run(argv, check=False, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
        return program if "--id" in said.stdout + said.stderr else None
    return None


pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(probe() is None, reason="h2h-probe is not built: cargo build --release"),
]


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    cache = tmp_path_factory.mktemp("cache")
    return install_programs((find_program(PROBE),), cache=cache) / PROBE


@pytest.fixture
def setup(program: Path, tmp_path: Path) -> Setup:
    run_id = paths.this_owner().run_id(next(NUMBERS))
    user = account.USER if os.geteuid() == 0 and account.uid_of(LocalHost()) is not None else None
    return Setup(program, run_id, paths.run_dir(run_id), tmp_path / "supervise.log", user=user)


def command(setup: Setup, *argv: str, group: str = "subject") -> Command:
    said = setup.run_dir / f"{argv[0].rpartition('/')[2]}.out"
    return Command(group, argv, setup.run_dir, said, said, env={"PATH": "/usr/bin:/bin"})


def left(run_id: str) -> list[str]:
    """Return everything of a run that is there: processes, directory, control groups."""
    found = [
        f"process {pid} {processes.name_of(pid, paths.PROC)}"
        for pid in processes.all_pids(paths.PROC)
        if processes.run_of_environment(pid, paths.PROC) == run_id and processes.is_running(pid, paths.PROC)
    ]
    found += [str(paths.run_dir(run_id))] if paths.run_dir(run_id).exists() else []
    mounts = sweep.cgroup_mounts(paths.PROC)
    return found + [str(each) for mount in mounts for each in mount.glob(f"{paths.PREFIX}{run_id}*")]


def eventually(holds: Callable[[], bool], *, within_s: float = LEFT_WITHIN_S) -> bool:
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.05)
    return holds()


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


def test_the_run_ends_when_headtohead_is_killed(setup: Setup, tmp_path: Path) -> None:
    """The child plays headtohead: it starts a run under supervise, and is killed in the middle."""
    code = (
        "import sys, time, pathlib\n"
        "from tests.hosts.test_supervise_real import *\n"
        "run_id = paths.this_owner().run_id(1)\n"
        "user = sys.argv[3] or None\n"
        "mine = Setup(Path(sys.argv[1]), run_id, paths.run_dir(run_id), Path(sys.argv[2]), user=user)\n"
        "with Supervisor(LocalHost(), mine) as run:\n"
        "    run.group('subject', Limits())\n"
        "    run.start('server', command(mine, *STUBBORN))\n"
        "    print(run_id, flush=True)\n"
        "    time.sleep(60)\n"
    )
    argv = [sys.executable, "-c", code, str(setup.program), str(tmp_path / "log"), setup.user or ""]
    root = Path(__file__).parents[2]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, cwd=root) as headtohead:
        assert headtohead.stdout is not None
        run_id = headtohead.stdout.readline().strip()
        assert left(run_id)
        headtohead.kill()
    assert eventually(lambda: not left(run_id)), left(run_id)


def test_a_supervise_that_is_killed_leaves_nothing_once_its_client_notices(setup: Setup) -> None:
    for each in (setup, *(replaced(setup) for _ in range(4))):
        with pytest.raises(HostError, match="supervise did not answer"):
            kill_under_way(each)
        assert left(each.run_id) == []
        assert not each.log.exists()


def kill_under_way(setup: Setup) -> None:
    with Supervisor(LocalHost(), setup) as run:
        run.group("subject", Limits())
        run.start("server", command(setup, *STUBBORN))
        assert eventually(lambda: len(left(setup.run_id)) >= 3)
        assert run._process is not None
        os.kill(run._process.pid, signal.SIGKILL)
        run.alive("server")


def replaced(setup: Setup) -> Setup:
    """Return the same for another run."""
    run_id = paths.this_owner().run_id(next(NUMBERS))
    return replace(setup, run_id=run_id, run_dir=paths.run_dir(run_id))


RACES = """
import os, sys
run, own, secret, victim = sys.argv[1:]
print("begun", flush=True)
done = 0
while done < 10_000:
    done += 1
    for link, target in ((f"{run}/input/step.input", secret), (f"{run}/logs", victim), (f"{own}/step", secret)):
        for act in (lambda: os.rename(link, f"{own}/old"), lambda: os.symlink(target, f"{own}/new"),
                    lambda: os.rename(f"{own}/new", link)):
            try:
                act()
            except OSError:
                pass
print("over", flush=True)
import time
time.sleep(60)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="without root the subject and the harness are one user")
def test_a_subject_that_swaps_links_10_000_times_gets_no_file_of_roots(setup: Setup, tmp_path: Path) -> None:
    secret, victim = tmp_path / "secret", tmp_path / "victim"
    secret.write_text("only root may read this\n")
    secret.chmod(0o600)
    victim.mkdir()
    with Supervisor(LocalHost(), setup) as run:
        run.hello()
        run.group("subject", Limits())
        logs, given = setup.run_dir / "logs", setup.run_dir / "input"
        for folder in (logs, given):
            folder.mkdir(mode=0o700)
            owners.share_tree(setup.user, folder)
        (given / "step.input").write_text("what we give\n")
        work, env = paths.work_dir(setup.run_dir), {"PATH": "/usr/bin:/bin"}
        argv = ("/usr/bin/python3", "-c", RACES, str(setup.run_dir), str(work), str(secret), str(victim))
        run.start("racer", Command("subject", argv, work, logs / "racer", logs / "racer.err", env=env))
        steps = 0
        while "over" not in (logs / "racer").read_text():
            steps += 1
            for stdin in (given / "step.input", work / "step"):
                name = f"step-{stdin.name}-{steps}"
                each = Command("subject", ("/bin/cat",), work, logs / name, logs / name, stdin=stdin, env=env)
                with contextlib.suppress(SubjectError):  # a link: refused
                    run.start(name, each)
                    run.wait(name, within_s=LEFT_WITHIN_S)
        said = "".join(path.read_text() for path in logs.glob("step-*"))
    assert steps > 10
    assert "what we give" in said
    assert "only root" not in said
    assert list(victim.iterdir()) == []


@contextlib.contextmanager
def dying(setup: Setup) -> Iterator[tuple[Setup, subprocess.Popen[bytes]]]:
    """Give a run an owner that can die while we look on.

    A view of /proc that merely does not show us would not show either who begins to measure beside us, and a sweep by
    it takes away his control groups.
    """
    with subprocess.Popen(("/bin/sleep", "60")) as owner:
        ticks = paths.start_ticks(owner.pid)
        assert ticks is not None
        run_id = paths.Owner(owner.pid, ticks).run_id(1)
        try:
            yield replace(setup, run_id=run_id, run_dir=paths.run_dir(run_id)), owner
        finally:
            owner.kill()


def test_a_killed_supervise_leaves_nothing_that_the_sweep_does_not_find(setup: Setup, tmp_path: Path) -> None:
    with dying(setup) as (mine, owner):
        process = LocalHost().start(mine.argv(), log=mine.log)
        process.write_line('{"do": "group", "name": "subject", "cpus": null, "cpu_quota": null, "memory_mib": null}')
        process.read_line(within_s=LEFT_WITHIN_S)
        run = Supervisor(LocalHost(), mine)
        run._process = process
        run.start("server", command(mine, *STUBBORN))
        assert eventually(lambda: len(left(mine.run_id)) >= 3)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(within_s=LEFT_WITHIN_S)
        owner.kill()
        owner.wait()
    assert left(mine.run_id), "what the sweep is to find"
    swept = sweep.sweep(Places(policy=tmp_path / "policy-rc.d"))
    assert left(mine.run_id) == []
    assert all(each.why_not is None for each in swept if each.run_id == mine.run_id)
