import dataclasses
from typing import Any

import pytest

from headtohead.analyze.findings import LOOKS_FOR, Judgment, judge
from headtohead.model.case import Case
from headtohead.model.finding import Severity
from headtohead.model.plan import PlannedExperiment
from headtohead.model.readings import Readings
from headtohead.model.record import Phase, Recorded
from tests.analyze.building import (
    batch_experiment,
    batch_record,
    experiment,
    load_record,
    readings,
    recorded,
    run,
    treatment,
    without,
)


def judged(one: Recorded, of: PlannedExperiment | None = None) -> Judgment:
    return judge(one, of or experiment())


def watched(monitors: Readings) -> Judgment:
    return judged(recorded(monitors=monitors))


def ids(judgment: Judgment, severity: Severity) -> list[str]:
    return [each.id for each in judgment.findings if each.severity is severity]


def with_subject(**changes: Any) -> PlannedExperiment:  # noqa: ANN401
    return experiment(treatments=(treatment("apache"), treatment("nginx", **changes)))


def test_a_quiet_run_is_valid_and_nothing_is_noticed() -> None:
    judgment = judged(recorded())
    assert (judgment.status, judgment.reasons, judgment.findings) == ("valid", (), ())
    assert judgment.cpu_use.subject == pytest.approx(3 * 0.99)


def test_others_on_the_machine_make_a_run_invalid() -> None:
    judgment = watched(readings(busy_ns=0.99 + 0.7 + 0.005 + 0.31))
    assert judgment.status == "invalid"
    assert judgment.reasons == ("foreign-cpu: other processes used 0.31 CPU (limit 0.10)",)


def test_the_reason_names_the_case() -> None:
    case = {"connections": 10}
    one = recorded(records=[load_record(case=case)], monitors=readings(busy_ns=2.0))
    assert "in connections=10" in judged(one, experiment(cases=(case,))).reasons[0]


@pytest.mark.parametrize(
    ("length_s", "others", "status"),
    [
        (0.1, 0.39, "valid"),  # 39 ms, of which ticks may be 30; 10 are allowed
        (0.1, 0.41, "invalid"),
        (0.25, 0.21, "valid"),  # 52.5 ms, of which ticks may be 30; 25 are allowed
        (0.25, 0.23, "invalid"),
        (3.0, 0.105, "valid"),  # 315 ms, of which ticks may be 30; 300 are allowed
        (3.0, 0.115, "invalid"),
    ],
)
def test_three_ticks_of_the_clock_are_no_foreign_cpu(length_s: float, others: float, status: str) -> None:
    record = load_record(from_ns=2_000_000_000, to_ns=2_000_000_000 + round(length_s * 1e9))
    busy = readings(busy_ns=0.99 + 0.7 + 0.005 + others)
    assert judged(recorded(records=[record], monitors=busy)).status == status


def test_others_may_run_outside_the_measured_time() -> None:
    quiet = readings()
    at = quiet.columns.index("busy_ns")
    rows = tuple(
        (*row[:at], (row[at] or 0) + (1e9 if (row[0] or 0) > 5.5e9 else 0), *row[at + 1 :]) for row in quiet.rows
    )
    assert judged(recorded(monitors=Readings(quiet.columns, rows))).status == "valid"


def test_stolen_time_makes_a_run_invalid() -> None:
    assert (
        watched(readings(cpu0_steal_ns=0.03, cpu1_steal_ns=0.03))
        .reasons[0]
        .startswith("steal: the hypervisor took 3.0 %")
    )
    assert watched(readings(cpu0_steal_ns=0.01, cpu1_steal_ns=0.02)).status == "valid"


def test_a_quota_that_is_no_factor_makes_a_run_invalid() -> None:
    one = recorded(run(usage={"throttled_periods": 3.0}))
    assert judged(one).reasons[0].startswith("throttled: ")
    assert judged(one, with_subject(cpu_quota=0.85)).status == "valid"


