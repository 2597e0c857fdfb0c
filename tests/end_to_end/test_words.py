"""Wrong words from the command line: exit 2, one error of three lines, before anything starts."""

import json
import sys
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from headtohead.cli import main
from headtohead.store import write
from headtohead.store.layout import Layout
from headtohead.store.measurements import COLUMNS
from tests.end_to_end.command import headtohead
from tests.small import experiment, plan
from tests.wrong_studies.cases import WRONG

COMMANDS = ("check", "setup", "run", "report", "compare", "host", "list", "noise", "published", "clean")


def test_there_are_at_least_25_wrong_studies() -> None:
    assert len(WRONG) >= 25


@pytest.mark.parametrize("name", sorted(WRONG))
def test_a_wrong_study_ends_with_exit_2_before_anything_starts(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    study = tmp_path / "wrong.toml"
    study.write_text(WRONG[name])
    monkeypatch.setattr(sys, "argv", ["headtohead", "run", str(study), "--results", str(tmp_path / "results")])

    with pytest.raises(SystemExit) as ended:
        main.main()

    said = capsys.readouterr()
    assert ended.value.code == 2
    assert said.out == ""
    assert len(said.err.strip().splitlines()) >= 2
    assert "Traceback" not in said.err
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_is_as_expected(command: str, snapshot: SnapshotAssertion) -> None:
    done = headtohead(*([command] if command else []), "--help")

    assert done.returncode == 0
    assert done.stdout == snapshot


def test_a_study_that_is_not_there_is_named(snapshot: SnapshotAssertion) -> None:
    done = headtohead("check", "no-such-study")

    assert done.returncode == 2
    assert done.stderr == snapshot


def test_a_folder_without_results_is_named(tmp_path: Path) -> None:
    done = headtohead("report", tmp_path)

    assert done.returncode == 1
    assert "is not a results folder" in " ".join(done.stderr.split())


def test_check_shows_the_plan_and_changes_nothing(tmp_path: Path) -> None:
    done = headtohead("check", "smoke", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert "Compares: B against A" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_list_names_every_folder_and_host_prints_facts_as_json() -> None:
    listed, facts = headtohead("list"), headtohead("host", "--json")

    for name in ("apache-httpd", "nginx", "openssl", "c-kernels", "noop", "witness", "static-page", "first", "aa"):
        assert name in listed.stdout
    found = json.loads(facts.stdout)["host"]["facts"]
    assert all(each["source"] for each in found)
    assert all(each["why_not"] for each in found if each["value"] is None)


@pytest.mark.parametrize("words", [("--differ", "nosuch", "a", "b"), ("a", "a")])
def test_compare_refuses_a_fact_that_nobody_has_and_a_folder_twice(words: tuple[str, ...], tmp_path: Path) -> None:
    for name in ("a", "b"):
        write.begin(Layout(tmp_path / name), study=b"", plan=plan(experiment("x")), hosts=())
        (tmp_path / name / "measurements.csv").write_text(",".join(COLUMNS) + "\n")

    done = headtohead("compare", *words, cwd=tmp_path)

    assert done.returncode == 2
    assert "nosuch" in done.stderr or "twice" in done.stderr
