import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from headtohead.hosts.cache_locks import making, measuring
from headtohead.hosts.file_owners import name_of
from headtohead.model.errors import BusyError, HostError
from tests.hosts.nobody import as_nobody, open_folder

HOLD = (
    "import sys, pathlib\n"
    "from headtohead.hosts.cache_locks import measuring\n"
    "with measuring(pathlib.Path(sys.argv[1]), study='first', since='10:02'):\n"
    "    print('held', flush=True)\n"
    "    sys.stdin.read()\n"
)
MAKE = (
    "import sys, pathlib, time\n"
    "from headtohead.hosts.cache_locks import making\n"
    "made = pathlib.Path(sys.argv[1])\n"
    "with making(made):\n"
    "    if not made.exists():\n"
    "        time.sleep(0.3)\n"
    "        made.mkdir()\n"
    "        print('made')\n"
)


only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user too")


@pytest.fixture
def place() -> Iterator[Path]:
    """Give a folder of ours that every user may enter, as a cache is."""
    with open_folder() as folder:
        yield folder


def test_the_second_measurement_is_told_who_holds_the_lock(tmp_path: Path) -> None:
    lock = tmp_path / "cache" / "measuring" / "lock"
    with measuring(lock, study="first", since="10:02"), pytest.raises(BusyError) as caught:  # noqa: SIM117
        with measuring(lock, study="second", since="10:03"):
            pass
    assert f"first has been measured by process {os.getpid()} of user {name_of(None)} since 10:02" in caught.value.why


def test_a_measurement_may_wait_for_the_end_of_another(tmp_path: Path) -> None:
    lock, shown = tmp_path / "lock", list[str]()
    argv = [sys.executable, "-c", HOLD, str(lock)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"

        def end(text: str) -> None:
            shown.append(text)
            holder.kill()

        with measuring(lock, study="second", since="now", waiting=end):
            assert holder.wait() < 0

    assert [each for each in shown if f"first has been measured by process {holder.pid}" in each] == shown != []


def test_the_lock_is_free_again_afterwards(tmp_path: Path) -> None:
    for study in ("first", "second"):
        with measuring(tmp_path / "lock", study=study, since="now"):
            pass


def test_a_killed_holder_holds_nothing(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    argv = [sys.executable, "-c", HOLD, str(lock)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(BusyError, match=str(holder.pid)), measuring(lock, study="second", since="now"):
            pass
        holder.kill()
    with measuring(lock, study="third", since="now"):
        pass


def test_of_several_processes_one_makes_what_all_use(tmp_path: Path) -> None:
    argv = [sys.executable, "-c", MAKE, str(tmp_path / "datasets" / "pages")]
    (tmp_path / "datasets").mkdir()
    makers = [subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    printed = [each.communicate()[0] for each in makers]

    assert sorted(printed) == ["", "", "", "made\n"]
    assert [each.returncode for each in makers] == [0] * 4
    assert (tmp_path / "datasets" / ".locks" / "pages").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("left", ["", "{}", "[1]", '"text"', "\0\0"])
def test_a_holder_who_left_no_words_is_busy_all_the_same(tmp_path: Path, left: str) -> None:
    lock = tmp_path / "lock"
    with measuring(lock, study="first", since="now"):
        lock.write_text(left)
        with pytest.raises(BusyError, match="a study has been measured"), measuring(lock, study="second", since="now"):
            pass


@pytest.mark.parametrize("umask", [0o022, 0o000])
def test_the_lock_and_its_folder_are_ours_alone(tmp_path: Path, umask: int) -> None:
    lock = tmp_path / "cache" / "measuring" / "lock"
    before = os.umask(umask)
    try:
        with measuring(lock, study="first", since="now"):
            modes = [stat.S_IMODE(each.stat().st_mode) for each in (lock.parent, lock)]
    finally:
        os.umask(before)
    assert modes == [0o700, 0o600]


def test_a_lock_that_others_could_open_is_closed_to_them(tmp_path: Path) -> None:
    lock = tmp_path / "measuring" / "lock"
    lock.parent.mkdir(mode=0o755)
    lock.touch(mode=0o644)
    with measuring(lock, study="first", since="now"):
        assert [stat.S_IMODE(each.stat().st_mode) for each in (lock.parent, lock)] == [0o700, 0o600]


@pytest.mark.parametrize("named", ["lock", "folder"])
def test_a_link_in_place_of_the_lock_or_its_folder_is_refused(tmp_path: Path, named: str) -> None:
    folder, target = tmp_path / "measuring", tmp_path / "target"
    if named == "lock":
        folder.mkdir()
        target.write_text("precious")
        (folder / "lock").symlink_to(target)
    else:
        target.mkdir()
        folder.symlink_to(target)

    with pytest.raises(HostError, match="cannot be used"), measuring(folder / "lock", study="first", since="now"):
        pass

    assert not target.is_file() or target.read_text() == "precious"


@only_root
def test_no_other_user_can_hold_the_lock(place: Path) -> None:
    lock = place / "cache" / "measuring" / "lock"
    with measuring(lock, study="first", since="now"):
        pass
    for entered in (False, True):
        if entered:
            lock.parent.chmod(0o755)  # the file keeps others out on its own
        tried = as_nobody("flock", "--nonblock", str(lock), "true")
        assert "Permission denied" in tried.stderr, tried
    assert lock.is_file()
    with measuring(lock, study="second", since="now"):
        pass


@only_root
def test_a_folder_that_another_user_made_first_is_refused_by_name(place: Path) -> None:
    place.chmod(0o1777)
    lock = place / "measuring" / "lock"
    assert as_nobody("mkdir", str(lock.parent)).returncode == 0
    with pytest.raises(HostError) as caught, measuring(lock, study="first", since="now"):
        pass
    assert "It belongs to the user nobody" in caught.value.why


def test_a_link_in_place_of_the_lock_of_what_is_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".locks").mkdir()
    (tmp_path / ".locks" / "pages").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(HostError, match="cannot be used"), making(tmp_path / "pages"):
        pass

    assert not (tmp_path / "elsewhere").exists()
