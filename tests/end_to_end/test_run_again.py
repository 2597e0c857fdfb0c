"""What becomes of a folder of results: its report is made again, and a second run is next to it."""

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
