"""Another user who takes the names of runs in the folder of all users neither stops a run nor the sweep before it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from headtohead.execute.supervise_process_of_run import new_run
from headtohead.hosts import paths
from headtohead.hosts.supervise import remove_leftovers
from headtohead.hosts.supervise.remove_leftovers import Places
from tests.contract.bench import environment
from tests.hosts.nobody import as_nobody, open_folder

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user too"),
]
DEAD, OTHER = (paths.run_dir(paths.this_owner().run_id(number)).name for number in (8, 9))
"""Runs of a living owner, so that no other sweep here takes them; the tests' own view of /proc does not show it."""
NESTED = 1500
NEST = """
import os, sys
os.mkdir(sys.argv[1])
os.chdir(sys.argv[1])
for _ in range({nested}):
    os.mkdir("d")
    os.chdir("d")
"""
"""Deeper than Python recurses; made step by step, as the whole path would be too long."""


@pytest.fixture
def runs() -> Iterator[Path]:
    """Give a folder in which every user may make his own, as in /var/tmp."""
    with open_folder() as folder:
        folder.chmod(0o1777)
        yield folder
        subprocess.run(("rm", "--recursive", "--force", *map(str, folder.iterdir())), check=True)


def swept(runs: Path) -> list[tuple[str, str | None]]:
    """Return what a sweep of this folder alone removes, and why not."""
    proc = runs / "proc"
    proc.mkdir()
    found = remove_leftovers.sweep(Places(proc, runs / "policy-rc.d", runs / "journals", (runs,)))
    return [(Path(each.name).name, each.why_not) for each in found]


def nested(top: Path) -> tuple[str, ...]:
    return ("/usr/bin/python3", "-I", "-c", NEST.format(nested=NESTED), str(top))


def test_names_that_are_taken_in_advance_stop_no_run() -> None:
    here = environment()
    taken = [str(paths.run_dir(paths.this_owner().run_id(number))) for number in range(1, 301)]
    try:
        assert as_nobody("mkdir", "--", *taken).returncode == 0
        with new_run(here) as supervised:
            assert supervised.run_dir.is_dir()
            assert str(supervised.ours) not in taken
    finally:
        for each in taken:
            shutil.rmtree(each, ignore_errors=True)


def test_what_another_user_made_under_a_name_of_ours_is_left_alone(runs: Path) -> None:
    assert as_nobody(*nested(runs / DEAD)).returncode == 0
    ours = runs / OTHER
    ours.mkdir()

    assert swept(runs) == [(ours.name, None)]

    assert (runs / DEAD).is_dir()


def test_what_a_program_nested_too_deep_is_removed_all_the_same(runs: Path) -> None:
    ours = runs / DEAD
    subprocess.run(nested(ours), check=True, stdin=subprocess.DEVNULL)
    with pytest.raises((OSError, RecursionError)):
        shutil.rmtree(ours)
    assert sys.getrecursionlimit() < NESTED

    assert swept(runs) == [(ours.name, None)]

    assert not ours.exists()
