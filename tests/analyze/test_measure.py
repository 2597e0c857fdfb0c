import dataclasses

import pytest

from headtohead.analyze.breakdown.cost.cpu_and_bytes_per_response import costs
from headtohead.analyze.samples.refused_quantiles import refused_quantiles
from headtohead.analyze.samples.values_from_records import keys, measurements, values_of
from headtohead.model.analysis.curves import RefusedQuantile
from headtohead.model.analysis.estimates import Key
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.quantiles import quantile_of
from headtohead.model.quantity import By, Metric, Summary
from headtohead.model.study.workload import Load
from tests.analyze.building import (
    GOODPUT,
    OPERATIONS,
    OVERALL,
    P99,
    PER_COPY,
    batch_experiment,
    batch_record,
    experiment,
    load_record,
    plan,
    readings,
    recorded,
    run,
)

TEN, HUNDRED = {"connections": 10}, {"connections": 100}
TWO_CASES = experiment(cases=(TEN, HUNDRED))


def test_a_load_metric_is_read_from_the_record_of_its_case() -> None:
    one = recorded(records=[load_record(400, case=TEN), load_record(900, case=HUNDRED)])
    values = values_of(TWO_CASES, one)
    assert values[Key(Case.parse("connections=10"), "goodput_per_s")] == 400
    assert values[Key(WHOLE_RUN, "overall")] == pytest.approx(600)


def test_a_missing_case_makes_the_summary_absent() -> None:
    values = values_of(TWO_CASES, recorded(records=[load_record(400, case=TEN)]))
    assert Key(Case.parse("connections=10"), "goodput_per_s") in values
    assert Key(WHOLE_RUN, "overall") not in values


def test_a_null_figure_is_absent_and_not_zero() -> None:
    one = recorded(records=[load_record(values={"goodput_per_s": None})])
    assert Key(WHOLE_RUN, "goodput_per_s") not in values_of(experiment(), one)


def test_a_time_that_a_few_requests_ended_tells_how_long_they_took_and_no_rate() -> None:
    of = experiment(load=Load("closed", {}, {"requests": 3}, warm_up_s=1, measure_s=3))
    rates = {"goodput_per_s": 1000.0, "response_rate_per_s": 1000.0}
    few, enough = (recorded(records=[load_record(sent=sent, values=rates)]) for sent in (49, 50))

    assert Key(WHOLE_RUN, "goodput_per_s") not in values_of(of, few)
    assert Key(WHOLE_RUN, "goodput_per_s") in values_of(of, enough)
    assert Key(WHOLE_RUN, "goodput_per_s") in values_of(experiment(), few)
    assert costs(of, [few]) == ()
    assert costs(of, [enough]) != ()


def test_a_case_walked_again_counts_as_it_was_the_last_time() -> None:
    one = recorded(records=[load_record(1), load_record(2)])
    assert values_of(experiment(), one)[Key(WHOLE_RUN, "overall")] == 2


@pytest.mark.parametrize(("by", "expected"), [("mean", 650), ("max", 900), ("min", 400), ("geometric-mean", 600)])
def test_a_summary_is_by_what_it_says(by: By, expected: float) -> None:
    summary = dataclasses.replace(OVERALL, by=by)
    chosen = dataclasses.replace(TWO_CASES, primary=summary, summaries=(summary,))
    one = recorded(records=[load_record(400, case=TEN), load_record(900, case=HUNDRED)])
    assert values_of(chosen, one)[Key(WHOLE_RUN, "overall")] == pytest.approx(expected)


def test_a_summary_takes_the_cases_that_lie_in_where() -> None:
    many = Summary("many", "goodput_per_s", "mean", {"connections": (100, 200)})
    chosen = dataclasses.replace(TWO_CASES, summaries=(OVERALL, many))
    one = recorded(records=[load_record(400, case=TEN), load_record(900, case=HUNDRED)])
    assert values_of(chosen, one)[Key(WHOLE_RUN, "many")] == 900


def test_batch_work_is_divided_by_its_time() -> None:
    one = recorded(run("cpus=1"), records=[batch_record(123.0)])
    assert values_of(batch_experiment(), one)[Key(WHOLE_RUN, "operations_per_s")] == pytest.approx(123)


def test_work_counted_in_something_else_gives_no_rate() -> None:
    one = recorded(run("cpus=1"), records=[batch_record(work_in="bytes")])
    assert values_of(batch_experiment(), one) == {}


def test_a_metric_per_copy_is_divided_by_the_record_s_own_figure() -> None:
    chosen = batch_experiment(metrics={each.name: each for each in (OPERATIONS, PER_COPY)})
    values = values_of(chosen, recorded(records=[batch_record(100.0, metrics={"copies": 4})]))
    assert values[Key(WHOLE_RUN, "copy_operations_per_s")] == pytest.approx(25)
    assert Key(WHOLE_RUN, "copy_operations_per_s") not in values_of(chosen, recorded(records=[batch_record(100.0)]))


