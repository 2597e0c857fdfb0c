"""What `run --bench` refuses: one error that names the machine, before anything starts on any of them."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from headtohead.hosts.ssh.open_host import ssh_host
from headtohead.hosts.ssh.session import Session
from tests.rig.build import Rig, rig, why_no_rig
from tests.rig.desk import covered, done, ran_study, run_study, with_study

WHY_NOT = why_no_rig()
pytestmark = [pytest.mark.real, pytest.mark.skipif(WHY_NOT is not None, reason=f"no rig: {WHY_NOT}")]
AN_HOUR_LATE = """
import sys, time
from headtohead.cli.main import main
real = time.time_ns
time.time_ns = lambda: real() - 3600 * 10**9
sys.argv = ["headtohead", *sys.argv[1:]]
main()
"""
Spoiled = Callable[[Rig], contextlib.AbstractContextManager[None]]


@pytest.fixture(scope="module")
def lab() -> Iterator[Rig]:
    with rig(servers=1, drivers=1) as made:
        yield with_study(made, look=6, subject="nginx")


def refused(lab: Rig, results: Path, *, by: tuple[str, ...] = ()) -> str:
    """Run the study, perhaps ``by`` other words of Python; return the error. Nothing was made, here or there."""
    ended = done(run_study(lab, results, by=by)) if by else ran_study(lab, results)
    assert ended.returncode != 0
    assert ended.stderr.count("error: ") == 1, ended.stderr
    assert "Traceback" not in ended.stderr
    assert not results.exists()
    for name in lab.machines:
        assert list((lab.folder / name / "tmp").iterdir()) == []
    return " ".join(ended.stderr.split())


@contextlib.contextmanager
def replaced(path: Path, old: str, new: str) -> Iterator[None]:
    """Change a text of the desk while a study is tried."""
    before = path.read_text()
    assert old in before
    path.write_text(before.replace(old, new))
    try:
        yield
    finally:
        path.write_text(before)


def without_nginx() -> str:
    """Return the package list of this machine, on which nginx is not installed."""
    parts = Path("/var/lib/dpkg/status").read_text().split("\n\n")
    return "\n\n".join(each for each in parts if not each.startswith("Package: nginx"))


def test_an_unknown_key_a_wrong_user_another_architecture_or_a_missing_package(lab: Rig, tmp_path: Path) -> None:
    results, bench = tmp_path / "results", lab.bench_file
    with replaced(lab.folder / "known_hosts", lab.addresses["driver1"], "192.0.2.99"):
        said = refused(lab, results)
        assert "driver1" in said
        assert "host key is not known" in said
    with replaced(bench, 'ssh = "server1"', 'ssh = "stranger@server1"'):
        assert "stranger@server1" in (said := refused(lab, results))
        assert "lets this user in by none of the keys" in said
    with covered(lab, "driver1", "/usr/bin/uname", '#!/bin/sh\n[ "$1" = -s ] && echo Linux || echo riscv64\n'):
        assert "driver1" in (said := refused(lab, results))
        assert "riscv64" in said
    with covered(lab, "server1", "/var/lib/dpkg/status", without_nginx()):
        assert "nginx is not installed" in refused(lab, results)


def test_a_clock_that_is_far_off_a_full_disk_or_a_driver_that_measures_already(lab: Rig, tmp_path: Path) -> None:
    results = tmp_path / "results"
    assert "3600 s ahead of ours" in refused(lab, results, by=("-c", AN_HOUR_LATE))
    driver = lab.machines["driver1"]
    driver.run("mount", "-t", "tmpfs", "-o", "size=64k", "full", "/var/cache/headtohead")
    try:
        said = refused(lab, results)
        assert "driver1" in said
        assert "full" in said
    finally:
        driver.run("umount", "/var/cache/headtohead")
    with (
        ssh_host("driver1", "driver1", ssh=lab.ssh) as host,
        Session(host, study="another.toml", since="2026-11-24 09:00 UTC", user="ann@desk"),
    ):
        said = refused(lab, results)
    assert "on the host driver1" in said
    assert "another.toml has been measured by ann@desk" in said
