"""The command `headtohead test-content`: which pairs it tests, what it prints, and its exit status."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from headtohead.cli.commands import contract
from headtohead.describe.home import Home
from headtohead.describe.race.content import write_files
from headtohead.describe.skeletons import skeleton
from headtohead.model.study.subject import Subject
from headtohead.model.study.workload import Workload
from tests.conftest import Command
from tests.contract.own import write_own_interface

FAILS = "not-mine"


@dataclass
class Noted:
    """What the command did: the locks that it held, and the pairs that it tested, each with a wrong server or not."""

    measured: list[tuple[str, bool]] = field(default_factory=list)
    pairs: list[tuple[str, str, bool]] = field(default_factory=list)


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Noted:
    """Work in an empty folder, with no folder of the user's own, and hold no lock that others wait for."""
    found = Noted()

    @contextlib.contextmanager
    def measuring(study: str, *, since: str, wait: bool) -> Iterator[None]:
        assert since
        found.measured.append((study, wait))
        yield

    monkeypatch.setattr(contract, "measuring_here", measuring)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return found


@pytest.fixture
def untested(monkeypatch: pytest.MonkeyPatch, noted: Noted) -> Noted:
    """Note pairs in place of testing them: each passes but that of one subject."""

    def trials(subject: Subject, workload: Workload, home: Home, *, wrong_server: bool) -> Iterator[tuple[str, str]]:
        assert subject.name in home.known_subjects()
        noted.pairs.append((subject.name, workload.name, wrong_server))
        yield f"{subject.name} under {workload.name}: starts", "it did not stop" if subject.name == FAILS else ""
        yield f"{workload.name}: a wrong server is refused", ""

    monkeypatch.setattr(contract, "trials_of", trials)
    return noted


def test_each_subject_and_each_workload_of_one_s_own_is_tested_with_every_partner(
    untested: Noted, command: Command, tmp_path: Path
) -> None:
    write_files(skeleton("subject", "mine"), Path())
    write_files(skeleton("workload", "theirs"), tmp_path / "elsewhere")

    code, _, _ = command("test-content", "--content", tmp_path / "elsewhere")

    pairs = {(subject, workload) for subject, workload, _ in untested.pairs}
    assert code == 0
    assert {("mine", "theirs"), ("mine", "static-page"), ("nginx", "theirs"), ("apache-httpd", "theirs")} <= pairs
    assert all(subject == "mine" or workload == "theirs" for subject, workload in pairs)
    assert len(pairs) == len(untested.pairs)
    wrong = [workload for _, workload, wrong_server in untested.pairs if wrong_server]
    assert sorted(wrong) == sorted({workload for _, workload in pairs}), "a wrong server once under each workload"


def test_each_test_is_a_line_and_one_that_fails_ends_the_command_with_1(untested: Noted, command: Command) -> None:
    write_own_interface(Path(), "mine")
    code, out, _ = command("test-content")
    assert (code, out) == (0, "ok      mine under mine: starts\nok      mine: a wrong server is refused\n")

    write_own_interface(Path(), FAILS)
    code, out, _ = command("test-content")
    assert code == 1
    assert out.splitlines() == [
        "ok      mine under mine: starts",
        "ok      mine: a wrong server is refused",
        "failed  not-mine under not-mine: starts: it did not stop",
        "ok      not-mine: a wrong server is refused",
    ]
    assert untested.pairs[1:] == [("mine", "mine", True), (FAILS, FAILS, True)]


@pytest.mark.parametrize("wait", [False, True])
def test_it_measures_alone_and_waits_for_others_if_it_is_to(untested: Noted, command: Command, *, wait: bool) -> None:
    write_own_interface(Path(), "mine")

    command("test-content", *(["--wait"] if wait else []))

    assert untested.measured == [("test-content", wait)]


@pytest.mark.parametrize("kind", ["nothing", "a subject of an interface that no workload asks for"])
def test_without_content_of_one_s_own_there_is_nothing_to_test(untested: Noted, command: Command, kind: str) -> None:
    if kind != "nothing":
        write_own_interface(Path(), "mine")
        Path("workloads/mine/workload.toml").unlink()

    code, out, err = command("test-content")

    assert (code, out) == (2, "")
    assert "error: There is nothing to test" in err
    assert "headtohead new subject NAME" in err
    assert untested == Noted()


@pytest.mark.real
@pytest.mark.usefixtures("noted")
@pytest.mark.parametrize(
    ("expect", "code", "results"),
    [("status = 200", 0, ["ok", "ok", "ok"]), ("status = 200, length_bytes = 1", 1, ["failed"])],
    ids=["right", "wrong"],
)
def test_content_of_one_s_own_interface_passes_and_one_that_expects_something_else_fails(
    command: Command, expect: str, code: int, results: list[str]
) -> None:
    write_own_interface(Path(), "mine", expect=expect)

    ended, out, _ = command("test-content")

    assert (ended, [line.split()[0] for line in out.splitlines()]) == (code, results), out
    assert ("answers wrongly" in out) == (code == 1)
