"""Programs that work on files: spoiled content, a disk that is full or cannot be read, nothing written elsewhere."""

import os
import pwd
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from headtohead.cli.this_machine import environment_here
from headtohead.describe.home import Home
from headtohead.execute.run import carry_out_run
from headtohead.hosts import paths
from tests.contract.bench import Pair, need, one_run, pairs, question, study_text
from tests.contract.disks import MIB, failing_disk, losing
from tests.contract.homes import HOME, home_with
from tests.contract.leftovers import left_by_us, nothing
from tests.contract.test_databases import FULL, disk

PAIRS = {str(each): each for each in pairs(HOME) if each.workload.disk_mib}
ROOM_BYTES = 12 * MIB
"""Less than any of them writes."""
ELSEWHERE = (Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"))
"""Where every user may write."""

pytestmark = pytest.mark.real


def short_text(pair: Pair) -> str:
    """Return a study of one run of one case of a pair, on as little as shows what it does."""
    fields = {
        "seconds": "2",
        "access": '["buffered"]',
        "operation": '["write"]',
        "processes": "[1]",
        "clients": "[2]",
        "size_mib": "64",
    }
    asked = {**pair.workload.load.cases, **pair.workload.load.settings}
    lines = study_text(pair).splitlines()
    kept = [line for line in lines if line.partition(" =")[0] not in fields]
    return "\n".join([*kept, *(f"{name} = {value}" for name, value in fields.items() if name in asked)])


@contextmanager
def runs_on(size_bytes: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Have the runs take place on a small disk, on which nothing of them may stay."""
    with disk(size_bytes) as runs:
        monkeypatch.setattr(paths, "RUNS", runs)
        yield runs
        assert list(runs.iterdir()) == []


def there() -> set[Path]:
    """Return what the user of subjects has where every user may write, but for runs: others may have some."""
    user = environment_here().user
    owner = os.geteuid() if user is None else pwd.getpwnam(user).pw_uid
    found = {path for folder in ELSEWHERE for path in folder.iterdir() if not path.name.startswith("headtohead-")}
    return {path for path in found if path.lstat().st_uid == owner}


@pytest.mark.parametrize("pair", PAIRS.values(), ids=str)
def test_a_disk_that_becomes_full_fails_the_run_which_says_so(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need(*pair.subjects)
    with runs_on(ROOM_BYTES, monkeypatch):
        monkeypatch.setattr(carry_out_run, "check_free_space", lambda *_, **__: None)  # it would say so before

        recorded = one_run(question(short_text(pair), tmp_path), tmp_path)

    assert recorded.run.status == "failed"
    told = recorded.run.reasons[-1]  # one that failed at once may not have been read back: that is told before
    assert pair.subject.name in told
    assert re.search(FULL, told), recorded.run.reasons
    assert left_by_us() == nothing()


@pytest.mark.parametrize("pair", PAIRS.values(), ids=str)
def test_without_room_nothing_is_started_and_the_run_says_what_is_missing(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need(*pair.subjects)
    with runs_on(ROOM_BYTES, monkeypatch):
        recorded = one_run(question(short_text(pair), tmp_path), tmp_path)

    assert recorded.run.status == "failed"
    assert "There is no room for the files that this run works on" in recorded.run.reasons[0]
    assert recorded.run.phases == ()


@pytest.mark.alone  # whoever else measures may write there
def test_nothing_is_written_outside_the_run_directory_and_its_disk_is_told(tmp_path: Path) -> None:
    pair = PAIRS["dbench under file-server"]
    need(*pair.subjects)
    before = there()

    recorded = one_run(question(short_text(pair), tmp_path), tmp_path)

    new = {path for path in there() - before if not path.is_relative_to(tmp_path) and not tmp_path.is_relative_to(path)}
    assert new == set()
    assert (recorded.run.status, recorded.run.reasons) == ("valid", ())
    told = {each.name.partition(": ")[2]: each.value for each in recorded.configuration}
    assert re.fullmatch(r"\d+ GiB", told["free space"])
    assert {"file system", "device", "mount options", "I/O scheduler"} <= told.keys()


def home_with_fio_changed(tmp_path: Path, line: str, instead: str) -> Home:
    """Return the content with a subject ``changed``: fio with one line of its program replaced."""
    text = (HOME.subjects / "fio" / "subject.toml").read_text()
    home = home_with(tmp_path, "changed", text.replace('"fio"\n', '"changed"\n', 1))
    for name in ("parse.py", "stream.py"):
        shutil.copy(HOME.subjects / "fio" / name, home.subjects / "changed")
    program = home.subjects / "changed" / "stream.py"
    assert program.read_text().count(line) == 1
    program.write_text(program.read_text().replace(line, instead))
    return home


def test_a_byte_spoiled_behind_the_back_of_fio_is_a_wrong_answer(tmp_path: Path) -> None:
    pair = PAIRS["fio under file-stream"]
    need(*pair.subjects)
    timed = "        to_ns = time.monotonic_ns()\n"
    spoil = (
        '        with files[0].open("r+b") as file:\n            file.seek(5_000_001)\n            file.write(b"X")\n'
    )
    home = home_with_fio_changed(tmp_path, timed, timed + spoil)
    asked = short_text(pair).replace('name = "fio"', 'name = "changed"')

    recorded = one_run(question(asked, tmp_path, home=home), tmp_path)

    assert recorded.run.status == "invalid"
    assert any("other content than was written" in each and "stream.0" in each for each in recorded.run.reasons)
    assert left_by_us() == nothing()


def test_a_disk_that_cannot_be_read_any_more_fails_the_run_in_the_kernels_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = PAIRS["fio under file-stream"]
    need(*pair.subjects)
    before = "        from_ns = time.monotonic_ns()\n"
    home = home_with_fio_changed(tmp_path, before, f"        time.sleep(2)\n{before}")  # time for the disk to fail
    asked = short_text(pair).replace('name = "fio"', 'name = "changed"').replace('["write"]', '["read"]')
    with failing_disk(96 * MIB) as lies_on:
        monkeypatch.setattr(paths, "RUNS", lies_on.place)
        monkeypatch.setattr(carry_out_run, "check_free_space", lambda *_, **__: None)  # there is room, but not to spare
        with losing(lies_on, "stream.0", size_bytes=64 * MIB, from_bytes=48 * MIB) as lost:
            recorded = one_run(question(asked, tmp_path, home=home), tmp_path)

    assert lost
    assert recorded.run.status == "failed"
    assert "changed ended with 1" in recorded.run.reasons[-1]
    assert "Input/output error" in recorded.run.reasons[-1]
    assert left_by_us() == nothing()
