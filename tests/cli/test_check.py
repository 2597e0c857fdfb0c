"""`headtohead check` as a linter."""

from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.cli.wiring import Question
from tests.conftest import Command
from tests.describe.homes import TWO_CPUS

STUDY = """format = 1
title = "Two servers"
seed = 1

[[experiment]]
name = "page"
question = "Which is faster?"
workload = "static-page"
looks = [3]

[experiment.factors]
subject = ["nginx", "apache-httpd"]

[experiment.load]
connections = [10]
measure_s = 1
"""


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = replace(TWO_CPUS, missing={"nginx": ("nginx-core",)}, unobtainable={"nginx": "apt has no such package"})
    monkeypatch.setattr(Question, "machine", lambda _: bare)


def checked(text: str, command: Command, folder: Path) -> tuple[int, str, str]:
    study = folder / "study.toml"
    study.write_text(text)
    code, out, err = command("check", study)
    return code, " ".join(out.split()), " ".join(err.split())


def test_all_errors_are_printed_with_their_lines(command: Command, tmp_path: Path) -> None:
    text = STUDY.replace("seed = 1", 'seed = "one"').replace("looks = [3]", "looks = 3\nmaters = 1.1")

    code, out, err = checked(text, command, tmp_path)

    assert (code, out) == (2, "")
    assert err.count("error: ") == 3
    assert "error: line 3 of " in err
    assert "error: line 9 of " in err
    assert 'unknown key "maters"' in err


def test_a_study_that_can_have_no_verdict_and_measures_too_briefly_is_called_so(
    command: Command, tmp_path: Path
) -> None:
    code, out, _ = checked(STUDY, command, tmp_path)

    assert code == 0
    assert "No verdict is possible: one needs 6 blocks, and the last check is after 3." in out
    assert "A run is measured for 1 s: less than 3 s leaves a doubt." in out


def test_a_study_that_has_enough_of_both_is_not(command: Command, tmp_path: Path) -> None:
    text = STUDY.replace("looks = [3]", "looks = [3, 6]").replace("measure_s = 1", "measure_s = 3")

    code, out, _ = checked(text, command, tmp_path)

    assert code == 0
    assert "No verdict is possible" not in out
    assert "leaves a doubt" not in out


def test_a_study_is_checked_without_its_packages_and_what_is_missing_is_listed(
    command: Command, tmp_path: Path
) -> None:
    code, out, _ = checked(STUDY, command, tmp_path)

    assert code == 0
    assert "Missing here nginx: nginx-core, apt has no such package" in out
