"""`headtohead history --verify`: what two results folders keep becomes a race, or the reason why not."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from headtohead.cli.commands.results import versions
from headtohead.cli.commands.results.versions import SessionFolder, with_races
from headtohead.cli.commands.run import Wanted
from headtohead.cli.race.options import RaceOptions, race_of
from headtohead.cli.wiring import Question, read_question
from headtohead.describe.race.content import STUDY, files_of, write_files
from headtohead.model.analysis.history import HistorySeries, LevelChange, VersionsRace
from headtohead.model.record import Recording
from headtohead.store.layout import Layout
from tests.cli.test_race import PROGRAMS, RUNNING, SERVERS
from tests.describe.homes import TWO_CPUS
from tests.small import recorded

STARTED = "2026-10-01T10:00:00Z"
BEFORE_IT, AFTER_IT = 1_700_000_000.0, 1_900_000_000.0
NAMES = ("reference", "today")


def session(folder: Path, options: RaceOptions) -> SessionFolder:
    """Return the results folder of a race of the reference with a version of today, without what was measured."""
    files, layout = files_of(race_of(replace(options, name=NAMES), known=())), Layout(folder)
    write_files(files, layout.content)
    layout.study.write_bytes(files[STUDY])
    plan = read_question(layout.content / STUDY).plan(TWO_CPUS)
    (experiment,) = plan.experiments
    run = recorded(experiment.name, experiment.runs[0])
    run = replace(run, run=replace(run.run, started_at=STARTED))
    return SessionFolder(folder, Recording(folder.name, plan, (), (run,)))


@dataclass(frozen=True)
class Nights:
    """Two sessions, and what `history` finds between them."""

    before: SessionFolder
    after: SessionFolder

    def change(self, *, verify: bool = False) -> LevelChange:
        change = LevelChange("first", "second", 0.95)
        series = HistorySeries("race", "correct", "reference", "today", 1.03, (), (), (change,), enough=True)
        sessions = {"first": self.before, "second": self.after}
        (found,) = with_races(series, sessions, verify=verify, wait=False).changes
        return found


@pytest.fixture
def builds(tmp_path: Path) -> Callable[[str], str]:
    def build(name: str) -> str:
        program = tmp_path / name
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        os.utime(program, (BEFORE_IT, BEFORE_IT))
        return str(program)

    return build


@pytest.fixture
def nights(tmp_path: Path, builds: Callable[[str], str]) -> Nights:
    """Return sessions whose builds have paths of their own."""

    def night(name: str) -> SessionFolder:
        commands = (f"{builds('reference')} @port@", f"{builds(f'build-{name}')} @port@")
        return session(tmp_path / "results" / name, replace(SERVERS, serve=commands))

    return Nights(night("first"), night("second"))


def test_two_versions_race_under_the_load_of_the_later_session(nights: Nights, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Question, Wanted]] = []

    def measured(question: Question, wanted: Wanted) -> tuple[Layout, None, None]:
        asked.append((question, wanted))
        assert question.plan(TWO_CPUS).own.keys() >= {"subjects/today-before", "subjects/today-after"}
        return Layout(wanted.results / "made"), None, None

    monkeypatch.setattr(versions, "measured", measured)
    monkeypatch.setattr(versions, "_outcome", lambda root, _: VersionsRace(str(root), "worse", None))

    assert nights.change() == LevelChange("first", "second", 0.95), "nothing is measured unless asked for"
    race = nights.change(verify=True).race
    results = nights.after.path.parent / "verified"
    assert race == VersionsRace(str(results / "made"), "worse", None)

    ((question, wanted),) = asked
    (experiment,) = question.study.experiments
    starts = {name: each.start.argv for name, each in experiment.subjects.items() if each.start}
    assert [Path(argv[0]).name for argv in starts.values()] == ["build-first", "build-second"]
    assert list(starts) == ["today-before", "today-after"], "the earlier one is the baseline"
    assert [each.path for each in experiment.workload.requests] == ["/health"]
    assert (wanted.results, wanted.content[STUDY]) == (results, question.study.content)


def test_a_race_that_was_made_is_found_again(nights: Nights, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: dict[str, bytes] = {}

    def measured(_: Question, wanted: Wanted) -> tuple[Layout, None, None]:
        kept.update(wanted.content)
        return Layout(wanted.results / "made"), None, None

    monkeypatch.setattr(versions, "measured", measured)
    monkeypatch.setattr(versions, "recording_of", lambda root: root)
    monkeypatch.setattr(versions, "analyze", lambda root: root)
    monkeypatch.setattr(versions, "_outcome", lambda root, _: VersionsRace(root.name, "same", None))
    assert nights.change(verify=True).race == VersionsRace("made", "same", None)

    layout = Layout(nights.after.path.parent / "verified" / "earlier")
    layout.root.mkdir()
    layout.study.write_bytes(kept[STUDY])
    assert nights.change().race is None, "it has not ended"
    layout.end.write_text("{}")
    assert nights.change().race == VersionsRace("earlier", "same", None)
    assert nights.change(verify=True).race == VersionsRace("earlier", "same", None)


def test_versions_that_one_command_started_cannot_be_raced(tmp_path: Path, builds: Callable[[str], str]) -> None:
    same = replace(SERVERS, serve=(f"{builds('a')} @port@", f"{builds('b')} @port@"))
    why = Nights(session(tmp_path / "first", same), session(tmp_path / "second", same)).change(verify=True).why_not
    assert "both were started by one command" in why
    assert "b @port@" in why


def test_a_program_that_changed_or_is_gone_is_not_raced(nights: Nights, tmp_path: Path) -> None:
    os.utime(tmp_path / "build-first", (AFTER_IT, AFTER_IT))
    assert nights.change(verify=True).why_not == f"{tmp_path / 'build-first'} was changed after it was measured"
    (tmp_path / "build-first").unlink()
    assert "build-first is not there any more" in nights.change(verify=True).why_not


def test_content_that_is_not_what_was_measured_runs_nothing(nights: Nights) -> None:
    subject = Layout(nights.before.path).content / "subjects" / "today" / "subject.toml"
    subject.write_text(subject.read_text().replace("build-first", "build-other"))
    assert nights.change(verify=True).why_not == "the content of first is not what was measured"


def test_programs_race_again_and_servers_that_ran_do_not(tmp_path: Path) -> None:
    first = session(tmp_path / "first", PROGRAMS)
    second = session(tmp_path / "second", replace(PROGRAMS, batch=("echo one", "printf 'a c'")))
    assert Nights(first, second).change() == LevelChange("first", "second", 0.95)

    running = session(tmp_path / "running", RUNNING)
    assert "already ran" in Nights(running, running).change(verify=True).why_not


def test_results_of_a_study_keep_nothing_to_race(nights: Nights, tmp_path: Path) -> None:
    bare = replace(nights.before, path=tmp_path / "study")
    assert "only results of `headtohead race` keep" in Nights(bare, nights.after).change(verify=True).why_not
