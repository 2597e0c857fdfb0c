"""Wrong words from the command line: exit 2, one error of three lines, before anything starts."""

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from headtohead.cli import this_machine, wiring
from headtohead.store import write
from headtohead.store.layout import Layout
from headtohead.store.measurements import COLUMNS
from headtohead.store.proof import seal
from tests.conftest import Command
from tests.describe.homes import TWO_CPUS
from tests.end_to_end.command import cold, environment
from tests.small import experiment, plan
from tests.wrong_studies.cases import WRONG

ONE_CPU = """format = 1
title = "On any machine"
seed = 1

[[experiment]]
name = "kernels"
question = "Is it planned?"
workload = "kernel-sweep-8"

[experiment.factors]
subject = [{ name = "c-kernels", label = "A" }, { name = "c-kernels", label = "B" }]
"""
COMMANDS = ("race", "new", "check", "setup", "run", "report", "compare", "host", "list", "noise", "published", "clean")


@pytest.fixture(autouse=True)
def _no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have output be the same everywhere."""
    for name, value in environment().items():
        monkeypatch.setenv(name, value)


def test_there_are_at_least_25_wrong_studies() -> None:
    assert len(WRONG) >= 25


@pytest.mark.parametrize("name", sorted(WRONG))
def test_a_wrong_study_ends_with_exit_2_before_anything_starts(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    study = tmp_path / "wrong.toml"
    study.write_text(WRONG[name])
    # On a machine with more CPUs some of them are right.
    monkeypatch.setattr(wiring, "read_machine", lambda *_, **__: TWO_CPUS)
    monkeypatch.setattr(this_machine, "measuring_here", lambda *_, **__: pytest.fail("the study started"))

    code, out, err = command("run", study, "--results", tmp_path / "results")

    assert (code, out) == (2, "")
    assert len(err.strip().splitlines()) >= 2
    assert "Traceback" not in err
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize("of", ["", *COMMANDS])
def test_help_is_as_expected(of: str, command: Command, snapshot: SnapshotAssertion) -> None:
    code, out, _ = command(*([of] if of else []), "--help")

    assert code == 0
    assert out == snapshot


def test_a_study_that_is_not_there_is_named(command: Command, snapshot: SnapshotAssertion) -> None:
    code, _, err = command("check", "no-such-study")

    assert code == 2
    assert err == snapshot


def test_a_folder_without_results_is_named(command: Command, tmp_path: Path) -> None:
    code, _, err = command("report", tmp_path)

    assert code == 1
    assert "is not a results folder" in " ".join(err.split())


def test_check_shows_the_plan_and_changes_nothing(tmp_path: Path) -> None:
    study, empty = tmp_path / "study.toml", tmp_path / "empty"
    study.write_text(ONE_CPU)
    empty.mkdir()

    done = cold("check", study, cwd=empty)

    assert done.returncode == 0, done.stderr
    assert "Compares: B against A" in done.stdout
    assert list(empty.iterdir()) == []


def test_list_names_every_folder_and_host_prints_facts_as_json(command: Command) -> None:
    listed, facts = command("list")[1], command("host", "--json")[1]

    for name in ("apache-httpd", "nginx", "openssl", "c-kernels", "noop", "witness", "static-page", "first", "aa"):
        assert name in listed
    found = json.loads(facts)["host"]["facts"]
    assert all(each["source"] for each in found)
    assert all(each["why_not"] for each in found if each["value"] is None)


@pytest.mark.parametrize("words", [("--differ", "nosuch", "a", "b"), ("a", "a")])
@pytest.mark.usefixtures("tables_as_given")
def test_compare_refuses_a_fact_that_nobody_has_and_a_folder_twice(
    words: tuple[str, ...], command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        write.begin(Layout(tmp_path / name), study=b"", plan=plan(experiment("x")), hosts=())
        (tmp_path / name / "measurements.csv").write_text(",".join(COLUMNS) + "\n")
        seal.keep(Layout(tmp_path / name), "measurements.csv")

    code, _, err = command("compare", *words)

    assert code == 2
    assert "nosuch" in err or "twice" in err
