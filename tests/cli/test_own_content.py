"""Content of the user's own: where it is found, and that the plan names it by its path, with its checksum."""

import hashlib
import json
import re
import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.cli import wiring
from headtohead.cli.commands import check, run, setup
from headtohead.cli.commands.results.report import report_line
from headtohead.cli.this_machine import environment_here
from headtohead.cli.wiring import Question, read_question
from headtohead.describe.race.content import write_files
from headtohead.describe.skeletons import skeleton
from headtohead.execute.data.datasets import data_set
from headtohead.model.errors import WordsError
from headtohead.model.study.workload import DataSet
from headtohead.store import read, write
from headtohead.store.convert import to_json
from headtohead.store.fingerprint import content_sha256
from headtohead.store.layout import Layout
from tests.conftest import Command
from tests.execute.laboratory import TWO_CPUS
from tests.report.sample import RECORDING

CONTENT = b'{"a": 1}'
STUDY = """format = 1
title = "Mine"
seed = 1

[[experiment]]
name = "mine"
question = "Which?"
file = "deep/my.json"

[experiment.factors]
subject = ["mine", "nginx"]
"""
OF_DATA = STUDY.replace('file = "deep/my.json"', 'workload = "mine"').replace(
    '"mine", "nginx"', '"apache-httpd", "nginx"'
)
GENERATOR = """import argparse, pathlib
BYTES_AT_SCALE_1 = SIZE
try:
    pathlib.Path("SEEN").write_text("it ran where it may write")
except OSError:
    pass
words = argparse.ArgumentParser()
words.add_argument("--scale", type=float)
words.add_argument("--seed", type=int)
words.add_argument("--out", type=pathlib.Path)
(words.parse_args().out / "article.html").write_text("x" * 1000)
"""
KB, EB = 10**3, 10**18


