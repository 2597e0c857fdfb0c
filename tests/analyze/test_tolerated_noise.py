"""Noise that a study tolerates: the runs that it disturbed count, and no verdict follows from them."""

import dataclasses

import pytest

from headtohead.analyze.findings import judge
from headtohead.analyze.study import analyze
from headtohead.model.finding import Severity
from headtohead.model.plan import PlannedExperiment
from headtohead.model.readings import Readings
from headtohead.model.record import LoadRecord, Recorded
from headtohead.model.study.workload import Load
from tests.analyze.building import blocks_of, experiment, load_record, readings, recorded, steady
from tests.analyze.seeding import ALONE, folder, judged

CLOSED = experiment(tolerates_noise=True)
OPEN = experiment(tolerates_noise=True, load=Load("open", {}, {}, warm_up_s=1, measure_s=3))
HOG = readings(busy_ns=0.99 + 0.7 + 0.005 + 0.5)


def with_values(**values: float) -> LoadRecord:
    plain = load_record(loop="open")
    return dataclasses.replace(plain, values={**plain.values, **values})


def beside_a_hog(of: PlannedExperiment, values: dict[str, list[float]]) -> list[Recorded]:
    """Return the runs of blocks beside a busy process, judged as the session does."""
    runs = [dataclasses.replace(each, readings=HOG) for each in blocks_of(values, of=of)]
    return judged(runs, of)


@pytest.mark.parametrize(
    ("name", "record", "monitors", "of"),
    [
        ("foreign-cpu", load_record(), HOG, CLOSED),
        ("steal", load_record(), readings(steal_ns=0.2), CLOSED),
        ("client-limited", with_values(driver_delay_s=1.0), readings(), CLOSED),
        ("client-limited", with_values(send_lag_p99_ns=5e6), readings(), OPEN),
    ],
)
def test_a_run_that_others_disturbed_counts_with_a_doubt_and_else_not(
    name: str, record: LoadRecord, monitors: Readings, of: PlannedExperiment
) -> None:
    one = recorded(records=[record], monitors=monitors)
    tolerated, strict = judge(one, of), judge(one, dataclasses.replace(of, tolerates_noise=False))
    assert [each.partition(":")[0] for each in strict.reasons] == [name]
    assert (tolerated.status, tolerated.reasons) == ("valid", ())
    assert [each.severity for each in tolerated.findings if each.id == name] == [Severity.DOUBT]


@pytest.mark.parametrize(
    ("name", "record", "monitors", "of"),
    [
        ("wrong-answer", load_record(errors={"wrong-status": 1}), readings(), CLOSED),
        ("client-limited", load_record(), readings(driver_cpu_ns=0.99, subject_cpu_ns=0.5), CLOSED),
        ("client-limited", with_values(rate_error=0.1), readings(), OPEN),
    ],
)
def test_what_measured_another_thing_is_no_noise(
    name: str, record: LoadRecord, monitors: Readings, of: PlannedExperiment
) -> None:
    judgment = judge(recorded(records=[record], monitors=monitors), of)
    assert judgment.status == "invalid"
    assert [each.partition(":")[0] for each in judgment.reasons] == [name]


def test_no_verdict_is_given_however_large_the_difference_and_the_ratio_stays() -> None:
    values = {"apache": steady(1000), "nginx": steady(2000)}
    told = analyze(folder(beside_a_hog(CLOSED, values), CLOSED)).experiments[0]
    (comparison,) = told.comparisons
    assert (comparison.verdict, len(comparison.blocks)) == ("inconclusive", 6)
    assert comparison.ratio is not None
    assert comparison.ratio.value == pytest.approx(2.0, rel=0.01)
    first = told.findings[0]
    assert (first.id, first.severity, first.of) == ("noise-tolerated", Severity.INVALID, ())
    assert (first.evidence["runs"], first.evidence["of_runs"]) == (12, 12)
    assert comparison.because == first.says
    assert "not-as-recorded" not in [each.id for each in told.findings], "the analysis judges as the session did"


def test_a_client_in_process_is_not_disturbed_by_what_it_waits_for_itself() -> None:
    late = [with_values(driver_delay_s=1.0)]
    runs = [
        dataclasses.replace(each, records=tuple(late))
        for each in blocks_of({"apache": steady(1000), "nginx": steady(2000)})
    ]
    inside = [
        dataclasses.replace(each, run=dataclasses.replace(each.run, in_process=True), readings=ALONE) for each in runs
    ]
    counts = [analyze(folder(each, CLOSED)).experiments[0].findings[0].evidence["runs"] for each in (runs, inside)]
    assert counts == [12, 0]


def test_without_tolerance_the_same_runs_do_not_count() -> None:
    strict = experiment()
    runs = beside_a_hog(strict, {"apache": steady(1000), "nginx": steady(2000)})
    assert {each.run.status for each in runs} == {"invalid"}
    assert "noise-tolerated" not in [each.id for each in analyze(folder(runs, strict)).experiments[0].findings]


def test_a_quiet_machine_changes_nothing_about_that() -> None:
    runs = blocks_of({"apache": steady(1000), "nginx": steady(2000)}, of=CLOSED)
    told = analyze(folder(runs, CLOSED)).experiments[0]
    assert told.comparisons[0].verdict == "inconclusive"
    assert told.findings[0].says.startswith("Noise was tolerated: none of 12 runs had any, so without")
