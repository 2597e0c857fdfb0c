"""A driver that polls: what it asked in vain is no work, and no scaling is stated where it was near its limit."""

import dataclasses

import pytest

from headtohead.analyze.findings.judge_run import judge
from headtohead.analyze.fleet.same_test import arms_of, refusals
from headtohead.analyze.runs.cpu_use_by_case import see
from headtohead.analyze.runs.driver_cpu_use_and_delay import driver_share
from headtohead.analyze.study import analyze
from headtohead.model.finding import Severity
from headtohead.model.plan import Comparison
from headtohead.model.quantity import Scalar
from headtohead.model.record import Recorded
from tests.analyze.building import (
    ALPHA,
    blocks_of,
    experiment,
    load_record,
    plan,
    readings,
    recorded,
    recording,
    steady,
)
from tests.analyze.building import treatment as arm

FULL = readings(driver_cpu_ns=1.0, subject_cpu_ns=0.5)
"""The driver's CPU is busy all the time, and the subject's for half of it."""


def polling(empty_s: float | None, **values: float) -> Recorded:
    """Return a run whose driver's polls found nothing for so long, of 3 s."""
    told = {"goodput_per_s": 1000.0, "driver_delay_s": 0.0, "driver_empty_polls_s": empty_s, **values}
    return recorded(records=[load_record(values=told)], monitors=FULL)


def test_polls_that_found_nothing_are_no_work_of_the_driver() -> None:
    seen = see(polling(1.8), experiment())
    assert driver_share(seen.cases[0], seen.treatment) == pytest.approx(0.4)
    judgment = judge(polling(1.8), experiment())
    assert judgment.status == "valid"
    assert judgment.cpu_use.driver == pytest.approx(1.2)
    assert judge(polling(0.03), experiment()).reasons[0].startswith("client-limited: ")
    assert judge(polling(None), experiment()).reasons[0].startswith("client-limited: ")


def test_polls_that_found_nothing_are_not_of_other_processes_either() -> None:
    assert judge(polling(1.8), experiment()).cpu_use.foreign == 0.0


def test_without_readings_the_drivers_own_word_is_without_empty_polls_already() -> None:
    told = polling(1.8, driver_cpu_s=1.2)
    seen = see(dataclasses.replace(told, readings=None), experiment())
    assert seen.cases[0].cpu.driver == 1.2


def test_one_thread_at_its_limit_is_one_however_idle_the_others_are() -> None:
    assert judge(polling(1.8, driver_busiest_share=0.97), experiment()).reasons[0].startswith("client-limited: ")
    doubts = [each.id for each in judge(polling(1.8, driver_busiest_share=0.85), experiment()).findings]
    assert doubts == ["driver-busy"]


@pytest.mark.parametrize(("driver", "stated"), [(0.5, True), (0.85, False)])
def test_no_scaling_is_stated_where_the_driver_was_near_its_limit(driver: float, *, stated: bool) -> None:
    levels: list[dict[str, Scalar]] = [{"subject": "nginx", "cpus": cpus} for cpus in (1, 2)]
    arms = tuple(arm(f"cpus={each['cpus']}", subject="nginx", levels=each) for each in levels)
    chosen = experiment(
        compare="cpus", treatments=arms, comparisons=(Comparison("cpus", "cpus=1", "cpus=2", {}, ALPHA),)
    )
    runs = blocks_of({"cpus=1": steady(1000), "cpus=2": steady(1660)}, of=chosen)
    runs = [dataclasses.replace(each, readings=readings(driver_cpu_ns=driver)) for each in runs]
    told = analyze(recording(runs, of=plan(chosen))).experiments[0]
    assert told.comparisons[0].verdict == "better"
    assert (told.comparisons[0].scaling is not None, bool(told.growth)) == (stated, stated)
    withheld = [each for each in told.findings if each.id == "driver-near-limit"]
    assert [each.severity for each in withheld] == ([] if stated else [Severity.DOUBT])


def test_results_of_a_driver_that_polled_and_of_one_that_slept_are_not_compared() -> None:
    slept = plan(experiment())
    polled = plan(experiment(treatments=(arm("apache", poll="busy"), arm("nginx", poll="busy"))))
    assert [(each.field, each.systems) for each in refusals([("a", slept), ("b", polled)])] == [("poll", ("b",))]
    assert not {each.key for each in arms_of(slept)} & {each.key for each in arms_of(polled)}
    asleep = plan(experiment(treatments=(arm("apache", poll="sleep"), arm("nginx", poll="sleep"))))
    assert refusals([("a", slept), ("b", asleep)]) == []
