"""Files of one's own are copied by their checksum before the first run, and later changes are noticed."""

from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.describe.toml.position import Place
from headtohead.describe.workload.own_files import own_file
from headtohead.execute.data.datasets import changed_files, data_set, stated_bytes
from headtohead.model.errors import SubjectError
from headtohead.model.study.workload import DataSet
from tests.execute.laboratory import Laboratory


def own(folder: Path, content: str) -> DataSet:
    (folder / "my.json").write_text(content)
    return DataSet("my.json", 1, 0, "kept", (own_file(folder, "my.json", place=Place("mine.toml")),))


def test_a_file_is_copied_once_by_its_content(laboratory: Laboratory, tmp_path: Path) -> None:
    environment, first = laboratory.study_context.environment, own(tmp_path, "1")

    kept = data_set(environment, {}, first, files_from=str(tmp_path))
    other = data_set(environment, {}, own(tmp_path, "2"), files_from=str(tmp_path))

    assert [(each.name, each.read_text()) for each in kept.iterdir()] == [("my.json", "1")]
    assert (other / "my.json").read_text() == "2"
    assert data_set(environment, {}, first, files_from="/nowhere") == kept  # the copy is enough
    assert stated_bytes({}, first) == 1


@pytest.mark.parametrize("change", ["other bytes", None])
def test_a_file_that_changed_since_the_study_was_read_is_refused(
    laboratory: Laboratory, tmp_path: Path, change: str | None
) -> None:
    data = own(tmp_path, "1")
    if change is None:
        (tmp_path / "my.json").unlink()
    else:
        (tmp_path / "my.json").write_text(change)

    with pytest.raises(SubjectError, match=r"The file my\.json changed"):
        data_set(laboratory.study_context.environment, {}, data, files_from=str(tmp_path))


def test_a_file_that_changes_while_it_is_measured_is_noticed(laboratory: Laboratory, tmp_path: Path) -> None:
    study = laboratory.study_context.study
    workload = replace(study.experiments[0].workload, data=own(tmp_path, "1"), files_from=str(tmp_path))
    measured = replace(study, experiments=(replace(study.experiments[0], workload=workload),))

    assert changed_files(study) == changed_files(measured) == ()
    (tmp_path / "my.json").write_text("2")
    assert changed_files(measured) == ("my.json",)
