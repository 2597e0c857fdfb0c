"""Copies of prepared data that go wrong, have no room, or must not be in memory: each run says so, others go on."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from headtohead.execute.data import copy_remove_evict_folders
from headtohead.execute.data.copy_remove_evict_folders import evict
from headtohead.execute.pages.request_page import Answer
from headtohead.execute.prepare.prepared_data import check_copies
from headtohead.hosts import paths
from headtohead.hosts.fake.script import Outcome
from headtohead.store import read
from headtohead.store.write import mark_invalid
from tests.execute.laboratory import Laboratory, fake_affinity, tiny_home, tiny_page, tiny_program
from tests.execute.needing import NEEDS, pristine, with_store, without


def test_what_could_not_be_prepared_fails_its_own_runs_and_no_others(laboratory: Laboratory) -> None:
    told: list[str] = []
    laboratory.study_context.show = told.append
    laboratory.script.program = lambda launch: (
        Outcome(takes_s=0.1, stderr="No space left on device\n", code=1)
        if launch.name == "load"
        else tiny_program(launch)
    )
    place = laboratory.prepared()
    lost, other = with_store(place), next(number for number in (1, 2, 3) if without(place, number))

    assert "No space left on device" in place.run(lost).run.reasons[0]
    assert place.run(other).run.status == "valid"
    assert sum("No space left on device" in each for each in told) == 1


def test_a_working_copy_that_changed_is_found_at_the_end(laboratory: Laboratory) -> None:
    place = laboratory.prepared()
    number = with_store(place)
    place.run(number)
    assert check_copies(place.study_context, place.plan) == {}

    place.script.program = lambda launch: (
        Outcome(takes_s=0.1, stdout="rows\t31\n") if launch.name == "check" else tiny_program(launch)
    )
    place.study_context.copies.taken.clear()
    struck = check_copies(place.study_context, place.plan)
    mark_invalid(place.layout, number, reason=struck[number])

    assert list(struck) == [number]
    assert read.recorded(place.layout, number).run.status == "invalid"
    (reason,) = read.recorded(place.layout, number).run.reasons
    assert reason.startswith("data-changed: ")
    assert "store does not hold the data set" in reason


def test_room_is_asked_for_before_data_are_prepared(laboratory: Laboratory, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1024))

    found = laboratory.prepared().run(with_store(laboratory))

    assert "There is no room for store's copy of tiny" in found.run.reasons[0]


def test_a_disk_that_is_full_when_data_are_copied_fails_the_run(
    laboratory: Laboratory, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = laboratory.prepared()

    def full(source: Path, target: Path, **_: object) -> None:
        target.mkdir()
        raise shutil.Error([(str(source / "table"), str(target / "table"), "[Errno 28] No space left on device")])

    monkeypatch.setattr(shutil, "copytree", full)
    found = place.run(with_store(place))

    assert found.run.status == "failed"
    assert "No space left on device" in found.run.reasons[0]
    assert place.study_context.copies.made == {}


def test_a_failed_run_leaves_a_copy_that_no_other_starts_on(laboratory: Laboratory) -> None:
    place, first = laboratory.prepared(), with_store(laboratory)
    place.pages = lambda _: Answer(200, b"another page")
    found = place.run(first)

    assert found.run.status == "failed"
    assert list(place.study_context.copies.in_order()) == []


def test_a_copy_is_made_anew_after_an_unclean_stop(laboratory: Laboratory) -> None:
    place, first, second = laboratory.prepared(), *[each for each in range(1, 5) if not without(laboratory, each)][:2]
    place.script.answer = lambda asked, answer: {**answer, "killed": True} if asked["do"] == "stop" else answer
    found = place.run(first)
    (working,) = place.study_context.copies.made.values()
    (working / "table").write_text("half a row")
    place.script.answer = lambda _, answer: answer
    place.run(second)

    assert found.run.usage["stopped_in_time"] == 0.0
    assert (working / "table").read_text() == "rows"


def test_copies_are_made_again_if_what_would_remove_them_was_killed(laboratory: Laboratory) -> None:
    place, first, second = laboratory.prepared(), *[each for each in range(1, 5) if not without(laboratory, each)][:2]
    place.run(first)
    (before,) = place.study_context.copies.made.values()
    (keeper,) = [each for each in place.host.supervises if before.parent in each.owned]
    keeper.dead = True
    found = place.run(second)
    (after,) = place.study_context.copies.made.values()

    assert found.run.status == "valid"
    assert not before.parent.exists()
    assert [each.dead for each in place.host.supervises if after.parent in each.owned] == [False]


def test_a_limit_on_memory_holds_for_the_subject_and_is_read_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_affinity(monkeypatch)
    text = NEEDS.replace("cpus = [1]", "cpus = [1]\nmemory_mib = [512]")
    place = Laboratory(text, tmp_path, home=tiny_home(tmp_path), pages=tiny_page)
    place.script.program = tiny_program
    forgotten: list[Path] = []
    monkeypatch.setattr(copy_remove_evict_folders, "evict", forgotten.append)
    with place.study_context:
        found = place.prepared().run(with_store(place))

    (*_, groups) = (each.groups for each in place.host.supervises if each.programs)
    assert (groups["subject"]["memory_mib"], groups["driver"]["memory_mib"]) == (512, None)
    assert found.run.read_back["memory_mib"] == 512
    assert {each.name for each in forgotten} >= {pristine(place).name}


@pytest.fixture
def on_disk() -> Iterator[Path]:
    """Yield a folder where copies of runs are: the tests' own folders may be in memory."""
    with tempfile.TemporaryDirectory(prefix="h2h-", dir=paths.RUNS) as folder:
        yield Path(folder)


def test_what_the_kernel_holds_of_a_copy_is_forgotten(on_disk: Path) -> None:
    if shutil.which("fincore") is None:
        pytest.skip("not installed: fincore (util-linux)")
    (on_disk / "copy").mkdir()
    table = on_disk / "copy" / "table"
    table.write_bytes(b"x" * 10_000_000)
    held = held_bytes(table)

    evict(on_disk / "copy")

    assert held > 9_000_000
    if held_bytes(table) == held:
        pytest.skip("this file system keeps what it has in memory")
    assert held_bytes(table) == 0


def held_bytes(file: Path) -> int:
    asked = ("fincore", "--bytes", "--noheadings", "--output", "RES", str(file))
    return int(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)