@pytest.fixture
def _two_cpus(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands find a machine of two CPUs where nothing is missing."""
    monkeypatch.setattr(wiring, "read_machine", lambda *_, **__: TWO_CPUS)


def with_generator(folder: Path, *, states: int = KB) -> Path:
    """Write a study with a data set next to it, and a workload of that elsewhere; return the study.

    The generator writes ``seen`` next to the study, if it runs where it may.
    """
    workload = skeleton("workload", "mine")["workloads/mine/workload.toml"].replace(
        b'set = "pages"', b'set = "my-pages"'
    )
    generator = GENERATOR.replace("SEEN", str(folder / "seen")).replace("SIZE", str(states))
    files = {"mine.toml": OF_DATA.encode(), "datasets/my-pages/generate.py": generator.encode()}
    write_files({**files, "elsewhere/workloads/mine/workload.toml": workload}, folder)
    return folder / "mine.toml"


def apart(folder: Path) -> Path:
    """Write a subject, a workload and a study of both, each into a folder of its own; return the study."""
    write_files(skeleton("subject", "mine"), folder / "one")
    write_files(skeleton("workload", "mine"), folder / "two")
    write_files(skeleton("study", "mine"), folder / "study")
    return folder / "study" / "mine.toml"


def test_a_plan_names_what_is_the_user_s_own_by_its_path_and_checksum(tmp_path: Path) -> None:
    write_files({**skeleton("subject", "mine"), "mine.toml": STUDY.encode(), "deep/my.json": CONTENT}, tmp_path)

    plan = read_question(tmp_path / "mine.toml").plan(TWO_CPUS)

    assert plan.own == {
        "deep/my.json": hashlib.sha256(CONTENT).hexdigest(),
        "subjects/mine": content_sha256(tmp_path / "subjects" / "mine"),
    }
    assert plan.own_study == "mine.toml"
    assert str(tmp_path) not in to_json(plan)


def test_a_data_set_next_to_a_study_is_found_and_known_to_be_the_user_s_own(tmp_path: Path) -> None:
    asked = read_question(with_generator(tmp_path), content=[tmp_path / "elsewhere"])

    plan = asked.plan(TWO_CPUS)

    assert asked.home.known_datasets()["my-pages"].samefile(tmp_path / "datasets" / "my-pages")
    assert [each.workload.data for each in asked.study.experiments] == [DataSet("my-pages", 1, 1, "kept", own=True)]
    assert [each.data for each in plan.experiments] == [DataSet("my-pages", 1, 1, "kept", own=True)]
    assert plan.own["datasets/my-pages"] == content_sha256(tmp_path / "datasets" / "my-pages")


def test_a_data_set_of_ours_is_not_the_user_s_own_even_in_a_workload_that_is(tmp_path: Path) -> None:
    asked = read_question(apart(tmp_path), content=[tmp_path / "one", tmp_path / "two"])

    assert [each.workload.data for each in asked.study.experiments] == [DataSet("pages", 1, 1, "kept", own=False)]
    assert sorted(asked.plan(TWO_CPUS).own) == ["../one/subjects/mine", "../two/workloads/mine"]


@pytest.mark.usefixtures("_two_cpus")
@pytest.mark.parametrize(
    ("states", "code", "printed"), [(KB, 0, "Which?"), (EB, 1, "There is no room for the study's")]
)
def test_check_reads_the_size_that_a_generator_states_and_never_runs_it(
    command: Command, tmp_path: Path, states: int, code: int, printed: str
) -> None:
    study = with_generator(tmp_path, states=states)

    ended, out, err = command("check", study, "--content", tmp_path / "elsewhere")

    assert ended == code, err
    assert printed in out + err
    assert not (tmp_path / "seen").exists()
    with pytest.raises(SystemExit):
        runpy.run_path(str(tmp_path / "datasets" / "my-pages" / "generate.py"))
    assert (tmp_path / "seen").exists(), "to import it would have been noticed"


@pytest.mark.real
def test_a_generator_next_to_a_study_runs_where_it_may_write_into_its_folder_alone(tmp_path: Path) -> None:
    asked = read_question(with_generator(tmp_path), content=[tmp_path / "elsewhere"])
    (data,) = [each.data for each in asked.plan(TWO_CPUS).experiments]
    assert data is not None

    made = data_set(environment_here(), asked.home.known_datasets(), data)

    assert [(each.name, each.read_text()) for each in made.iterdir()] == [("article.html", "x" * KB)]
    assert not (tmp_path / "seen").exists()


@pytest.mark.usefixtures("_two_cpus")
def test_content_may_be_in_several_folders_that_are_named(command: Command, tmp_path: Path) -> None:
    study, one, two = apart(tmp_path), ("--content", tmp_path / "one"), ("--content", tmp_path / "two")

    code, out, err = command("check", study, *one, *two, "--json")

    assert code == 0, err
    assert set(json.loads(out)["own"]) == {"../one/subjects/mine", "../two/workloads/mine"}
    for fewer, lacks in (((), "subject"), (one, "workload"), (two, "subject")):
        code, _, err = command("check", study, *fewer)
        assert code == 2
        assert f'unknown {lacks} "mine"' in err


@pytest.mark.usefixtures("_two_cpus")
@pytest.mark.parametrize("module", [check, run, setup], ids=["check", "run", "setup"])
def test_each_command_of_a_study_finds_the_content_of_all_folders_that_are_named(
    module: object, request: pytest.FixtureRequest, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Question] = []

    def noted(path: Path, *, content: list[Path]) -> Question:
        found.append(read_question(path, content=content))
        raise WordsError("That is enough", why="It was read.", remedy="None.")

    monkeypatch.setattr(module, "read_question", noted)
    study = apart(tmp_path)

    name = request.node.callspec.id
    _, _, err = command(name, study, "--content", tmp_path / "one", "--content", tmp_path / "two")

    assert "That is enough" in err
    assert [list(each.subjects) for each in found] == [["mine", "nginx"]]
    assert [each.study.experiments[0].workload.name for each in found] == ["mine"]


def test_content_of_all_folders_that_are_named_is_listed(command: Command, tmp_path: Path) -> None:
    apart(tmp_path)

    _, out, _ = command("list", "--json", "--content", tmp_path / "one", "--content", tmp_path / "two")

    listed = json.loads(out)
    assert "mine" in {each["name"] for each in listed["Subjects"]}
    assert "mine" in {each["name"] for each in listed["Workloads"]}


@pytest.mark.parametrize("name", ["check", "list", "run", "setup", "test-content"])
@pytest.mark.parametrize("folder", ["study", "missing"])
def test_a_named_folder_without_content_is_refused(command: Command, tmp_path: Path, name: str, folder: str) -> None:
    study = apart(tmp_path)
    words = [study] if name in {"check", "run", "setup"} else []

    code, out, err = command(name, *words, "--content", tmp_path / "one", "--content", tmp_path / folder)

    shown = " ".join(err.split())
    assert (code, out) == (2, "")
    assert f"{folder} holds no content" in shown
    assert "none of the folders subjects, workloads, datasets" in shown


@pytest.mark.usefixtures("_two_cpus")
def test_content_in_the_user_s_own_folder_is_found_though_nobody_names_it(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = apart(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    code, _, err = command("check", study)
    assert (code, 'unknown subject "mine"' in err) == (2, True), "the folder is missing, which is no error of its own"

    (tmp_path / "share" / "headtohead").mkdir(parents=True)
    for kind, there in (("subjects", "one"), ("workloads", "two")):
        (tmp_path / there / kind).rename(tmp_path / "share" / "headtohead" / kind)
    code, out, err = command("check", study)

    assert code == 0, err
    assert "Is nginx faster than mine?" in out


def test_a_subject_that_reads_data_is_refused_for_a_workload_without_any(tmp_path: Path) -> None:
    workload = skeleton("workload", "mine")["workloads/mine/workload.toml"].decode()
    bare = re.sub(r"(?m)^data .*$", "", workload).replace(', body = "article.html", sample = 0.1', "")
    write_files({**skeleton("study", "mine"), **skeleton("subject", "mine")}, tmp_path)
    write_files({"workloads/mine/workload.toml": bare.encode()}, tmp_path)

    with pytest.raises(WordsError) as refused:
        read_question(tmp_path / "mine.toml")

    assert "no data to read" in refused.value.what
    assert "reads @data@, and the workload mine has neither data nor file" in refused.value.why


def test_a_plan_of_our_content_alone_has_no_such_list() -> None:
    plan = read_question(Path("aa")).plan(TWO_CPUS)

    assert plan.own == {}
    assert '"own' not in to_json(plan)


def test_results_keep_what_was_the_user_s_own(tmp_path: Path) -> None:
    asked = read_question(apart(tmp_path), content=[tmp_path / "one", tmp_path / "two"])
    plan, layout = asked.plan(TWO_CPUS), Layout(tmp_path / "results")

    write.begin(layout, study=asked.study.content, plan=plan, hosts=())

    kept = read.recording(layout.root).plan
    assert (kept.own, kept.own_study) == (plan.own, "mine.toml")


def test_the_last_line_sends_nobody_elsewhere_for_a_command_that_is_typed_in_the_study_s_folder(tmp_path: Path) -> None:
    layout, own = Layout(tmp_path / "results" / "a"), replace(RECORDING.plan, own={"a": ""}, own_study="mine.toml")

    assert "(run its commands from " in report_line(layout, RECORDING)
    assert "(type its" not in report_line(layout, replace(RECORDING, plan=own))
