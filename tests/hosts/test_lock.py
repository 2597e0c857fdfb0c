import subprocess
import sys
from pathlib import Path

import pytest

from headtohead.hosts.lock import measuring
from headtohead.model.errors import BusyError

HOLD = (
    "import sys, pathlib\n"
    "from headtohead.hosts.lock import measuring\n"
    "with measuring(pathlib.Path(sys.argv[1]), study='first', since='10:02'):\n"
    "    print('held', flush=True)\n"
    "    sys.stdin.read()\n"
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
