"""What an experiment of searches comes to: capacities compared, the curve, what is left past the capacity, the cost."""

import dataclasses
from functools import lru_cache

import numpy as np
import pytest

from headtohead.analyze.capacity.search_result import search_values
from headtohead.analyze.samples import values_from_records
from headtohead.analyze.study import analyze
from headtohead.model.analysis.estimates import Key
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import Metric, Summary
from headtohead.model.record import LoadRecord, Recorded
from tests.analyze.bucket import LOAD, Bucket, search
from tests.analyze.building import MEMORY, experiment, plan, readings, recorded, recording, run

CAPACITY = Metric("capacity_per_s", "capacity", "1/s", "higher", ("carries more", "carries less"), "search")
OVERLOAD = Metric("overload_goodput_share", "share", "1", "higher", ("keeps more", "keeps less"), "search")
PRIMARY = Summary("capacity_per_s", "capacity_per_s", "geometric-mean", {})
WORST = Summary("overload_goodput_share", "overload_goodput_share", "min", {})


def searched() -> PlannedExperiment:
    metrics = {each.name: each for each in (CAPACITY, OVERLOAD, MEMORY)}
    return experiment(load=LOAD, primary=PRIMARY, summaries=(PRIMARY, WORST), metrics=metrics, cases=({},))


@lru_cache(maxsize=1)
def runs() -> tuple[Recorded, ...]:
    """Six blocks of apache at 1000/s and nginx at 2000/s; the later runs begin where the earlier ones ended."""
    rng, of, made = np.random.default_rng(6), searched(), list[Recorded]()
    for block in range(1, 7):
        for place, (label, capacity) in enumerate((("apache", 1000.0), ("nginx", 2000.0)), start=1):
            earlier = tuple(each for each in made if each.run.label == label)
            found = search(Bucket(capacity, rng, 0.01), of=of, earlier=earlier)
            one = run(label, number=len(made) + 1, block=block, place=place)
            long = readings(30.0, subject_cpu_ns=0.9)
            made.append(recorded(one, records=[placed(each) for each in found.records], monitors=long))
    return tuple(made)


def placed(record: LoadRecord) -> LoadRecord:
    """Return the record from second 2 of its run on, with what an answer of 1000 bytes would have told."""
    rate = record.values["goodput_per_s"]
    assert rate is not None
    told = {"response_rate_per_s": rate, "received_bytes_per_s": 1000 * rate}
    return dataclasses.replace(
        record, from_ns=2 * 10**9, to_ns=2 * 10**9 + record.elapsed_ns, values={**record.values, **told}
    )


@lru_cache(maxsize=1)
def result() -> ExperimentResult:
    return analyze(recording(runs(), of=plan(searched()))).experiments[0]


def test_capacities_are_compared_as_any_other_value() -> None:
    (comparison,) = result().comparisons
    assert comparison.verdict == "better"
    assert comparison.ratio is not None
    assert comparison.ratio.value == pytest.approx(2, rel=0.05)


def test_measurements_hold_the_capacity_and_what_is_left_past_it_but_no_single_trial() -> None:
    lines = values_from_records.measurements(plan(searched()), runs()[:1])
    assert [(each.case.text, each.metric) for each in lines] == [
        ("", "capacity_per_s"),
        ("", "overload_goodput_share"),
        *((f"overload_percent={each}", "overload_goodput_share") for each in (110, 125, 150, 200)),
        ("", "subject_memory_peak_bytes"),
    ]
    worst = next(each.value for each in lines if each.metric == "overload_goodput_share")
    assert worst == min(each.value for each in lines if each.case)


def test_a_token_bucket_loses_nothing_past_its_capacity() -> None:
    cells = [each for each in result().treatments[0].cells if each.metric == "overload_goodput_share"]
    assert len(cells) == 5
    assert all(0.95 < each.estimate.value < 1.05 for each in cells)


def test_an_overload_that_the_driver_could_not_offer_is_left_out_and_the_worst_with_it() -> None:
    records = list(runs()[0].records)
    last = records[-1]
    assert isinstance(last, LoadRecord)
    records[-1] = dataclasses.replace(last, values={**last.values, "send_lag_p99_ns": 11e6})
    told = search_values(records, LOAD)
    assert Key(Case.parse("overload_percent=150"), "overload_goodput_share") in told
    assert Key(Case.parse("overload_percent=200"), "overload_goodput_share") not in told
    assert Key(WHOLE_RUN, "overload_goodput_share") not in told


def test_the_curve_holds_every_rate_offered_up_to_twice_the_capacity() -> None:
    nginx = result().treatments[1]
    offered = [each.offered_load_per_s for each in nginx.curve]
    assert {each.run for each in nginx.curve} == {each.run for each in nginx.searches}
    assert max(offered) == pytest.approx(4000, rel=0.1)
    for each in nginx.curve:
        assert (each.held is None) == (each.overload_percent is not None)
        if each.offered_load_per_s > 2300:
            assert each.held is not True
    assert all(each.interval.low <= each.capacity_per_s <= each.interval.high for each in nginx.searches)


def test_later_searches_start_without_a_probe_and_take_about_as_many_trials_as_the_first() -> None:
    first, *later = result().treatments[0].searches
    assert np.mean([each.trials for each in later]) <= first.trials + 1


def test_an_answer_costs_what_the_subject_used_at_the_highest_load_that_held() -> None:
    (cost,) = result().treatments[0].costs
    assert cost.case == WHOLE_RUN
    assert cost.received_bytes_per_answer is not None
    assert cost.received_bytes_per_answer.value == pytest.approx(1000)
    assert cost.subject_cpu_ns_per_answer is not None
    assert cost.subject_cpu_ns_per_answer.value == pytest.approx(0.9e9 / 1000, rel=0.1)


def test_what_limited_it_is_told_at_the_capacity_and_past_it_not_trial_by_trial() -> None:
    cases = [each.case.text for each in result().treatments[0].limits]
    assert cases == ["highest load that held", *(f"overload_percent={each}" for each in (110, 125, 150, 200))]


def test_the_card_names_the_loop_and_its_arrivals() -> None:
    card = result().treatments[0].card
    assert card is not None
    assert card.loop.startswith("open loop, Poisson arrivals, rate searched for")
