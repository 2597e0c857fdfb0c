"""One run, and a session of many, on a machine that is not there."""

import json
import os
from collections.abc import Callable
from dataclasses import replace

import pytest

from headtohead.execute.pages.request_page import Answer
from headtohead.execute.run.carry_out_run import leave_subject_cpus
from headtohead.hosts.fake.script import Launch, Outcome, load_outcome, plain_program
from headtohead.model.case import Case
from headtohead.model.plan import Treatment
from headtohead.model.record import LoadRecord
from tests.execute.laboratory import Ready

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


def test_a_run_goes_through_its_phases_in_order_and_is_valid(ready: Callable[[str], Ready]) -> None:
    found = ready(SERVER).run()

    assert found.run.status == "valid", found.run.reasons
    names = [phase.name for phase in found.run.phases]
    assert names == ["start", "check", "gate", "measure", "gate", "measure", "check", "stop"]
    assert all(phase.from_ns <= phase.to_ns for phase in found.run.phases)
    assert [each.case["connections"] for each in found.records] in ([10, 100], [100, 10])
    assert found.run.read_back["cpus"] == (0,)
    assert found.readings is not None


def test_driver_and_subject_are_started_on_cpus_of_their_own(ready: Callable[[str], Ready]) -> None:
    place = ready(SERVER)
    place.run()

    groups = place.host.supervises[-1].groups
    assert (groups["subject"]["cpus"], groups["driver"]["cpus"]) == ([0], [1])


def test_a_server_with_a_wrong_page_is_not_measured(ready: Callable[[str], Ready]) -> None:
    place = ready(SERVER)
    place.page = Answer(200, b"y" * 19_251)

    found = place.run()

    assert found.run.status == "failed"
    assert "another body than article.html" in found.run.reasons[0]
    assert found.records == ()


def test_a_server_that_answers_503_never_becomes_ready(ready: Callable[[str], Ready]) -> None:
    place = ready(SERVER)
    place.page = Answer(503, b"")
    has_to_be_ready(place, within_s=1e-9)

    assert "gave 503" in place.run().run.reasons[0]


def has_to_be_ready(place: Ready, *, within_s: float) -> None:
    """Give the server so long to become ready."""
    nginx = place.study_context.study.experiments[0].subjects["nginx"]
    assert nginx.start is not None
    other = replace(nginx, start=replace(nginx.start, within_s=within_s))
    experiment = replace(place.study_context.study.experiments[0], subjects={"nginx": other, "noop": other})
    place.study_context.study = replace(place.study_context.study, experiments=(experiment,))


def test_a_server_whose_first_response_takes_longer_than_a_second_becomes_ready(ready: Callable[[str], Ready]) -> None:
    place = ready(SERVER)
    place.responds_in_s = 1.2
    has_to_be_ready(place, within_s=60)

    assert place.run().run.status == "valid"


def test_wrong_answers_under_load_make_the_run_invalid(ready: Callable[[str], Ready]) -> None:
    place = ready(SERVER)
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


def test_cases_that_a_rule_strikes_are_walked_again_at_the_end(ready: Callable[[str], Ready]) -> None:
    place, walks = ready(SERVER), list[str]()
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


def test_a_case_that_stays_struck_is_walked_four_times(ready: Callable[[str], Ready]) -> None:
    place, walks = ready(SERVER), list[str]()
    place.script.program = struck_at_first(walks, times=99)

    assert place.run().run.status == "invalid"
    assert len(walks) == 2 * 4


def test_a_wrong_answer_is_not_walked_away(ready: Callable[[str], Ready]) -> None:
    place, walks = ready(SERVER), list[str]()

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


def test_what_was_read_back_otherwise_than_asked_makes_the_run_invalid(ready: Callable[[str], Ready]) -> None:
    place = ready(SERVER)
    place.script.answer = lambda asked, answer: {**answer, "cpus": [0, 1]} if asked["do"] == "read_back" else answer

    found = place.run()

    assert found.run.status == "invalid"
    assert found.run.reasons[0].startswith("read-back: ")


def test_a_dead_supervise_is_a_failed_run_that_is_kept(ready: Callable[[str], Ready]) -> None:
    place = ready(SERVER)
    place.script.answer = lambda asked, answer: None if asked["do"] == "gate" else answer

    found = place.run()

    assert found.run.status == "failed"
    assert "supervise did not answer" in found.run.reasons[0]


@pytest.mark.parametrize(("subject", "driver", "expected"), [((2,), (3,), {3}), ((2,), (), {3}), ((2, 3), (), {2, 3})])
def test_the_harness_runs_beside_the_subject_on_cpus_that_it_may_use(
    monkeypatch: pytest.MonkeyPatch, subject: tuple[int, ...], driver: tuple[int, ...], expected: set[int]
) -> None:
    asked: list[set[int]] = []
    monkeypatch.setattr(os, "sched_setaffinity", lambda _, cpus: asked.append(set(cpus)))

    leave_subject_cpus(Treatment("A", "A", {}, {}, subject, driver, None, floor=False), cpus=frozenset({2, 3}))

    assert asked == [expected]


def test_a_session_takes_minutes_of_the_fake_clock_only(ready: Callable[[str], Ready]) -> None:
    place = ready(SERVER)
    before_ns = place.clock.now_ns()
    for number in range(1, 13):
        found = place.run(number)
        (record, _) = found.records
        assert isinstance(record, LoadRecord)

    assert place.clock.now_ns() - before_ns > 12 * 8e9
