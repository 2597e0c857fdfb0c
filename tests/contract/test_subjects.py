"""Every subject under every workload that it honors, found by itself, for real; and wrong ones, refused."""

from pathlib import Path

import pytest

from headtohead.describe.subject import subjects
from tests.contract.bench import (
    Pair,
    left_by_us,
    need,
    need_cpus,
    nothing,
    one_run,
    own_faults,
    pairs,
    question,
    study_text,
)
from tests.contract.homes import HOME, home_with

PAIRS = list(pairs(HOME))
NEVER_ASKED_ALONE = "sql/"
"""Interfaces without a driver: what serves only these is measured as what others need."""

FOLDERS = sorted(each for room in (HOME.subjects, HOME.workloads) for each in room.iterdir() if each.name != "shared")

pytestmark = pytest.mark.real


def pair(subject: str, workload: str) -> Pair:
    """Return the first pair of a subject and a workload."""
    return next(each for each in PAIRS if (each.subject.name, each.workload.name) == (subject, workload))


def test_every_folder_is_found_with_a_partner() -> None:
    there = subjects.read_all(HOME)
    works = {path.parent.name for path in HOME.workloads.glob("*/workload.toml")}
    needed = {name for each in PAIRS for name in (part.name for part in each.needed.values())}

    assert {each.subject.name for each in PAIRS} | needed == set(there)
    assert {each.workload.name for each in PAIRS} == works
    for name in needed - {each.subject.name for each in PAIRS}:
        assert all(interface.startswith(NEVER_ASKED_ALONE) for interface in there[name].serves)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: p.name)
def test_its_readme_says_what_it_stresses_what_it_does_not_and_what_could_fool(folder: Path) -> None:
    text = (folder / "README.md").read_text()

    for heading in ("What it stresses", "What it does not", "What could fool you"):
        assert f"## {heading}" in text


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_it_starts_answers_rightly_stops_in_time_and_leaves_nothing(pair: Pair, tmp_path: Path) -> None:
    need(*pair.subjects)
    need_cpus(pair)

    recorded = one_run(question(study_text(pair), tmp_path), tmp_path)

    assert own_faults(recorded) == []
    assert recorded.run.status in ("valid", "invalid")
    assert len(recorded.records) == len({str(each.case) for each in recorded.records}) > 0
    assert recorded.run.usage.get("stopped_in_time", 1.0) == 1.0
    assert recorded.run.read_back["cpus"] == tuple(range(pair.cpus))
    assert set(recorded.run.versions) == {each.name for each in pair.subjects}
    assert left_by_us() == nothing()


WRONG_PAGE = """format = 1
name = "wrong-page"
title = "A server whose page is another"
serves = ["http/static-v1"]

[start]
files = { "page.in" = "article.html" }
argv = ["h2h-load", "respond", "--port", "@port@", "--directory", "@run@"]
ready = { http = "http://127.0.0.1:@port@/article.html" }
within_s = 10

[reach]
url = "http://127.0.0.1:@port@"
"""

WRONG_ANSWER = """format = 1
name = "wrong-answer"
title = "A program that answers wrongly"
serves = ["batch/witness-v1"]

[batch]
argv = ["cat", "@build@/said"]

[build]
argv = ["cp", "@source@/said", "@build@/said"]
"""

NEVER_READY = WRONG_PAGE.replace("wrong-page", "never-ready").replace(
    '--directory", "@run@"', '--directory", "/nowhere"'
)


def test_a_server_with_a_wrong_page_is_refused(tmp_path: Path) -> None:
    home = home_with(tmp_path, "wrong-page", WRONG_PAGE)
    (home.subjects / "wrong-page" / "page.in").write_text("x" * 19_251)
    text = study_text(pair("noop", "static-page")).replace('"noop"', '"wrong-page"')

    recorded = one_run(question(text, tmp_path, home=home), tmp_path)

    assert recorded.run.status == "failed"
    assert "another body than article.html" in recorded.run.reasons[0]
    assert left_by_us() == nothing()


def test_a_server_that_never_becomes_ready_is_refused(tmp_path: Path) -> None:
    home = home_with(tmp_path, "never-ready", NEVER_READY)
    (home.subjects / "never-ready" / "page.in").write_text("x")
    text = study_text(pair("noop", "static-page")).replace('"noop"', '"never-ready"')

    recorded = one_run(question(text, tmp_path, home=home), tmp_path)

    assert recorded.run.status == "failed"
    assert "did not become ready" in recorded.run.reasons[0]
    assert left_by_us() == nothing()


def test_a_batch_program_with_a_wrong_answer_is_refused(tmp_path: Path) -> None:
    home = home_with(tmp_path, "wrong-answer", WRONG_ANSWER)
    said = '{"format": 1, "record": "batch", "case": {}, "work": 1, "work_in": "cpu-seconds", "elapsed_ns": 1000000, '
    (home.subjects / "wrong-answer" / "said").write_text(said + '"answer": "drifting", "metrics": {}}\n')
    text = study_text(pair("witness", "witness")).replace('"witness" }', '"wrong-answer" }')

    recorded = one_run(question(text, tmp_path, home=home), tmp_path)

    assert recorded.run.status == "invalid"
    assert any("drifting" in each for each in recorded.run.reasons)
