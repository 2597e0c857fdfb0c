"""Databases that are killed, get a wrong row, or have no room: the run says why it does not count, nothing is left."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.cli.commands.contract import rules_of_content
from headtohead.cli.wiring import Question
from headtohead.describe.home import Home
from headtohead.execute.context.run_request import RunRequest
from headtohead.execute.context.study_context import StudyContext
from headtohead.execute.data import copy_remove_evict_folders, disk_space
from headtohead.execute.prepare import prepared_data
from headtohead.execute.prepare.prepare_study import prepare
from headtohead.execute.prepare.prepared_data import Recipe
from headtohead.execute.prepare.prepared_data_record import CopyRecord
from headtohead.execute.run.carry_out_run import carry_out
from headtohead.hosts import paths
from headtohead.model.record import Recorded
from headtohead.store import read, write
from headtohead.store.layout import Layout
from tests.contract.bench import SMALL, Pair, environment, need, one_run, pairs, question, study_text
from tests.contract.homes import HOME, home_changed
from tests.contract.leftovers import left_by_us, nothing
from tests.contract.mishaps import filling, killing

PAIRS = [each for each in pairs(HOME) if each.workload.asks.startswith("sql/")]
ONE_EACH = list({each.subject.name: each for each in reversed(PAIRS)}.values())
"""Of every subject one pair: how it dies does not depend on what it is asked."""
SPOIL = """
import csv, io
for table in (out / "answers").glob("*.csv"):
    rows = list(csv.DictReader(io.StringIO(table.read_text())))
    if rows and "checksum" in rows[0]:
        lines = [",".join(rows[0])] + [",".join({**row, "checksum": "0" * 64}.values()) for row in rows]
        table.write_text("\\n".join(lines) + "\\n")
"""
TRIES = 5
LARGE_BYTES = 64 * 1024
ROOM_BYTES = 2 * 1024 * 1024
"""So much more than its data set a small disk holds: less than any database makes of it."""
FULL = "No space left|disk is full|The table '.*' is full|MiB are left on the disk"
WORKING_ROOM_BYTES = 64 * 1024 * 1024
"""So much more than its data any of them needs to begin with: MariaDB's temporary table space takes 12 MiB."""

pytestmark = pytest.mark.real


def small(pair: Pair, folder: Path, *, home: Home | None = None) -> Question:
    """Return the study of one run of a pair on a small data set."""
    need(*pair.subjects)
    return question(study_text(pair), folder, home=home)


def set_of(pair: Pair) -> str:
    assert pair.workload.data is not None
    return pair.workload.data.set


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_answers_that_are_not_the_right_ones_are_refused_before_the_load(pair: Pair, tmp_path: Path) -> None:
    home = home_changed(tmp_path, set_of(pair), SPOIL)

    recorded = one_run(small(pair, tmp_path, home=home), tmp_path)

    assert recorded.run.status == "failed"
    assert f"{pair.subject.name} answers wrongly" in recorded.run.reasons[0]
    assert "gave other rows in" in recorded.run.reasons[0]
    assert recorded.records == ()
    assert left_by_us() == nothing()


@pytest.mark.parametrize("pair", ONE_EACH, ids=str)
def test_a_database_that_is_killed_in_mid_run_fails_it_and_leaves_nothing(pair: Pair, tmp_path: Path) -> None:
    need(*pair.subjects)
    inside = pair.subject.client is not None
    asked = question(study_text(pair).replace("measure_s = 0.3", "measure_s = 2"), tmp_path)  # it is killed before

    with killing("walk-1" if inside else "subject", once="walk-1") as killed:
        recorded = one_run(asked, tmp_path)

    assert killed
    assert recorded.run.status == "failed"
    told = "ended with KILL" if inside else "ended in mid-run: It ended by the signal KILL"
    assert told in recorded.run.reasons[0], recorded.run.reasons
    assert pair.subject.name in recorded.run.reasons[0]
    assert left_by_us() == nothing()


