import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from headtohead.hosts import paths, processes
from headtohead.hosts.cache_locks import measuring
from headtohead.hosts.supervise import remove_leftovers
from headtohead.hosts.supervise.remove_leftovers import Places, Swept
from headtohead.model.errors import BusyError

pytestmark = pytest.mark.real
ENDED_WITHIN_S = 60.0
SLEEP = (sys.executable, "-c", "import time; time.sleep(60)")
# An owner that lives, so that no other sweep on this machine takes these tests' processes; the tests' own view of
# /proc does not show it, so to them it is dead.
DEAD = paths.this_owner().run_id(9)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    for name in ("runs", "proc"):
        (tmp_path / name).mkdir()
    mounted_at(tmp_path / "proc", ())
    return Places(tmp_path / "proc", tmp_path / "policy-rc.d", tmp_path / "journals", (tmp_path / "runs",))


def mounted_at(proc: Path, hierarchies: Sequence[Path]) -> None:
    """Let a view of /proc show these hierarchies of control groups alone: in the machine's own, others may measure."""
    (proc / "self").mkdir(exist_ok=True)
    (proc / "self" / "mounts").write_text("".join(f"cgroup {each} cgroup rw 0 0\n" for each in hierarchies))


def show(places: Places, pid: int) -> None:
    (places.proc / str(pid)).symlink_to(f"/proc/{pid}")


@contextlib.contextmanager
def sleeping(places: Places, *, owner: str | None = None, cwd: Path | None = None) -> Iterator[subprocess.Popen[bytes]]:
    env = dict(os.environ) | ({"HEADTOHEAD_OWNER": owner} if owner else {})
    with subprocess.Popen(SLEEP, env=env, cwd=cwd, start_new_session=True) as process:
        show(places, process.pid)
        _await_python(process.pid)
        try:
            yield process
        finally:
            process.kill()


def _await_python(pid: int) -> None:
    """Wait until the child has been executed: before that its environment is ours."""
    deadline = time.monotonic() + ENDED_WITHIN_S
    while time.monotonic() < deadline and b"time.sleep" not in Path(f"/proc/{pid}/cmdline").read_bytes():
        time.sleep(0.01)


def test_processes_of_a_dead_owner_are_ended(places: Places) -> None:
    with sleeping(places, owner=DEAD) as left:
        swept = remove_leftovers.sweep(places)
        assert left.wait(timeout=ENDED_WITHIN_S) == -signal.SIGKILL
    assert [(each.kind, each.run_id) for each in swept] == [("process", DEAD)]


def test_processes_of_a_living_owner_are_never_touched(places: Places) -> None:
    alive = paths.this_owner().run_id(1)
    show(places, os.getpid())
    folder = places.folders[0] / f"headtohead-{alive}"
    folder.mkdir()
    with sleeping(places, owner=alive, cwd=folder) as ours:
        assert remove_leftovers.sweep(places) == ()
        assert ours.poll() is None
    assert folder.is_dir()


def test_a_process_that_works_in_a_left_directory_is_ended_and_the_directory_removed(places: Places) -> None:
    folder = places.folders[0] / f"headtohead-{DEAD}"
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "table").write_text("rows")
    with sleeping(places, cwd=folder / "data") as left:
        swept = remove_leftovers.sweep(places)
        assert left.wait(timeout=ENDED_WITHIN_S) == -signal.SIGKILL
    assert [each.kind for each in swept] == ["process", "directory"]
    assert not folder.exists()