def test_a_process_killed_for_memory_makes_a_run_invalid() -> None:
    assert judged(recorded(run(usage={"oom_kills": 1.0}))).reasons[0].startswith("memory-killed: ")


@pytest.mark.parametrize("fault", ["ports", "descriptors"])
def test_a_driver_out_of_ports_or_descriptors_makes_a_run_invalid(fault: str) -> None:
    judgment = judged(recorded(records=[load_record(errors={fault: 7})]))
    assert judgment.reasons[0].startswith("driver-resources: ")


@pytest.mark.parametrize("kind", ["wrong-status", "wrong-length", "wrong-body"])
def test_one_wrong_answer_makes_a_run_invalid(kind: str) -> None:
    assert judged(recorded(records=[load_record(errors={kind: 1})])).reasons[0].startswith("wrong-answer: 1 ")


def test_a_run_in_which_no_request_ended_is_invalid_and_its_rate_of_zero_counts_nowhere() -> None:
    silent = load_record(values={"goodput_per_s": 0.0}, sent=0, right=0)
    judgment = judged(recorded(records=[silent]))
    assert judgment.status == "invalid"
    assert judgment.reasons[0].startswith("no-response: no request ended in the measured ")
    with_errors = dataclasses.replace(silent, errors={"timeout": 4})
    assert judged(recorded(records=[with_errors])).status == "valid", "timeouts are a result"
    due = load_record(values={"goodput_per_s": 0.0, "response_rate_per_s": 0.0}, sent=2, right=2)
    assert judged(recorded(records=[due])).status == "invalid", "they were due in the time, and came after it"


def test_timeouts_are_errors_but_no_reason_against_a_run() -> None:
    assert judged(recorded(records=[load_record(errors={"timeout": 5})])).status == "valid"


def test_a_driver_kept_from_its_cpu_limits_the_client() -> None:
    late = load_record(values={"goodput_per_s": 1.0, "driver_delay_s": 0.2})
    assert judged(recorded(records=[late])).reasons[0].startswith("client-limited: ")


def test_a_full_driver_and_a_subject_with_time_left_limit_the_client() -> None:
    assert watched(readings(driver_cpu_ns=0.97, subject_cpu_ns=0.8)).reasons[0].startswith("client-limited: ")


def test_a_full_driver_beside_a_full_subject_is_a_doubt_only() -> None:
    judgment = watched(readings(driver_cpu_ns=0.97, subject_cpu_ns=0.99))
    assert judgment.status == "valid"
    assert ids(judgment, Severity.DOUBT) == ["driver-busy"]


def test_a_floor_may_be_limited_by_its_driver() -> None:
    one = recorded(monitors=readings(driver_cpu_ns=0.99, subject_cpu_ns=0.3))
    assert judged(one, with_subject(floor=True)).findings == ()


def test_a_quota_counts_as_the_subject_s_capacity() -> None:
    one = recorded(monitors=readings(driver_cpu_ns=0.97, subject_cpu_ns=0.5))
    assert judged(one, with_subject(cpu_quota=0.5)).status == "valid"


def test_a_shared_driver_may_take_a_twentieth_of_the_subject_s_time() -> None:
    shared = experiment(share_driver=True, treatments=(treatment("apache"), treatment("nginx", driver_cpus=(0,))))
    heavy = recorded(monitors=readings(driver_cpu_ns=0.06, subject_cpu_ns=0.9))
    light = recorded(monitors=readings(driver_cpu_ns=0.03, subject_cpu_ns=0.9))
    assert judged(heavy, shared).reasons[0].startswith("client-limited: the load generator shared")
    assert judged(light, shared).status == "valid"


def test_a_busy_harness_is_a_doubt() -> None:
    assert ids(watched(readings(harness_cpu_ns=0.03)), Severity.DOUBT) == ["harness-busy"]


