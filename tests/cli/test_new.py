"""`headtohead new`: what it writes can be read as it is, and nothing is replaced."""

import json
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from headtohead.cli.app import app
from headtohead.cli.commands import list_
from headtohead.cli.commands.new import NewKind, command
from headtohead.cli.wiring import read_question
from headtohead.describe.skeletons import KINDS
from headtohead.model.errors import WordsError

PROGRAM = 'argv     = ["/usr/bin/python3"'


def test_a_new_subject_workload_and_study_are_found_next_to_each_other(tmp_path: Path) -> None:
    for kind in KINDS:
        command(NewKind(kind), "mine", into=tmp_path)

    question = read_question(tmp_path / "mine.toml")
    assert list(question.subjects) == ["mine", "nginx"]
    assert question.study.experiments[0].workload.name == "mine"
    assert {each.name for each in tmp_path.rglob("*") if each.is_file()} == {
        "README.md",
        "mine.toml",
        "server.py",
        "subject.toml",
        "workload.toml",
    }


def test_a_new_study_without_its_subject_and_workload_names_the_command_that_writes_them(tmp_path: Path) -> None:
    command(NewKind("study"), "mine", into=tmp_path)
    with pytest.raises(WordsError) as raised:
        read_question(tmp_path / "mine.toml")
    assert "headtohead new workload NAME" in raised.value.remedy


@pytest.mark.parametrize("folder", [".", "of my own"])
def test_each_command_that_it_prints_can_be_typed_and_a_study_of_all_three_is_right(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    command(NewKind("study"), "mine", into=Path(folder))
    lines = printed(capsys)
    assert [line[1:4] for line in lines[:-1]] == [["new", "subject", "mine"], ["new", "workload", "mine"]]
    done = [CliRunner().invoke(app, line[1:]) for line in lines]
    assert [each.exit_code for each in done] == [0, 0, 0], [each.output for each in done]
    assert "Is nginx faster than mine?" in done[-1].stdout

    for kind in ("subject", "workload"):
        command(NewKind(kind), "other", into=Path(folder))
        (line,) = printed(capsys)
        assert line[:2] == ["headtohead", "test-content"]
        assert (Path(*line[3:]) / f"{kind}s" / "other").is_dir(), "the current folder, or the one of --content"


def printed(capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    """Return the words of each command that is next."""
    return [shlex.split(line.removeprefix("Next: ")) for line in capsys.readouterr().err.splitlines()]


def test_a_list_shows_content_of_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command(NewKind("subject"), "of-my-own", into=tmp_path)
    monkeypatch.chdir(tmp_path)
    list_.command(json=True)
    assert "of-my-own, a server of my own" in capsys.readouterr().out


def test_a_list_names_the_program_of_ones_own_that_is_not_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, program in (("is-here", "/usr/bin/python3"), ("not-here", "/opt/not-here/server")):
        command(NewKind("subject"), name, into=tmp_path)
        subject = tmp_path / "subjects" / name / "subject.toml"
        text = subject.read_text().replace('debian  = ["python3"]', "debian  = []")
        assert text.count(PROGRAM) == 1
        subject.write_text(text.replace(PROGRAM, f'argv     = ["{program}"'))
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()

    list_.command(json=True)

    missing = {each["name"]: each["missing"] for each in json.loads(capsys.readouterr().out)["Subjects"]}
    assert (missing["is-here"], missing["not-here"]) == ([], ["/opt/not-here/server"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_name_that_exists_is_refused_and_nothing_changes(kind: str, tmp_path: Path) -> None:
    command(NewKind(kind), "mine", into=tmp_path)
    before = {each: each.stat().st_mtime_ns for each in tmp_path.rglob("*")}
    with pytest.raises(WordsError, match="mine exists"):
        command(NewKind(kind), "mine", into=tmp_path)
    assert {each: each.stat().st_mtime_ns for each in tmp_path.rglob("*")} == before


@pytest.mark.parametrize("name", ["", "A", "a b", "../a", "x" * 61])
def test_a_word_that_is_no_name_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(WordsError, match="is not a name"):
        command(NewKind("subject"), name, into=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_name_of_ours_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WordsError, match="nginx exists"):
        command(NewKind("subject"), "nginx", into=tmp_path)
