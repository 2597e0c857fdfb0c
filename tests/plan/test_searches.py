from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benches.verdicts.queues import record
from headtohead.analyze.capacity.next_trial import next_trial
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.quantity import Metric, Summary
from headtohead.model.study import trials
from headtohead.model.study.study import Experiment
from headtohead.model.study.workload import Load
from headtohead.plan.forecast.duration import search_s
from headtohead.plan.identity import inputs
from tests.plan.machines import machine
from tests.plan.studies import experiment, factor, planned, subject
from tests.plan.test_identity import identity

TWO = machine(cores=2)
ONE = factor("cpus", 1)
CAPACITY = Metric("capacity_per_s", "what holds", "1/s", "higher", ("carries more", "carries less"), "search")
SEARCH = Load(
    "sessions",
    {},
    {"rate_per_s": "search", "calls": 5},
    warm_up_s=1,
    measure_s=2,
    objective={"response_time_p99_ns": 2e8, "error_share": 0.005},
)
LADDER = Load("open", {"rate_per_s": (100, 200, 400)}, {"arrivals": "poisson"}, warm_up_s=1, measure_s=3)


def searching(load: Load = SEARCH) -> Experiment:
    asked = experiment(ONE, subjects=[subject("apache"), subject("nginx")], load=load)
    capacity = Summary("capacity_per_s", "capacity_per_s", "geometric-mean", {})
    return replace(asked, primary=capacity, summaries=(capacity,), metrics={CAPACITY.name: CAPACITY})


def test_a_run_of_a_search_has_one_case_without_fields() -> None:
    one = planned(searching(), machine=TWO)
    assert one.cases == (WHOLE_RUN,)
    assert all(run.cases == (WHOLE_RUN,) for run in one.runs)
    assert one.load.searches


def test_every_run_of_a_ladder_walks_every_rate() -> None:
    one = planned(experiment(ONE, subjects=[subject("nginx")], compare=None, load=LADDER), machine=TWO)
    assert one.cases == tuple(Case({"rate_per_s": rate}) for rate in (100, 200, 400))
    assert one.run_s["nginx"] == pytest.approx(1 + 3 * (0.35 + 1 + 3 + 0.3)), "each with a gate and a drain"


def test_the_length_of_a_search_is_that_of_the_slowest_setup() -> None:
    known = searching()
    slow = replace(known.subjects["apache"], usual_rate_per_s={"work": 1_000.0})
    one = planned(replace(known, subjects={**known.subjects, "apache": slow}), machine=TWO)
    assert one.run_s["apache"] > one.run_s["nginx"]
    assert f"assumes up to {one.run_s['apache']:.0f} s a run" in one.notes[-1]
    assert "as of a server that carries 1,000 requests/s" in one.notes[-1]


def test_a_search_is_forecast_from_its_trials_and_says_what_it_rests_on() -> None:
    one = planned(searching(), machine=TWO)
    # Over 6 blocks: 11 trials once and 10 five times, then 4 overloads each; the first trial warms up for a second.
    count = (11 + 5 * 10) / 6
    # An overload lasts a timeout of 5 s before it is measured for 2 s.
    overloads_s = 4 * (0.35 + 5 + 2) + (0.1 + 0.25 + 0.5 + 1.0) * (5 + 2)
    assert one.run_s["nginx"] == pytest.approx(1 + 1 + count * (0.35 + 0.5 + 2 + 0.3) + overloads_s)
    assert "trials of 2 s or 2000 requests" in one.notes[-1]
    assert planned(searching(LADDER), machine=TWO).notes == ()


def test_a_slow_server_whose_time_limit_may_bind_has_longer_trials_and_more_of_them() -> None:
    """200 ms at 1,000 requests/s are 200 requests of waiting: 16,000 requests a trial, and a quarter of that before."""
    most = 15 * (0.35 + 0.25 * 16 + 16 + 0.3)
    assert search_s(SEARCH, blocks=6, rate_per_s=1000) - search_s(SEARCH, blocks=6) == pytest.approx(
        most - (11 + 5 * 10) / 6 * (0.35 + 0.5 + 2 + 0.3)
    )
    far = replace(SEARCH, objective={"response_time_p99_ns": 9e9}, timeout_s=10)
    few = 15 * (0.35 + 0.5 + 4 + 0.3)
    quick = search_s(far, blocks=6, rate_per_s=1000)
    assert search_s(far, blocks=6, rate_per_s=500) - quick == pytest.approx(
        few - (11 + 5 * 10) / 6 * (0.35 + 0.5 + 2 + 0.3)
    ), "a time limit that does not bind, and trials that are longer to have 2,000 requests"
    times = [search_s(SEARCH, blocks=6, rate_per_s=rate) for rate in (10_000, 1_000, 100)]
    (note,) = planned(searching(), machine=TWO).notes
    assert f"assumes {times[0]:.0f} s a run" in note
    assert f"about {times[1]:.0f} s at 1,000 and {times[2]:.0f} s at 100 requests/s" in note


@pytest.mark.parametrize("rate_per_s", [50, 300, 1000, 4000, 20_000])
@pytest.mark.parametrize("limit_ns", [5e6, 2e8])
def test_the_trial_of_a_forecast_is_the_trial_of_the_search(rate_per_s: float, limit_ns: float) -> None:
    load = replace(SEARCH, loop="open", settings={"rate_per_s": "search"}, objective={"response_time_p99_ns": limit_ns})
    one = planned(searching(load), machine=TWO)
    first = next_trial(one, one.treatments[0], [], [])
    assert first is not None
    probe = record(first, sent=10, values={"goodput_per_s": rate_per_s / 0.7})
    trial = next_trial(one, one.treatments[0], [probe], [])
    assert trial is not None
    rate = float(trial.case["rate_per_s"])
    assert trial.measure_s == trials.measure_s(one.load, rate)
    assert trial.warm_up_s == trials.warm_up_s(one.load, rate, first=False)


def test_a_case_that_is_counted_says_what_its_forecast_rests_on() -> None:
    counted = Load("closed", {"connections": (10,)}, {"requests": 5000}, measure_s=3)
    one = planned(experiment(ONE, subjects=[subject("nginx")], compare=None, load=counted), machine=TWO)
    assert one.notes == ("A case ends after 5000 requests; the length of the study takes it that they last 3 s.",)


@given(blocks=st.integers(1, 40), measure_s=st.floats(0.5, 60))
def test_later_searches_are_shorter_and_longer_trials_longer(blocks: int, measure_s: float) -> None:
    load = replace(SEARCH, measure_s=measure_s)
    here = search_s(load, blocks=blocks)
    assert search_s(load, blocks=blocks + 1) < here
    assert search_s(replace(load, measure_s=measure_s * 2), blocks=blocks) > here
    assert search_s(load, blocks=blocks, parts=1) > here


def test_the_objective_makes_another_test() -> None:
    stricter = replace(SEARCH, objective={"response_time_p99_ns": 1e8, "error_share": 0.005})
    sooner = replace(SEARCH, settings={**SEARCH.settings, "calls": 10})
    assert len({identity(searching(load)) for load in (SEARCH, stricter, sooner, LADDER)}) == 4


def test_a_test_without_an_objective_is_told_apart_by_what_it_always_was() -> None:
    told = inputs(searching(LADDER), workload_sha256="w", data_sha256=None)
    assert "objective" not in told
    assert inputs(searching(), workload_sha256="w", data_sha256=None)["objective"] == SEARCH.objective