def test_a_gate_that_gave_up_is_a_doubt() -> None:
    marked = run(gates=({"case": "", "quiet": False, "waited_s": 15.0, "foreign_cpus": 0.07},))
    judgment = judged(recorded(marked))
    assert (judgment.status, ids(judgment, Severity.DOUBT)) == ("valid", ["not-quiet"])


def test_a_run_that_nobody_watched_is_a_doubt() -> None:
    assert ids(watched(without(readings(), "busy_ns")), Severity.DOUBT) == ["unwatched"]


def test_the_driver_s_own_word_stands_in_for_its_reading() -> None:
    own = load_record(values={"goodput_per_s": 1.0, "driver_cpu_s": 2.1})
    judgment = judged(recorded(records=[own], monitors=without(readings(), "driver_cpu_ns")))
    assert judgment.cpu_use.driver == 2.1


def test_a_run_that_is_still_being_made_is_judged_by_the_cases_that_it_has() -> None:
    cases = ({"connections": 10}, {"connections": 100})
    one = recorded(records=[load_record(case=cases[0])])
    assert judged(one, experiment(cases=cases)).status == "valid"


def test_a_case_walked_again_is_judged_as_it_was_the_last_time() -> None:
    bad = load_record(errors={"wrong-body": 1})
    assert judged(recorded(records=[bad, load_record()])).status == "valid"
    assert judged(recorded(records=[load_record(), bad])).status == "invalid"


def test_a_batch_case_is_judged_in_the_phase_that_measured_it() -> None:
    phases = tuple(
        Phase("measure", Case({"bits": bits}), from_ns, from_ns + 2_000_000_000)
        for bits, from_ns in ((2048, 1_000_000_000), (4096, 4_000_000_000))
    )
    cases = tuple({"bits": bits, "operation": "sign"} for bits in (2048, 4096))
    one = recorded(
        run("cpus=1", phases=phases), records=[batch_record(case=each) for each in cases], monitors=readings()
    )
    judgment = judged(one, batch_experiment(cases=cases))
    assert judgment.status == "invalid"
    assert judgment.cpu_use.subject == pytest.approx(4 * 0.99)


def test_cases_that_share_a_phase_are_counted_once() -> None:
    cases = tuple({"kernel": each} for each in ("fft", "triad"))
    alone = readings(driver_cpu_ns=0.0)
    one = recorded(run("cpus=1"), records=[batch_record(case=each) for each in cases], monitors=alone)
    judgment = judged(one, batch_experiment(cases=cases))
    assert judgment.status == "valid"
    assert judgment.cpu_use.subject == pytest.approx(5 * 0.99)


def test_a_failed_run_stays_failed_with_its_own_reasons() -> None:
    failed = run(status="failed", reasons=("not-ready: no answer within 10 s",))
    judgment = judged(recorded(failed, records=[]))
    assert (judgment.status, judgment.reasons) == ("failed", failed.reasons)


def test_reasons_that_a_run_came_with_stay() -> None:
    judgment = judged(recorded(run(reasons=("read-back: cpus are 0-1, not 0",))))
    assert (judgment.status, len(judgment.reasons)) == ("invalid", 1)


def test_judging_twice_changes_nothing() -> None:
    one = recorded(monitors=readings(busy_ns=2.0))
    first = judged(one)
    told = dataclasses.replace(one.run, status=first.status, reasons=first.reasons)
    assert judged(dataclasses.replace(one, run=told)) == first


@pytest.mark.parametrize("factor", [1e-3, 1.0, 1e3])
def test_the_judge_never_looks_at_the_result(factor: float) -> None:
    noisy = readings(busy_ns=2.0, driver_cpu_ns=0.85)
    other = judged(recorded(records=[load_record(1000 * factor)], monitors=noisy))
    assert other == judged(recorded(monitors=noisy))


def test_every_doubt_is_in_the_list_once() -> None:
    names = [each.__name__ for each in LOOKS_FOR]
    assert len(names) == len(set(names)) == 25
