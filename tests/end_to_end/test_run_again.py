"""What becomes of a folder of results: its report is made again, and a second run is next to it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.command import headtohead, own_lane

pytestmark = pytest.mark.real


STUDY = """format = 1
title = "To be run again"
seed = 7

[[experiment]]
name = "static-page"
question = "Is it the same again?"
workload = "static-page"
looks = [2]

[experiment.factors]
subject = [{ name = "noop", label = "A" }, { name = "noop", label = "B" }]
cpus = [1]

[experiment.load]
connections = [10]
warm_up_s = 0.1
measure_s = 0.1
"""
"""Short, so that it leaves the CPUs to other tests."""


@pytest.fixture(scope="module")
def lane() -> Iterator[Path]:
    with own_lane() as folder:
        yield folder


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    study = tmp_path_factory.mktemp("place") / "again.toml"
    study.write_text(STUDY)
    return study


@pytest.fixture(scope="module")
def folder(study: Path, lane: Path) -> Path:
    done = headtohead("run", study, cwd=study.parent, lane=lane)
    assert done.returncode == 0, done.stderr
    (found,) = (study.parent / "results").iterdir()
    return found


def test_report_from_the_files_alone_gives_the_same_bytes(folder: Path) -> None:
    names = ("analysis.json", "measurements.csv", "report.html", "report.md")
    before = {name: (folder / name).read_bytes() for name in names}
    for name in names:
        (folder / name).unlink()

    assert headtohead("report", folder).returncode == 0
    assert {name: (folder / name).read_bytes() for name in names} == before


def test_json_is_the_analysis(folder: Path) -> None:
    assert headtohead("report", folder, "--json").stdout == (folder / "analysis.json").read_text()


def test_a_second_run_begins_a_folder_of_its_own(study: Path, folder: Path, lane: Path) -> None:
    done = headtohead("run", study, "--results", folder.parent, lane=lane)

    assert done.returncode == 0, done.stderr
    assert (folder.parent / f"{folder.name}-2" / "end.json").is_file()


def test_more_adds_blocks_to_the_newest_results_of_an_ended_study_and_carries_them_out(
    study: Path, folder: Path, lane: Path
) -> None:
    ended = max(folder.parent.glob("*/end.json"), key=lambda each: each.stat().st_mtime)
    assert blocks_of(ended.parent) == {1, 2}

    done = headtohead("run", study, "--results", folder.parent, "--more", "4", lane=lane)

    assert done.returncode == 0, done.stderr
    assert f"Resuming in {ended.parent}." in " ".join(done.stderr.split())
    assert blocks_of(ended.parent) == {1, 2, 3, 4, 5, 6}
    (experiment,) = json.loads((ended.parent / "analysis.json").read_text())["experiments"]
    assert (experiment["looks"], experiment["blocks_done"]) == ([2, 6], 6)
    assert ended.is_file(), "it has ended again"


def blocks_of(results: Path) -> set[int]:
    """Return the blocks of the runs that were made."""
    return {json.loads(each.read_text())["block"] for each in results.glob("runs/*/run.json")}
