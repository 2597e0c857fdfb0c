"""One run, and a session of many, on a machine that is not there."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.describe.home import find_home
from headtohead.execute.context.shared_by_runs import PartKey
from headtohead.execute.pages.check import Answer
from headtohead.execute.run.run import leave_subject_cpus
from headtohead.hosts.fake.script import Launch, Outcome, load_outcome, plain_program
from headtohead.model.case import Case
from headtohead.model.machine.host import Cpu, Machine
from headtohead.model.plan import Treatment
from headtohead.model.record import LoadRecord, RefusedRecord
from tests.execute.laboratory import Laboratory, fake_affinity

PAGE = b"x" * 19_251
TWO_CPUS = Machine("local", (Cpu(0, 0, 0, 0), Cpu(1, 0, 0, 1)), root=True)
SERVER = """format = 1
title = "On a fake machine"
seed = 1

[[experiment]]
name = "static-page"
question = "Which?"
workload = "static-page"
looks = [6]

[experiment.factors]
subject = ["nginx", "noop"]
cpus = [1]
"""
BATCH = """format = 1
title = "On a fake machine"
seed = 1

[[experiment]]
name = "kernels"
question = "Which?"
workload = "kernel-sweep-8"
looks = [6]

[experiment.factors]
subject = ["c-kernels"]
copies = [1, 2]
"""
SIGNING = """format = 1
title = "On a fake machine"
seed = 1

[[experiment]]
name = "rsa"
question = "Which?"
workload = "rsa"
primary = "operations_per_s"
looks = [6]

[experiment.factors]
subject = ["openssl"]
cpus = [1]

