"""The real supervise when something is killed or a subject plays tricks: nothing is left or given away."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.hosts import file_owners, paths
from headtohead.hosts.local import LocalHost
from headtohead.hosts.supervise import remove_leftovers
from headtohead.hosts.supervise.client import Supervisor
from headtohead.hosts.supervise.messages import Command, Limits
from headtohead.hosts.supervise.remove_leftovers import Places
from headtohead.hosts.supervise.setup import Setup
from headtohead.model.errors import HostError, SubjectError
from tests.hosts.supervised import LEFT_WITHIN_S, STUBBORN, command, eventually, left, probe, replaced

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(probe() is None, reason="h2h-probe is not built: cargo build --release"),
]


def test_the_run_ends_when_headtohead_is_killed(setup: Setup, tmp_path: Path) -> None:
    """The child plays headtohead: it starts a run under supervise, and is killed in the middle."""
    code = (
        "import sys, time, pathlib\n"
        "from tests.hosts.supervised import *\n"
        "from headtohead.hosts.local import LocalHost\n"
        "from headtohead.hosts.supervise.client import Supervisor\n"
        "from headtohead.hosts.supervise.messages import Limits\n"
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
            file_owners.share_tree(setup.user, folder)
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
        # While the owner lives no other test's sweep removes it.
        assert left(mine.run_id), "what the sweep is to find"
        owner.kill()
        owner.wait()
    swept = remove_leftovers.sweep(Places(policy=tmp_path / "policy-rc.d"))
    assert eventually(lambda: left(mine.run_id) == []), left(mine.run_id)
    assert all(each.why_not is None for each in swept if each.run_id == mine.run_id)
