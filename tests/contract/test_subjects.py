"""Every subject under every workload that it honors, found by itself, for real; and wrong ones, refused."""

from pathlib import Path

import pytest

from tests.contract.bench import Pair, each_once, need, need_cpus, one_run, pairs, question, study_text
from tests.contract.homes import HOME, home_with
from tests.contract.leftovers import left_by_us, nothing

PAIRS = pairs(HOME)
TIMED = ("tcp-stream",)
"""Workloads whose program refuses a case that took 0.1 s longer than requested, as it may next to other tests."""

pytestmark = pytest.mark.real


def pair(subject: str, workload: str) -> Pair:
    """Return the first pair of a subject and a workload."""
    return next(each for each in PAIRS if (each.subject.name, each.workload.name) == (subject, workload))


@pytest.mark.parametrize(
    "pair",
    [
        pytest.param(each, id=str(each), marks=pytest.mark.alone if each.workload.name in TIMED else ())
        for each in each_once(PAIRS)
    ],
)
def test_it_starts_answers_rightly_stops_in_time_and_leaves_nothing(pair: Pair, tmp_path: Path) -> None:
    need(*pair.subjects)
    need_cpus(pair)

    asked = question(study_text(pair, polls=True), tmp_path)
    plan = asked.plan(asked.machine())
    (treatment,) = plan.experiments[0].treatments

    recorded = one_run(asked, tmp_path, plan=plan)

    assert (recorded.run.status, recorded.run.reasons) == ("valid", ())
    assert len(recorded.records) == len({str(each.case) for each in recorded.records}) > 0
    assert recorded.run.usage.get("stopped_in_time", 1.0) == 1.0
    assert recorded.run.read_back["cpus"] == treatment.cpus
    assert len(treatment.cpus) == pair.cpus
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
    assert "page that gives 200" in recorded.run.reasons[0], "the error states what ready needs"
    assert left_by_us() == nothing()


def test_a_batch_program_with_a_wrong_answer_is_refused(tmp_path: Path) -> None:
    home = home_with(tmp_path, "wrong-answer", WRONG_ANSWER)
    said = '{"format": 1, "record": "batch", "case": {}, "work": 1, "work_in": "cpu-seconds", "elapsed_ns": 1000000, '
    (home.subjects / "wrong-answer" / "said").write_text(said + '"answer": "drifting", "metrics": {}}\n')
    text = study_text(pair("witness", "witness")).replace('"witness" }', '"wrong-answer" }')

    recorded = one_run(question(text, tmp_path, home=home), tmp_path)

    assert recorded.run.status == "invalid"
    assert any("drifting" in each for each in recorded.run.reasons)