@pytest.mark.parametrize("pair", ONE_EACH, ids=str)
def test_a_database_that_is_killed_while_it_loads_is_not_prepared_and_leaves_nothing(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = pair.subject.client is not None
    asked = small(pair, tmp_path, home=home_changed(tmp_path, set_of(pair)))
    wanted: list[Path] = []
    make = Recipe.make

    def noted(recipe: Recipe) -> CopyRecord:
        wanted.append(recipe.pristine)
        shutil.rmtree(recipe.pristine, ignore_errors=True)  # left where a blow came too late
        return make(recipe)

    monkeypatch.setattr(Recipe, "make", noted)

    for attempt in range(TRIES):  # a load lasts a moment: on a busy machine the blow may come too late
        with killing("load" if inside else "subject", once="load") as killed:
            recorded = one_run(asked, tmp_path / str(attempt))
        if killed and any("The step load" in each for each in recorded.run.reasons):
            break

    assert killed
    assert recorded.run.status == "failed"
    assert f"The step load of {pair.subject.name} failed" in recorded.run.reasons[0], recorded.run.reasons
    assert wanted
    assert not any(each.exists() for each in wanted)
    assert left_by_us() == nothing()


@pytest.mark.parametrize("pair", ONE_EACH, ids=str)
def test_a_copy_that_became_corrupt_fails_a_run_and_the_next_one_has_a_sound_one(pair: Pair, tmp_path: Path) -> None:
    asked = small(pair, tmp_path)
    plan, layout = asked.plan(asked.machine()), Layout(tmp_path / "results")
    experiment = plan.experiments[0]
    write.begin(layout, study=asked.study.content, plan=plan, hosts=())
    affinity = os.sched_getaffinity(0)
    try:
        with StudyContext(environment(), asked.study, asked.home.known_datasets(), rules_of_content()) as study_context:
            prepare(study_context, plan)
            (pristine,) = set(study_context.prepared.values())
            corrupt(study_context.copies.take(pristine))
            study_context.copies.give_back(pristine)
            for number in (1, 2):
                carry_out(study_context, layout, RunRequest(experiment, experiment.runs[0], number, number))
    finally:
        os.sched_setaffinity(0, affinity)

    first, second = (read.recorded(layout, number) for number in (1, 2))
    assert first.run.status != "valid"
    assert pair.subject.name in first.run.reasons[0] or "answer" in first.run.reasons[0], first.run.reasons
    assert second.run.status != "failed", second.run.reasons
    assert not any(each.startswith("wrong-answer") for each in second.run.reasons)
    assert left_by_us() == nothing()


def corrupt(copy: Path) -> None:
    """Overwrite most of every large file of a database."""
    large = [each for each in copy.rglob("*") if each.is_file() and each.stat().st_size >= LARGE_BYTES]
    assert large
    for each in large:
        size = each.stat().st_size
        with each.open("r+b") as file:
            file.seek(size // 4)
            file.write(b"\xa5" * (size - size // 4))


@pytest.mark.parametrize("pair", ONE_EACH, ids=str)
def test_a_disk_that_becomes_full_fails_the_run_and_says_so(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = small(pair, tmp_path)
    data = SMALL[set_of(pair)]
    dataset = prepared_dataset(asked)
    with disk(disk_space.size_bytes(dataset) + ROOM_BYTES) as cache:
        monkeypatch.setattr(prepared_data, "check_free_space", lambda *_, **__: None)  # it would say so before
        recorded = run_in(asked, cache, tmp_path, dataset=dataset)

        assert recorded.run.status == "failed"
        assert pair.subject.name in recorded.run.reasons[0]
        assert re.search(FULL, recorded.run.reasons[0]), recorded.run.reasons
        assert not list((cache / "prepared").glob("headtohead-*"))
    assert left_by_us() == nothing()
    assert data.set in dataset.name


@pytest.mark.parametrize("pair", [each for each in PAIRS if any(q.writes for q in each.workload.queries)], ids=str)
def test_a_disk_that_becomes_full_while_rows_are_written_makes_the_run_count_for_nothing(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need(*pair.subjects)
    text = study_text(pair).replace("cpus = [1]\n", "cpus = [1]\nwrite_share = [0.5]\n")
    asked = question(text.replace("measure_s = 0.3", "measure_s = 3"), tmp_path)
    plan, layout = asked.plan(asked.machine()), Layout(tmp_path / "results")
    write.begin(layout, study=asked.study.content, plan=plan, hosts=())
    affinity = os.sched_getaffinity(0)
    try:
        with StudyContext(environment(), asked.study, asked.home.known_datasets(), rules_of_content()) as study_context:
            prepare(study_context, plan)
            (pristine,) = set(study_context.prepared.values())
            with disk(disk_space.size_bytes(pristine) + WORKING_ROOM_BYTES) as runs:
                monkeypatch.setattr(paths, "RUNS", runs)
                # Else this would say so before.
                monkeypatch.setattr(copy_remove_evict_folders, "check_free_space", lambda *_, **__: None)
                with filling(runs, once="walk-1"):
                    carry_out(study_context, layout, RunRequest(plan.experiments[0], plan.experiments[0].runs[0], 1, 1))
                assert list(runs.iterdir()) == []
    finally:
        os.sched_setaffinity(0, affinity)

    run = read.recorded(layout, 1).run
    assert run.status != "valid"
    assert re.search(FULL, run.reasons[0]), run.reasons
    assert run.data is not None
    assert run.data["state"] == "fresh"
    assert left_by_us() == nothing()


def prepared_dataset(asked: Question) -> Path:
    """Return the generated data set of a study, in the usual cache."""
    study_context = StudyContext(environment(), asked.study, asked.home.known_datasets(), rules_of_content())
    plan = asked.plan(asked.machine())
    bare = replace(plan, experiments=tuple(replace(each, treatments=()) for each in plan.experiments))
    prepare(study_context, bare)
    return next(iter(study_context.data.values()))[0]


@contextmanager
def disk(size_bytes: int) -> Iterator[Path]:
    """Mount a small disk, on a short path as it may hold sockets; skips the test where that is not allowed."""
    place = Path(tempfile.mkdtemp(prefix="h2h-", dir="/var/tmp"))
    mounted = subprocess.run(
        ("mount", "-t", "tmpfs", "-o", f"size={size_bytes},mode=755", "tmpfs", str(place)),
        check=False,
        capture_output=True,
    )
    if mounted.returncode != 0:
        place.rmdir()
        pytest.skip("a small disk cannot be mounted here")
    try:
        yield place
    finally:
        subprocess.run(("umount", "--lazy", str(place)), check=True)
        place.rmdir()


def run_in(asked: Question, cache: Path, folder: Path, *, dataset: Path) -> Recorded:
    """Carry out the first run of a study with another cache, in which only its data set lies already."""
    (cache / "datasets").mkdir()
    shutil.copytree(dataset, cache / "datasets" / dataset.name)
    shutil.copy(dataset.with_suffix(".sha256"), cache / "datasets")
    usual = environment()
    if any(each.build for each in asked.subjects.values()):
        (usual.cache / "builds").mkdir(exist_ok=True)  # on a new machine this may be the first subject that is built
        (cache / "builds").symlink_to(usual.cache / "builds")
    plan, layout = asked.plan(asked.machine()), Layout(folder / "results")
    write.begin(layout, study=asked.study.content, plan=plan, hosts=())
    affinity = os.sched_getaffinity(0)
    try:
        with StudyContext(
            replace(usual, cache=cache), asked.study, asked.home.known_datasets(), rules_of_content()
        ) as study_context:
            prepare(study_context, plan)
            carry_out(study_context, layout, RunRequest(plan.experiments[0], plan.experiments[0].runs[0], 1, 1))
    finally:
        os.sched_setaffinity(0, affinity)
    return read.recorded(layout, 1)
