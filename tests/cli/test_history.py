"""`headtohead history`: from results folders to lines, JSON and charts."""

import json
from pathlib import Path

import pytest

from benches.make_runs import Asked, make
from headtohead.cli.commands import noise
from headtohead.cli.commands.results.history import command
from headtohead.model.errors import RecordError


def test_folders_become_a_series_with_a_chart_and_a_broken_one_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("2026-10-01-mine", "2026-10-02-mine", "2026-10-03-mine"):
        make(tmp_path / "results" / name, Asked(runs=12, experiments=1))
    (tmp_path / "results" / "2026-10-03-mine" / "hosts.json").write_text("{")
    command([tmp_path / "results"], charts=tmp_path / "charts", json=False)
    said = capsys.readouterr()
    assert "2 points: changes are looked for from 12 points on." in said.out
    assert "Left out: 2026-10-03-mine" in said.err
    assert "<svg" in (tmp_path / "charts" / "history-1.svg").read_text()

    command([tmp_path / "results"], json=True)
    (series,) = json.loads(capsys.readouterr().out)["history"]
    assert [each["folder"] for each in series["points"]] == ["2026-10-01-mine", "2026-10-02-mine"]


def test_sessions_in_which_noise_was_tolerated_are_no_points(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    noisy = tmp_path / "results" / "2026-10-02-mine"
    for each in (tmp_path / "results" / "2026-10-01-mine", noisy):
        make(each, Asked(runs=12, experiments=1))
    tolerate_noise(noisy)
    command([tmp_path / "results"], json=True)
    said = capsys.readouterr()
    assert "Left out: 2026-10-02-mine (it was measured with --tolerate-noise" in said.err
    (series,) = json.loads(said.out)["history"]
    assert [each["folder"] for each in series["points"]] == ["2026-10-01-mine"]


def test_they_show_no_noise_floor_either(tmp_path: Path) -> None:
    make(tmp_path / "noise", Asked(runs=12, experiments=1))
    tolerate_noise(tmp_path / "noise")
    with pytest.raises(RecordError, match="decides nothing"):
        noise.command([tmp_path / "noise"])


def tolerate_noise(results: Path) -> None:
    """Change a plan.json to that of a study with --tolerate-noise."""
    plan = results / "plan.json"
    whole = json.loads(plan.read_text())
    for each in whole["experiments"]:
        each["tolerates_noise"] = True
    plan.write_text(json.dumps(whole))


def test_a_folder_without_results_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RecordError):
        command([tmp_path])