[experiment.load]
key = ["rsa512"]
processes = [1]
"""


class Ready(Laboratory):
    """A laboratory in which everything is prepared."""

    page: Answer

    def __init__(self, text: str, folder: Path) -> None:
        super().__init__(text, folder, home=find_home(), pages=lambda _: self.page)
        self.page = Answer(200, PAGE)
        (folder / "data").mkdir()
        (folder / "data" / "article.html").write_bytes(PAGE)
        self.study_context.data = {each.name: (folder / "data", "0") for each in self.plan.experiments if each.data}
        planned = [(each, treatment) for each in self.plan.experiments for treatment in each.treatments]
        self.study_context.builds = {
            PartKey(treatment.subject, each.name, treatment.label): folder for each, treatment in planned
        }
        self.study_context.versions = {key: f"{key.subject} 1" for key in self.study_context.builds}


@pytest.fixture
def laboratory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Ready]:
    fake_affinity(monkeypatch)
    return lambda text: Ready(text, tmp_path)


def test_a_run_goes_through_its_phases_in_order_and_is_valid(laboratory: Callable[[str], Ready]) -> None:
    found = laboratory(SERVER).run()

    assert found.run.status == "valid", found.run.reasons
    names = [phase.name for phase in found.run.phases]
    assert names == ["start", "check", "gate", "measure", "gate", "measure", "check", "stop"]
    assert all(phase.from_ns <= phase.to_ns for phase in found.run.phases)
    assert [each.case["connections"] for each in found.records] in ([10, 100], [100, 10])
    assert found.run.read_back["cpus"] == (0,)
    assert found.readings is not None


def test_driver_and_subject_are_started_on_cpus_of_their_own(laboratory: Callable[[str], Ready]) -> None:
    place = laboratory(SERVER)
    place.run()

    groups = place.host.supervises[-1].groups
    assert (groups["subject"]["cpus"], groups["driver"]["cpus"]) == ([0], [1])


def test_a_server_with_a_wrong_page_is_not_measured(laboratory: Callable[[str], Ready]) -> None:
    place = laboratory(SERVER)
    place.page = Answer(200, b"y" * 19_251)

    found = place.run()

    assert found.run.status == "failed"
    assert "another body than article.html" in found.run.reasons[0]
    assert found.records == ()


def test_a_server_that_answers_503_never_becomes_ready(laboratory: Callable[[str], Ready]) -> None:
    place = laboratory(SERVER)
    place.page = Answer(503, b"")
    nginx = place.study_context.study.experiments[0].subjects["nginx"]
    assert nginx.start is not None
    hurried = replace(nginx, start=replace(nginx.start, within_s=0.1))
    experiment = replace(place.study_context.study.experiments[0], subjects={"nginx": hurried, "noop": hurried})
    place.study_context.study = replace(place.study_context.study, experiments=(experiment,))

    assert "gave 503" in place.run().run.reasons[0]


def test_wrong_answers_under_load_make_the_run_invalid(laboratory: Callable[[str], Ready]) -> None:
    place = laboratory(SERVER)
    place.script.program = lambda launch: spoiled(launch, errors={"wrong-body": 3})

    found = place.run()

    assert found.run.status == "invalid"
    assert any(each.startswith("wrong-answer") for each in found.run.reasons)


def spoiled(launch: Launch, **changes: object) -> Outcome:
    """Return what a program would have done, its load record changed."""
    if "http" not in launch.argv:
        return plain_program(launch)
    outcome = load_outcome(launch, rate_per_s=1_000.0)
    return replace(outcome, stdout=json.dumps({**json.loads(outcome.stdout), **changes}) + "\n")


def struck_at_first(walks: list[str], *, times: int) -> Callable[[Launch], Outcome]:
    """Return a machine that keeps the driver from its CPU in so many walks; ``walks`` is told the case of each."""

    def program(launch: Launch) -> Outcome:
        if "http" not in launch.argv:
            return plain_program(launch)
        walks.append(launch.option("--case") or "")
        return spoiled(launch, driver_delay_s=2.9) if len(walks) <= times else plain_program(launch)

    return program


def test_cases_that_a_rule_strikes_are_walked_again_at_the_end(laboratory: Callable[[str], Ready]) -> None:
    place, walks = laboratory(SERVER), list[str]()
    place.script.program = struck_at_first(walks, times=3)

    found = place.run()

    assert found.run.status == "valid", found.run.reasons
    ten, hundred = walks[:2]
    assert walks == [ten, hundred, ten, hundred, ten]
    assert len(found.records) == 2
    assert "measure-replaced" in [phase.name for phase in found.run.phases]
    assert [each.case for each in found.run.repeats] == [Case(json.loads(text)) for text in walks[2:]]
    assert all(each.reasons[0].startswith("client-limited: ") for each in found.run.repeats)
    assert (place.layout.run(1) / "logs" / "walked-again.jsonl").read_text().count("\n") == 3


def test_a_case_that_stays_struck_is_walked_four_times(laboratory: Callable[[str], Ready]) -> None:
    place, walks = laboratory(SERVER), list[str]()
    place.script.program = struck_at_first(walks, times=99)

    assert place.run().run.status == "invalid"
    assert len(walks) == 2 * 4


def test_a_wrong_answer_is_not_walked_away(laboratory: Callable[[str], Ready]) -> None:
    place, walks = laboratory(SERVER), list[str]()

    def wrong_at_first(launch: Launch) -> Outcome:
        if "http" not in launch.argv:
            return plain_program(launch)
        walks.append(launch.option("--case") or "")
        return spoiled(launch, errors={"wrong-body": 1}) if len(walks) == 1 else plain_program(launch)

    place.script.program = wrong_at_first
    found = place.run()

    assert found.run.status == "invalid"
    assert found.run.reasons[0].startswith("wrong-answer: 1 wrong response (wrong body)")
    assert len(walks) == 2


def test_what_was_read_back_otherwise_than_asked_makes_the_run_invalid(laboratory: Callable[[str], Ready]) -> None:
    place = laboratory(SERVER)
    place.script.answer = lambda asked, answer: {**answer, "cpus": [0, 1]} if asked["do"] == "read_back" else answer

    found = place.run()

    assert found.run.status == "invalid"
    assert found.run.reasons[0].startswith("read-back: ")


def test_a_dead_supervise_is_a_failed_run_that_is_kept(laboratory: Callable[[str], Ready]) -> None:
    place = laboratory(SERVER)
    place.script.answer = lambda asked, answer: None if asked["do"] == "gate" else answer

    found = place.run()

    assert found.run.status == "failed"
    assert "supervise did not answer" in found.run.reasons[0]


def test_a_batch_program_that_leaves_a_case_out_is_failed(laboratory: Callable[[str], Ready]) -> None:
    place = laboratory(BATCH)
    place.script.program = lambda _: Outcome(takes_s=0.5, stdout="")

    found = place.run()

    assert found.run.status == "failed"
    assert "gave nothing" in found.run.reasons[0]


@pytest.mark.parametrize(
    "said",
    [
        "[]\n",
        '{"format": 1, "record": "batch", "case": 3}\n',
        '{"format": 1, "record": "batch", "case": {}, "work": 1, "work_in": "x", "elapsed_ns": 0, "answer": 1, "metrics": {}}\n',  # noqa: E501
        '{"format": 1, "record": "batch", "case": {}, "from_ns": "soon"}\n',
        "[" * 200_000 + "\n",
    ],
)
def test_records_that_are_none_fail_the_run_and_not_the_study(laboratory: Callable[[str], Ready], said: str) -> None:
    place = laboratory(BATCH)
    place.script.program = lambda _: Outcome(takes_s=0.5, stdout=said)

    found = place.run()

    assert found.run.status == "failed"
    assert "cannot be used" in found.run.reasons[0]


def test_readings_that_cannot_be_read_fail_the_run_and_not_the_study(
    laboratory: Callable[[str], Ready],
) -> None:
    place = laboratory(BATCH)

    def spoils(_: Launch) -> Outcome:
        (place.host.supervises[-1].run_dir / "readings.csv").write_text("t_ns\nabc\n")
        return Outcome(takes_s=0.5, code=3)

    place.script.program = spoils
    place.script.answer = lambda asked, answer: None if asked["do"] == "wait" else answer
    found = place.run()

    assert found.run.status == "failed"
    assert any("readings.csv cannot be read" in each for each in found.run.reasons)
    assert found.readings is None


def test_a_link_that_a_subject_lays_for_us_is_neither_read_nor_written(
    laboratory: Callable[[str], Ready], tmp_path: Path
) -> None:
    place = laboratory(BATCH)
    (tmp_path / "secret").write_text("secret")

    def lays_links(_: Launch) -> Outcome:
        run = place.host.supervises[-1].run_dir
        for name in ("times.hlog", "records.jsonl", "logs/more.err"):
            (run / name).symlink_to(tmp_path / "secret")
        return Outcome(takes_s=0.5, code=3)

    place.script.program = lays_links
    found = place.run()

    kept = place.layout.run(1)
    assert found.run.status == "failed"
    assert (tmp_path / "secret").read_text() == "secret"
    assert not any("secret" in each.read_text() for each in kept.rglob("*") if each.is_file())


def test_a_batch_program_that_fails_is_a_failed_run_with_its_last_words(
    laboratory: Callable[[str], Ready],
) -> None:
    place = laboratory(BATCH)
    place.script.program = lambda _: Outcome(takes_s=0.5, stderr="out of paper\n", code=3)

    found = place.run()

    assert found.run.status == "failed"
    assert "ended with 3" in found.run.reasons[0]
    assert "out of paper" in found.run.reasons[0]


def test_what_a_program_says_it_does_not_do_is_kept_as_refused_and_the_run_counts(
    laboratory: Callable[[str], Ready],
) -> None:
    place = laboratory(SIGNING)
    place.script.program = lambda _: Outcome(takes_s=0.5, stderr="speed: Unknown algorithm rsa512\n", code=1)

    found = place.run()

    reason = "speed: Unknown algorithm rsa512"
    cases = [Case({"key": "rsa512", "operation": each, "processes": 1}) for each in ("sign", "verify")]
    assert set(map(str, found.records)) == {str(RefusedRecord(case, reason)) for case in cases}
    assert found.run.status == "valid"
    assert found.run.reasons == ()


@pytest.mark.parametrize(("subject", "driver", "expected"), [((2,), (3,), {3}), ((2,), (), {3}), ((2, 3), (), {2, 3})])
def test_the_harness_runs_beside_the_subject_on_cpus_that_it_may_use(
    monkeypatch: pytest.MonkeyPatch, subject: tuple[int, ...], driver: tuple[int, ...], expected: set[int]
) -> None:
    asked: list[set[int]] = []
    monkeypatch.setattr(os, "sched_setaffinity", lambda _, cpus: asked.append(set(cpus)))

    leave_subject_cpus(Treatment("A", "A", {}, {}, subject, driver, None, floor=False), cpus=frozenset({2, 3}))

    assert asked == [expected]


def test_a_session_takes_minutes_of_the_fake_clock_only(laboratory: Callable[[str], Ready]) -> None:
    place = laboratory(SERVER)
    before_ns = place.clock.now_ns()
    for number in range(1, 13):
        found = place.run(number)
        (record, _) = found.records
        assert isinstance(record, LoadRecord)

    assert place.clock.now_ns() - before_ns > 12 * 8e9
