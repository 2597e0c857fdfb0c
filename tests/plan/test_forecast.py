"""What runs and studies are forecast to take, and the smallest difference that they can show."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headtohead.describe.catalog import read_metrics
from headtohead.describe.home import find_home
from headtohead.describe.subject.subjects import read_all as read_subjects
from headtohead.describe.workload.workloads import read_all as read_workloads
from headtohead.model.case import Case
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.study.subject import Batch
from headtohead.plan.forecast import duration as forecast
from tests.plan.machines import machine
from tests.plan.studies import SERVED, WORKED, experiment, factor, plan, planned, subject

ONE = factor("cpus", 1)
APACHE, NGINX, NOOP = subject("apache"), subject("nginx"), subject("noop", floor=True)
OPENSSL = subject("openssl", batch=True)
TWO = machine(cores=2)
FOUR = machine(cores=4)


def test_a_run_is_forecast_from_its_cases_and_its_starts() -> None:
    served = planned(experiment(ONE, subjects=[APACHE, NGINX]), machine=TWO)
    assert served.run_s["nginx"] == pytest.approx(1 + 2 * (0.35 + 1 + 3))
    worked = planned(experiment(factor("cpus", 1, 2), subjects=[OPENSSL], compare="cpus", load=WORKED), machine=TWO)
    assert worked.run_s["openssl cpus=1"] == pytest.approx(1 + 2 * 0.35 + 4 * 1), "two starts, four records of a second"


def test_a_number_of_requests_takes_as_long_as_at_the_usual_rate_of_the_subject_on_its_cpus() -> None:
    counted = replace(SERVED, settings={"requests": 100_000})
    known = replace(APACHE, usual_rate_per_s={"work": 5_000.0, "another": 1.0})
    asked = experiment(factor("cpus", 1, 2), subjects=[known], compare="cpus", load=counted)
    found = planned(asked, machine=FOUR)
    assert found.run_s["apache cpus=1"] == pytest.approx(1 + 2 * (0.35 + 1 + 20))
    assert found.run_s["apache cpus=2"] == pytest.approx(1 + 2 * (0.35 + 1 + 10))
    assert any("up to 20.0 s" in note for note in found.notes)
    unknown = planned(experiment(ONE, subjects=[APACHE, NGINX], load=counted), machine=FOUR)
    assert unknown.run_s["nginx"] == pytest.approx(1 + 2 * (0.35 + 1 + 3))


def test_a_usual_rate_of_a_level_goes_before_that_of_the_workload() -> None:
    counted = replace(SERVED, settings={"requests": 100_000})
    known = replace(APACHE, usual_rate_per_s={"work": 5_000.0, "work cpus=2": 2_500.0, "work cpus=4": 1.0})
    asked = experiment(factor("cpus", 1, 2), subjects=[known], compare="cpus", load=counted)
    found = planned(asked, machine=FOUR)
    assert found.run_s["apache cpus=1"] == pytest.approx(1 + 2 * (0.35 + 1 + 20))
    assert found.run_s["apache cpus=2"] == pytest.approx(1 + 2 * (0.35 + 1 + 20)), "half of the rate on each CPU"


def test_every_usual_rate_is_of_a_workload_that_there_is_and_a_level_of_its_factors() -> None:
    home = find_home()
    asked = read_workloads(home, read_metrics(home))
    named = [(name, each) for each in read_subjects(home).values() for name in each.usual_rate_per_s]
    assert len(named) > 10
    for name, each in named:
        of, _, level = name.partition(" ")
        assert asked[of].asks in each.serves
        factor_of, _, value = level.partition("=")
        if level:
            levels = asked[of].factors[factor_of].levels
            assert isinstance(levels, tuple)
            assert value in map(scalar_text, levels)


def test_what_a_start_takes_is_forecast_beside_the_seconds_of_its_cases_and_in_place_of_them() -> None:
    def run_s(takes_s: float | None, settings: Mapping[str, Scalar]) -> float:
        batch = Batch(("work", "@bits@"), None, takes_s=takes_s)
        asked = experiment(
            factor("cpus", 1, 2),
            subjects=[replace(OPENSSL, batch=batch)],
            compare="cpus",
            load=replace(WORKED, settings=settings),
        )
        return planned(asked, machine=TWO).run_s["openssl cpus=1"]

    assert run_s(7, {"seconds": 2}) == pytest.approx(1 + 2 * (0.35 + 7) + 4 * 2), "two starts, four cases"
    assert run_s(7, {}) == pytest.approx(1 + 2 * (0.35 + 7))
    assert run_s(None, {}) == pytest.approx(1 + 2 * 0.35 + 4 * 1), "nobody says: a second for each case"


def test_the_data_that_a_start_moves_takes_its_time_at_the_rate_of_the_link() -> None:
    batch = Batch(("work", "@processes@"), None, takes_s=7, moves_mib=("processes", "size_mib"))
    load = replace(WORKED, cases={"processes": (1, 4)}, settings={"size_mib": 2048})
    cases = (Case({"processes": 1}), Case({"processes": 4}))

    def moving_s(rate_mbit: int | None) -> float:
        taken_s = forecast.run_s(replace(OPENSSL, batch=batch), load, cases=cases, rate_mbit=rate_mbit)
        return taken_s - (1 + 2 * (0.35 + 7))

    assert moving_s(1000) == pytest.approx(5 * 2048 * 1024**2 / 125e6 * 1538 / 1448), "91 s for 10 GiB over 1 Gbit/s"
    assert moving_s(None) == pytest.approx(5 * 2048 / 1500)
    assert moving_s(100_000) == moving_s(None), "a faster link does not make disks faster"


def test_of_all_that_is_asked_without_seconds_its_program_says_what_a_start_takes() -> None:
    home = find_home()
    untold = {
        each.asks: subject.name
        for each in read_workloads(home, read_metrics(home)).values()
        for subject in read_subjects(home).values()
        if each.asks in subject.serves and (program := subject.batch or subject.driver) and program.takes_s is None
        if "seconds" not in {*each.load.settings, *each.load.cases}
    }
    assert untold == {}


def test_a_study_is_forecast_to_its_first_looks_and_to_its_last() -> None:
    asked = plan(experiment(ONE, subjects=[APACHE, NGINX]), machine=TWO)
    first, last = forecast.duration_s(asked)
    assert first == pytest.approx(6 * 2 * 9.7)
    assert last == pytest.approx(10 * 2 * 9.7)


def test_the_smallest_ratio_is_that_of_the_method() -> None:
    # METHOD.md section 2.1: 80 % power at delta / s = 1 takes 10 blocks at 5 %; the formula is a little optimistic.
    ratio = forecast.detectable(10, spread=0.03, alpha=0.05)
    assert ratio == pytest.approx(1.03, abs=0.001)
    assert forecast.detectable(1, spread=0.03, alpha=0.05) is None
    one = planned(experiment(ONE, subjects=[APACHE, NGINX]), machine=TWO)
    at_first, at_last, quiet = (
        forecast.smallest_ratio(one, look=0),
        forecast.smallest_ratio(one),
        forecast.smallest_ratio(one, spread=0.01),
    )
    assert quiet is not None
    assert at_last is not None
    assert at_first is not None
    assert at_first > at_last > quiet
    assert forecast.smallest_ratio(replace(one, comparisons=())) is None


@given(spread=st.floats(0.001, 0.2), blocks=st.integers(2, 60))
def test_more_blocks_and_less_spread_show_smaller_ratios(spread: float, blocks: int) -> None:
    here = forecast.detectable(blocks, spread=spread, alpha=0.028)
    more = forecast.detectable(blocks + 1, spread=spread, alpha=0.028)
    quieter = forecast.detectable(blocks, spread=spread / 2, alpha=0.028)
    assert here is not None
    assert more is not None
    assert quieter is not None
    assert 1 < more < here
    assert 1 < quieter < here
