"""`headtohead new`: what it writes can be read as it is, and nothing is replaced."""

from pathlib import Path

import pytest

from headtohead.cli.commands import list_
from headtohead.cli.commands.new import NewKind, command
from headtohead.cli.wiring import read_question
from headtohead.describe.skeletons import KINDS
from headtohead.model.errors import WordsError


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


def test_a_list_shows_content_of_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command(NewKind("subject"), "of-my-own", into=tmp_path)
    monkeypatch.chdir(tmp_path)
    list_.command(json=True)
    assert "of-my-own, a server of my own" in capsys.readouterr().out


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
