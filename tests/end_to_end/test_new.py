"""From `headtohead new` to a measured study, with nothing changed but how much is measured."""

import json
from pathlib import Path

import pytest

from headtohead.describe.subject.subjects import read_subject
from tests.contract.bench import need
from tests.contract.homes import HOME
from tests.contract.leftovers import left_behind, nothing
from tests.end_to_end.command import headtohead

pytestmark = pytest.mark.real


def test_what_new_writes_is_measured_next_to_nginx(tmp_path: Path, lane: Path) -> None:
    need(read_subject(HOME.subjects / "nginx"))
    for kind in ("subject", "workload", "study"):
        assert headtohead("new", kind, "mine", cwd=tmp_path).returncode == 0
    need(read_subject(tmp_path / "subjects" / "mine"))
    study = tmp_path / "mine.toml"
    text = study.read_text().replace("looks    = [6, 10, 16]", "looks = [2]")
    study.write_text(f"{text}\n[experiment.load]\nwarm_up_s = 0.1\nmeasure_s = 0.4\n")

    done = headtohead("run", "mine.toml", cwd=tmp_path, lane=lane)

    assert done.returncode == 0, done.stderr
    (folder,) = (tmp_path / "results").iterdir()
    runs = [json.loads(each.read_text()) for each in sorted(folder.glob("runs/*/run.json"))]
    assert [each["status"] for each in runs] == ["valid"] * 4
    assert left_behind(done.owner, cache=lane) == nothing()
