"""Seeded violations of rules that a claim must keep (METHOD.md 9): each is caught, and clean studies are not."""

import dataclasses
from collections.abc import Mapping, Sequence

import pytest

from headtohead.analyze.analyze import analyze
from headtohead.model.finding import Severity
from headtohead.model.plan import Comparison, PlannedExperiment
from headtohead.model.quantity import Summary
from headtohead.model.record import CaseRecord, LoadRecord, Recorded, Status
from headtohead.model.workload import Load
from tests.analyze.building import ALPHA, P99, blocks_of, experiment, plan, recording, steady

CLEAR = {"apache": steady(1000), "nginx": steady(2000)}


def found(runs: Sequence[Recorded], of: PlannedExperiment | None = None) -> list[str]:
    """Return the doubts of an experiment."""
    findings = analyze(recording(runs, of=plan(of or experiment()))).experiments[0].findings
    return [each.id for each in findings if each.severity is Severity.DOUBT]


def sending(runs: Sequence[Recorded], bytes_an_answer: Mapping[str, float]) -> list[Recorded]:
    """Return the runs with so many bytes over the wire for each answer of a treatment."""
    return [
        dataclasses.replace(each, records=tuple(_sent(told, bytes_an_answer[each.run.label]) for told in each.records))
        for each in runs
    ]


def _sent(record: CaseRecord, size: float) -> CaseRecord:
    assert isinstance(record, LoadRecord)
    rate = record.values["goodput_per_s"] or 0
    values = {**record.values, "response_rate_per_s": rate, "received_bytes_per_s": rate * size}
    return dataclasses.replace(record, values=values)


@pytest.mark.parametrize("seed", range(10))
def test_clean_studies_raise_no_doubt(seed: int) -> None:
    values = {"apache": steady(1000 + 37 * seed, step=0.001 * (seed % 3 + 1)), "nginx": steady(1500 + 11 * seed)}
    runs = sending(blocks_of(values), {"apache": 19_500.0, "nginx": 19_480.0})
    assert found([_on(each, (0,)) for each in runs]) == []


def test_arms_that_send_other_pages_are_told_apart() -> None:
    runs = sending(blocks_of(CLEAR), {"apache": 19_500.0, "nginx": 2_700.0})
    assert found(runs) == ["unlike-answers"]


def test_what_compression_does_is_meant() -> None:
    of = experiment(comparisons=(Comparison("gzip", "apache", "nginx", {}, ALPHA),))
    assert found(sending(blocks_of(CLEAR, of=of), {"apache": 19_500.0, "nginx": 2_700.0}), of) == []


def _on(each: Recorded, cpus: tuple[int, ...]) -> Recorded:
    return dataclasses.replace(each, run=dataclasses.replace(each.run, read_back={"cpus": cpus}))


def test_arms_on_other_cpus_are_told_apart() -> None:
    runs = [_on(each, (0,) if each.run.label == "apache" else (1,)) for each in blocks_of(CLEAR)]
    assert found(runs) == ["other-cpus"]


@pytest.mark.parametrize("factor", ["cpus", "placement"])
def test_where_cpus_are_what_was_varied_they_may_differ(factor: str) -> None:
    of = experiment(comparisons=(Comparison(factor, "apache", "nginx", {}, ALPHA),))
    runs = [_on(each, (0,) if each.run.label == "apache" else (0, 1)) for each in blocks_of(CLEAR, of=of)]
    assert found(runs, of) == []


def test_one_order_in_all_blocks_is_a_doubt() -> None:
    assert found(blocks_of(CLEAR, first=["apache"] * 10)) == ["same-order"]


def test_one_order_in_few_blocks_may_be_chance() -> None:
    values = {label: each[:6] for label, each in CLEAR.items()}
    assert found(blocks_of(values, first=["apache"] * 6)) == []


def struck(*labels: str) -> dict[tuple[str, int], Status]:
    """Return the statuses of a run a block, from the first on."""
    return {(label, block): "invalid" for block, label in enumerate(labels, start=1)}


def test_runs_struck_in_one_arm_alone_are_a_doubt() -> None:
    assert found(blocks_of(CLEAR, statuses=struck("nginx", "nginx", "nginx", "nginx"))) == ["lopsided"]


def test_runs_struck_in_both_arms_are_none() -> None:
    assert found(blocks_of(CLEAR, statuses=struck("nginx", "apache", "nginx", "apache"))) == []


def deciding_by_times(**settings: float) -> PlannedExperiment:
    return experiment(
        primary=Summary("p99", P99.name, "geometric-mean", {}),
        metrics={P99.name: P99},
        load=Load("closed", {}, {"connections": 10, **settings}, warm_up_s=1, measure_s=3),
    )


def test_response_times_at_saturation_that_decide_are_a_doubt() -> None:
    of = deciding_by_times()
    assert found(blocks_of(CLEAR, of=of), of) == ["saturated-times"]


@pytest.mark.parametrize("settings", [{"connections": 1}, {"think_s": 1.0}])
def test_those_of_one_user_or_of_users_who_pause_are_none(settings: dict[str, float]) -> None:
    of = deciding_by_times(**settings)
    assert found(blocks_of(CLEAR, of=of), of) == []
