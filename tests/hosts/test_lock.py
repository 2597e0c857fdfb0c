import subprocess
import sys
from pathlib import Path

import pytest

from headtohead.hosts.lock import making, measuring
from headtohead.model.errors import BusyError, HostError

HOLD = (
    "import sys, pathlib\n"
    "from headtohead.hosts.lock import measuring\n"
    "with measuring(pathlib.Path(sys.argv[1]), study='first', since='10:02'):\n"
    "    print('held', flush=True)\n"
    "    sys.stdin.read()\n"
)
MAKE = (
    "import sys, pathlib, time\n"
    "from headtohead.hosts.lock import making\n"
    "made = pathlib.Path(sys.argv[1])\n"
    "with making(made):\n"
    "    if not made.exists():\n"
    "        time.sleep(0.3)\n"
    "        made.mkdir()\n"
    "        print('made')\n"
)


def test_the_second_measurement_is_told_who_holds_the_lock(tmp_path: Path) -> None:
    lock = tmp_path / "cache" / "measuring.lock"
    with measuring(lock, study="first", since="10:02"), pytest.raises(BusyError) as caught:  # noqa: SIM117
        with measuring(lock, study="second", since="10:03"):
            pass
    assert "first has been measured by process" in caught.value.why
    assert "10:02" in caught.value.why


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
    assert (tmp_path / "datasets" / "pages.lock").stat().st_mode & 0o777 == 0o600


def test_a_link_in_place_of_the_lock_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pages.lock").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(HostError, match="cannot be opened"), making(tmp_path / "pages"):
        pass

    assert not (tmp_path / "elsewhere").exists()
