"""Files change hands without a program's user being able to get at what is not his."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from headtohead.hosts import file_owners

USER = "nobody"
pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to another user"),
]
RACER = """
import os, sys
top, victim = sys.argv[1:]
print("begun", flush=True)
while True:
    for name in ("a", "b", "c"):
        try:
            os.rename(f"{top}/{name}", f"{top}/.{name}")
            os.symlink(victim, f"{top}/{name}")
            os.unlink(f"{top}/{name}")
            os.rename(f"{top}/.{name}", f"{top}/{name}")
        except OSError:
            pass
"""


@pytest.fixture
def place() -> Iterator[Path]:
    """Give a folder of root's that every user may enter."""
    folder = Path(f"/var/tmp/owners-{os.getpid()}")
    folder.mkdir(mode=0o755)
    yield folder
    shutil.rmtree(folder)


def user_id() -> int:
    return pwd.getpwnam(USER).pw_uid


def ends(act: str) -> int:
    """Return the exit status of a shell's line, run as the user."""
    argv = ("/bin/sh", "-c", act)
    return subprocess.run(
        argv, check=False, user=USER, group="nogroup", extra_groups=(), capture_output=True
    ).returncode


def tree(top: Path) -> Path:
    for name in ("a", "b", "c"):
        (top / name).mkdir(parents=True)
        (top / name / "file").write_text("plain")
    return top


def test_a_racing_user_never_gets_a_file_of_ours(place: Path) -> None:
    victim = place / "victim"
    (victim).mkdir()
    (victim / "file").write_text("ours")
    top = place / "top"
    command = ("/usr/bin/python3", "-c", RACER, str(top), str(victim))
    with subprocess.Popen(command, user=USER, group="nogroup", stdout=subprocess.PIPE) as racer:
        try:
            assert racer.stdout is not None
            assert racer.stdout.readline() == b"begun\n"
            for _ in range(200):
                file_owners.give_tree(USER, tree(top))
                assert (victim / "file").stat().st_uid == 0
                file_owners.take_tree(top)
                assert top.stat().st_uid == 0
                shutil.rmtree(top)
        finally:
            racer.kill()


def test_a_whole_tree_is_given_and_taken_with_its_links_and_not_what_they_lead_to(place: Path) -> None:
    top = tree(place / "top")
    target = place / "target"
    target.write_text("ours")
    (top / "a" / "link").symlink_to(target)

    file_owners.give_tree(USER, top)
    given = {path.lstat().st_uid for path in (top, *top.rglob("*"))}
    file_owners.take_tree(top)
    taken = {path.lstat().st_uid for path in (top, *top.rglob("*"))}

    assert (given, taken) == ({user_id()}, {0})
    assert target.stat().st_uid == 0
    assert top.stat().st_mode & 0o777 == 0o700


def test_what_is_shared_can_be_read_and_run_and_not_changed(place: Path) -> None:
    top = tree(place / "top")
    key, program = top / "a" / "key.pem", top / "a" / "program"
    for path, mode in ((key, 0o600), (program, 0o755)):
        path.write_text("#!/bin/sh\necho ran\n")
        path.chmod(mode)

    file_owners.share_tree(USER, top)

    group = pwd.getpwnam(USER).pw_gid
    assert {(path.stat().st_uid, path.stat().st_gid) for path in (top, *top.rglob("*"))} == {(0, group)}
    acts = (f"cat {key}", str(program), f"echo >> {program}", f"rm {program}", f"touch {top}/new")
    tried = {act: ends(act) for act in acts}
    assert [code == 0 for code in tried.values()] == [True, True, False, False, False]
    assert key.stat().st_mode & 0o777 == 0o640


def test_without_root_nothing_changes_hands(place: Path) -> None:
    top = tree(place / "top")
    file_owners.give_tree(None, top)
    file_owners.share_tree(None, top)
    assert {path.stat().st_uid for path in (top, *top.rglob("*"))} == {0}
    assert top.stat().st_mode & 0o777 == 0o755
