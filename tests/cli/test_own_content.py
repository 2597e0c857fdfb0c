"""The plan names content of the user's own, by its path from the study, with its checksum."""

import hashlib
import re
from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.cli.commands.results.report import report_line
from headtohead.cli.wiring import read_question
from headtohead.describe.race.content import write_files
from headtohead.describe.skeletons import skeleton
from headtohead.model.errors import WordsError
from headtohead.store.convert import to_json
from headtohead.store.fingerprint import content_sha256
from headtohead.store.layout import Layout
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


def test_a_plan_names_what_is_the_user_s_own_by_its_path_and_checksum(tmp_path: Path) -> None:
    write_files({**skeleton("subject", "mine"), "mine.toml": STUDY.encode(), "deep/my.json": CONTENT}, tmp_path)

    plan = read_question(tmp_path / "mine.toml").plan(TWO_CPUS)

    assert plan.own == {
        "deep/my.json": hashlib.sha256(CONTENT).hexdigest(),
        "subjects/mine": content_sha256(tmp_path / "subjects" / "mine"),
    }
    assert plan.own_study == "mine.toml"
    assert str(tmp_path) not in to_json(plan)


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


def test_the_last_line_sends_nobody_elsewhere_for_a_command_that_is_typed_in_the_study_s_folder(tmp_path: Path) -> None:
    layout, own = Layout(tmp_path / "results" / "a"), replace(RECORDING.plan, own={"a": ""}, own_study="mine.toml")

    assert "(type its commands in " in report_line(layout, RECORDING)
    assert "(type its" not in report_line(layout, replace(RECORDING, plan=own))