def test_a_record_whose_program_adds_fields_still_belongs_to_its_case() -> None:
    chosen = batch_experiment(cases=({"bits": 2048},))
    values = values_of(chosen, recorded(records=[batch_record(5.0, case=Case({"bits": "2048", "padding": "none"}))]))
    assert values[Key(Case.parse("bits=2048"), "operations_per_s")] == pytest.approx(5)


def test_a_quantile_with_fewer_than_100_requests_beyond_it_is_refused_in_every_run() -> None:
    few = recorded(run(number=2, block=2), records=[load_record(sent=9_999)])
    lines = measurements(plan(), [recorded(), few])
    assert "response_time_p99_ns" not in {each.metric for each in lines}
    enough = measurements(plan(), [recorded(), recorded(run(number=2, block=2), records=[load_record(sent=10_000)])])
    assert "response_time_p99_ns" in {each.metric for each in enough}


@pytest.mark.parametrize(
    ("name", "expected"),
    [("response_time_p50_ns", 0.5), ("send_lag_p99_ns", 0.99), ("response_time_max_ns", None), ("p_value", None)],
)
def test_a_quantile_is_told_by_its_name(name: str, expected: float | None) -> None:
    assert quantile_of(name) == expected


def test_measurements_keep_runs_that_do_not_count_with_their_status() -> None:
    lines = measurements(plan(), [recorded(run(status="invalid", reasons=("steal: 5 %",)))])
    assert {each.status for each in lines} == {"invalid"}
    assert [each.value for each in lines if each.metric == "subject_memory_peak_bytes"] == [10_000_000]


def test_measurements_come_in_the_order_of_the_runs_with_the_primary_first() -> None:
    lines = measurements(plan(), [recorded(run(number=2, block=2)), recorded(run(number=1))])
    assert [each.run for each in lines] == sorted(each.run for each in lines)
    assert lines[0].metric == "overall"


def test_every_key_is_listed_once() -> None:
    listed = keys(TWO_CASES)
    assert len(listed) == len(set(listed)) == 1 + 2 * 2 + 1


def cost(name: str, unit: str) -> Metric:
    return Metric(name, name, unit, "lower", ("leaner", "hungrier"), "load")


def test_what_an_answer_cost_is_worked_out_from_records_and_readings() -> None:
    metrics = [cost("subject_cpu_ns_per_answer", "ns"), cost("received_bytes_per_answer", "B")]
    metrics += [cost("subject_cpu_ns_per_handshake", "ns"), cost("error_share", "1")]
    of = experiment(metrics={each.name: each for each in (GOODPUT, *metrics)})
    told = {"goodput_per_s": 990.0, "response_rate_per_s": 1000.0, "received_bytes_per_s": 19_000_000.0}
    record = dataclasses.replace(load_record(sent=3000, errors={"timeout": 30, "unfinished": 500}), values=told)
    values = values_of(of, recorded(records=[record], monitors=readings(subject_cpu_ns=0.5)))
    assert values[Key(WHOLE_RUN, "subject_cpu_ns_per_answer")] == pytest.approx(0.5e9 / 1000)
    assert values[Key(WHOLE_RUN, "received_bytes_per_answer")] == pytest.approx(19_000)
    assert values[Key(WHOLE_RUN, "error_share")] == pytest.approx(0.01)
    assert Key(WHOLE_RUN, "subject_cpu_ns_per_handshake") not in values
    often = dataclasses.replace(record, values={**told, "handshakes_per_s": 1000.0})
    values = values_of(of, recorded(records=[often], monitors=readings(subject_cpu_ns=0.5)))
    assert values[Key(WHOLE_RUN, "subject_cpu_ns_per_handshake")] == pytest.approx(0.5e6)


def test_a_cost_without_readings_is_missing_and_not_zero() -> None:
    metric = cost("subject_cpu_ns_per_answer", "ns")
    record = dataclasses.replace(load_record(), values={"response_rate_per_s": 1000.0})
    blind = dataclasses.replace(recorded(records=[record]), readings=None)
    assert Key(WHOLE_RUN, metric.name) not in values_of(
        experiment(metrics={metric.name: metric, GOODPUT.name: GOODPUT}), blind
    )


def test_a_quantile_that_a_run_cannot_carry_is_refused_with_what_it_needs_and_what_the_smallest_run_had() -> None:
    few = [recorded(run(block=block), records=[load_record(sent=sent)]) for block, sent in ((1, 4211), (2, 50_000))]
    own = experiment(treatments=experiment().treatments[1:])
    assert refused_quantiles(own, few) == (RefusedQuantile(WHOLE_RUN, P99.name, "nginx", 10_000, 4_211),)
    many = [recorded(run(block=block), records=[load_record(sent=10_000)]) for block in (1, 2)]
    assert refused_quantiles(own, many) == ()