@contextlib.contextmanager
def supervising(places: Places, folder: Path, *, seconds: float) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program whose command line is that of a supervise, for a while."""
    (folder / "supervise").write_text(f"import time; time.sleep({seconds})")
    argv = ["h2h-probe", "supervise", "--id", DEAD]
    with subprocess.Popen(argv, executable=sys.executable, cwd=folder, start_new_session=True) as process:
        show(places, process.pid)
        deadline = time.monotonic() + ENDED_WITHIN_S
        while processes.run_of_supervise(process.pid, paths.PROC) != DEAD and time.monotonic() < deadline:
            time.sleep(0.01)
        try:
            yield process
        finally:
            process.kill()


def test_a_supervise_that_is_ending_its_run_is_waited_for(places: Places, tmp_path: Path) -> None:
    with supervising(places, tmp_path, seconds=0.3) as ending:
        assert remove_leftovers.sweep(places, patience_s=30) == ()
        assert ending.wait(timeout=ENDED_WITHIN_S) == 0


def test_a_supervise_that_does_not_end_is_ended(places: Places, tmp_path: Path) -> None:
    with supervising(places, tmp_path, seconds=60) as hung:
        swept = remove_leftovers.sweep(places, patience_s=0.1)
        assert hung.wait(timeout=ENDED_WITHIN_S) == -signal.SIGKILL
    assert [each.kind for each in swept] == ["process"]


def test_a_process_without_any_sign_is_not_ours(places: Places) -> None:
    with sleeping(places) as other:
        assert remove_leftovers.sweep(places) == ()
        assert other.poll() is None


@pytest.mark.parametrize(
    "name",
    ["headtohead", "headtohead-notes", "headtohead-1-2", f"other-{DEAD}", f"headtohead-{DEAD}-x"],
    ids=["no owner", "a word", "half an owner", "another program's", "more than an owner"],
)
def test_directories_of_other_names_are_kept(places: Places, name: str) -> None:
    (places.folders[0] / name).mkdir()
    assert remove_leftovers.sweep(places) == ()
    assert (places.folders[0] / name).is_dir()


def test_a_link_is_removed_and_what_it_points_to_is_kept(places: Places, tmp_path: Path) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "file").touch()
    link = places.folders[0] / f"headtohead-{DEAD}"
    link.symlink_to(tmp_path / "precious")
    assert [each.kind for each in remove_leftovers.sweep(places)] == ["directory"]
    assert not link.is_symlink()
    assert (tmp_path / "precious" / "file").exists()


def test_a_log_that_a_run_left_is_removed_as_a_file(places: Places) -> None:
    log = places.folders[0] / f"headtohead-{DEAD}.log"
    log.touch()
    assert [(each.kind, each.name) for each in remove_leftovers.sweep(places)] == [("file", str(log))]
    assert not log.exists()


def test_what_is_swept_reads_as_a_sentence_part() -> None:
    assert str(Swept("process", "812 (nginx)", DEAD)) == f"process 812 (nginx) of run {DEAD}"
    assert str(Swept("cgroup", "/x", DEAD, "Busy")) == f"cgroup /x of run {DEAD}: not removed (Busy)"


def test_a_working_copy_of_prepared_data_is_swept_and_the_kept_one_stays(places: Places, tmp_path: Path) -> None:
    prepared = tmp_path / "cache" / "prepared"
    for name in (f"headtohead-{DEAD}", "mariadb-0123456789abcdef"):
        (prepared / name).mkdir(parents=True)

    found = Places(places.proc, places.policy, places.journals, remove_leftovers.cache_folders(tmp_path / "cache"))
    swept = remove_leftovers.sweep(found)

    assert [(each.kind, each.name) for each in swept] == [("directory", str(prepared / f"headtohead-{DEAD}"))]
    assert [each.name for each in prepared.iterdir()] == ["mariadb-0123456789abcdef"]


def test_caches_are_cleaned_only_on_request_and_never_under_a_measurement(places: Places, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    (cache / "bin").mkdir(parents=True)
    assert remove_leftovers.clean(places, cache=cache) == ()
    with measuring(paths.lock_path(cache), study="first", since="now"), pytest.raises(BusyError):
        remove_leftovers.clean(places, caches=True, cache=cache)
    assert [each.kind for each in remove_leftovers.clean(places, caches=True, cache=cache)] == ["cache"]
    assert [each.name for each in cache.iterdir()] == ["measuring"]


def _hierarchy() -> Path | None:
    writable = (each for each in remove_leftovers.cgroup_mounts(paths.PROC) if os.access(each, os.W_OK))
    return next(writable, None)


@pytest.mark.skipif(_hierarchy() is None, reason="control groups cannot be made here")
def test_control_groups_of_a_dead_owner_are_emptied_and_removed(places: Places) -> None:
    hierarchy = _hierarchy()
    assert hierarchy is not None
    own = hierarchy / f"headtohead-sweep-test-{os.getpid()}"
    group = own / f"headtohead-{DEAD}-subject"
    mounted_at(places.proc, (own,))
    try:
        (group / "inner").mkdir(parents=True)
        with sleeping(places) as left:
            try:
                (group / "inner" / "cgroup.procs").write_text(str(left.pid))
            except OSError as refused:
                pytest.skip(f"a process cannot be moved there: {refused.strerror}")
            swept = remove_leftovers.sweep(places)
            assert left.wait(timeout=ENDED_WITHIN_S) == -signal.SIGKILL
    finally:
        for each in (group / "inner", group, own):
            with contextlib.suppress(FileNotFoundError):
                each.rmdir()
    assert [(each.kind, each.why_not) for each in swept] == [("process", None), ("cgroup", None)]
    assert not group.exists()
