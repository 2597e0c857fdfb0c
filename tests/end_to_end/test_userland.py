"""A server in a userland, measured for real: where it runs, what is recorded, and that nothing is left or mounted."""

import json
import os
import random
import shutil
import signal
import time
from pathlib import Path

import pytest

from headtohead.cli.main import INTERRUPTED
from headtohead.hosts.local import LocalHost
from headtohead.hosts.software.subjects_user import USER, uid_of
from headtohead.hosts.software.userlands import place_of
from tests.contract.leftovers import left_behind, nothing
from tests.end_to_end.command import headtohead, started
from tests.last_attempts import last_attempts
from tests.tiny_userland import SOCKETS, make_tiny, why_none

GONE_WITHIN_S = 60.0
MOMENTS = int(os.environ.get("H2H_KILL_MOMENTS", "3"))
STUDY = """format = 1
title = "Two userlands"
seed = 7

[[experiment]]
name = "static-page"
question = "What does the userland change?"
workload = "static-page"
looks = [BLOCKS]

[experiment.factors]
subject = ["nginx"]
userland = ["host", "debian-12"]
cpus = [1]

[experiment.load]
loop = "open"
rate_per_s = 200
warm_up_s = 0.1
measure_s = 0.4
"""
WITH_CLIENT = """format = 1
title = "Two userlands"
seed = 7

[[experiment]]
name = "sockets"
question = "What does the userland change for a server whose client stays outside?"
workload = "socket-server"
looks = [2]

[experiment.factors]
subject = ["tbench"]
userland = ["host", "debian-12"]

[experiment.load]
clients = [2]
seconds = 2
"""

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can give programs another root"),
    pytest.mark.skipif(why_none() is not None, reason=why_none() or ""),
]


def mounted(lane: Path, owner: str) -> list[str]:
    """Return the mounts here that are of the runs of an owner, or show a cache: other tests mount things meanwhile."""
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    return [each for each in lines if lane.name in each or f"headtohead-{owner}" in each]


def roots_used(lane: Path) -> list[str]:
    """Return the processes whose program is a file of a userland in the cache."""
    found = []
    for each in Path("/proc").glob("[0-9]*/exe"):
        try:
            there = each.stat()
        except OSError:
            continue
        ours = lane.glob("userlands/*/root/usr/sbin/nginx")
        found += [
            each.parent.name for own in ours if (own.stat().st_dev, own.stat().st_ino) == (there.st_dev, there.st_ino)
        ]
    return found


def until_a_server_runs_in_it(lane: Path) -> None:
    began_s = time.monotonic()
    while not roots_used(lane):
        assert time.monotonic() - began_s < GONE_WITHIN_S
        time.sleep(0.05)


@pytest.fixture
def ready(lane: Path) -> Path:
    """Return a cache with the userland that the study names."""
    if uid_of(LocalHost()) is None:
        pytest.skip(f"there is no user {USER}: run setup")
    make_tiny(lane, level="debian-12", subject="nginx", user=USER)
    return lane


def test_a_server_runs_in_the_userland_and_the_results_name_it(ready: Path, tmp_path: Path) -> None:
    study, results = tmp_path / "userlands.toml", tmp_path / "results"
    study.write_text(STUDY.replace("BLOCKS", "2"))

    done = headtohead("run", study, "--results", results, lane=ready)

    assert done.returncode in (0, 3), done.stderr
    runs = last_attempts([json.loads(each.read_text()) for each in sorted(results.glob("*/runs/*/run.json"))])
    by = {level: [each for each in runs if each["treatment"]["userland"] == level] for level in ("host", "debian-12")}
    assert [len(each) for each in by.values()] == [2, 2], runs
    assert all(each["status"] == "valid" for each in runs), [each["reasons"] for each in runs]
    assert {each["read_back"].get("userland") for each in by["host"]} == {None}
    assert {each["read_back"]["userland"] for each in by["debian-12"]} == {"own"}
    (version,) = {each["versions"]["nginx"] for each in by["debian-12"]}
    assert "nginx/" in version
    assert "debian-12: libc6" in version
    kept = list(results.glob("*/runs/*/logs/userland.json"))
    named = [any(name.startswith("nginx:") for name in json.loads(each.read_text())["packages"]) for each in kept]
    assert len(named) >= 2
    assert all(named)
    (page,) = results.glob("*/report.md")
    assert "debian-12: libc6" in page.read_text()
    assert (mounted(ready, done.owner), roots_used(ready)) == ([], [])
    assert left_behind(done.owner, cache=ready) == nothing()


@pytest.mark.skipif(not Path(SOCKETS).exists(), reason=f"there is no {SOCKETS}")
def test_a_client_of_its_own_stays_outside_the_userland_of_its_server(lane: Path, tmp_path: Path) -> None:
    if uid_of(LocalHost()) is None:
        pytest.skip(f"there is no user {USER}: run setup")
    root = make_tiny(lane, level="debian-12", subject="tbench", user=USER).root
    study, results = tmp_path / "userlands.toml", tmp_path / "results"
    study.write_text(WITH_CLIENT)

    done = headtohead("run", study, "--results", results, "--tolerate-noise", lane=lane)

    assert done.returncode in (0, 3), done.stderr
    assert not list(root.glob("usr/bin/python3*")), "which the client needs"
    runs = last_attempts([json.loads(each.read_text()) for each in sorted(results.glob("*/runs/*/run.json"))])
    assert [each["status"] for each in runs] == ["valid"] * 4, [each["reasons"] for each in runs]
    where = {each["treatment"]["userland"]: each["read_back"].get("userland") for each in runs}
    assert where == {"host": None, "debian-12": "own"}
    assert left_behind(done.owner, cache=lane) == nothing()
    shutil.rmtree(lane / "userlands")


def test_nothing_is_left_or_mounted_when_a_study_with_a_userland_is_killed(ready: Path, tmp_path: Path) -> None:
    study, results = tmp_path / "userlands.toml", tmp_path / "results"
    study.write_text(STUDY.replace("BLOCKS", str(4 * MOMENTS)))
    rng = random.Random(63)
    for moment in range(MOMENTS):
        process = started(["run", study, "--results", results], lane=ready)
        if moment % 2 == 0:
            until_a_server_runs_in_it(ready)
        time.sleep(rng.uniform(0.0, 0.5) if moment % 2 == 0 else rng.uniform(1.0, 5.0))
        process.send_signal(signal.SIGKILL)
        process.wait(GONE_WITHIN_S)
        began_s = time.monotonic()
        while (found := left_behind(f"{process.pid}-", cache=ready)) != nothing() or roots_used(ready):
            assert time.monotonic() - began_s < GONE_WITHIN_S, (found, roots_used(ready))
            time.sleep(0.1)
        assert mounted(ready, f"{process.pid}-") == []
    shutil.rmtree(ready / "userlands")


def test_a_userland_that_was_changed_is_refused(ready: Path, tmp_path: Path) -> None:
    study = tmp_path / "userlands.toml"
    study.write_text(STUDY.replace("BLOCKS", "2"))
    status = place_of(ready, "debian-12", "nginx") / "root/var/lib/dpkg/status"
    status.write_text(status.read_text().replace("Version: ", "Version: 9"))

    done = headtohead("check", study, lane=ready)

    assert done.returncode not in (0, INTERRUPTED)
    assert "changed since it was made" in " ".join((done.stdout + done.stderr).split())
