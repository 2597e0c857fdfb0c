"""What moving bytes cost, over how many clients, and what limited it: batch records whose work is bytes."""

from dataclasses import replace

import pytest

from headtohead.analyze.breakdown.sweeps_and_highest_level import sweep_of, sweeps_of
from headtohead.analyze.samples.values_from_records import measurements, values_of
from headtohead.analyze.study import analyze
from headtohead.model.analysis.limit import Limit
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.machine.link import CEILING, Link
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import Scalar
from headtohead.model.record import Phase, Recorded
from tests.analyze.building import plan, recorded, recording, run, treatment, without
from tests.analyze.moving import SECOND_NS, bytes_record, moved, moving, watched

RATES = {"samba": {"read": (100e6, 190e6, 300e6, 310e6), "write": (50e6, 90e6, 120e6, 110e6)}}
ALONE = moving(operations=("read",), clients=(1,))
CASE = Case({"clients": 1, "operation": "read"})


def one(work: float = 500e6, **changes: object) -> Recorded:
    record = replace(bytes_record(work, ALONE.cases[0]), **changes)  # type: ignore[arg-type]
    return recorded(run("samba", experiment=ALONE.name), records=[record], monitors=watched(1, driver_cpu_ns=0.4))


def values(of: Recorded, experiment: PlannedExperiment = ALONE) -> dict[str, float]:
    return {name: value for (case, name), value in values_of(experiment, of).items() if case == CASE}


def test_a_gigabyte_costs_the_cpu_of_both_ends_by_the_bytes_moved_meanwhile() -> None:
    told = values(one())
    assert told["bytes_per_s"] == pytest.approx(500e6)
    assert told["subject_cpu_s_per_gb"] == pytest.approx(0.99 / 0.5)
    assert told["driver_cpu_s_per_gb"] == pytest.approx(0.4 / 0.5)


def test_both_stand_in_the_measurements() -> None:
    lines = measurements(plan(ALONE), [one()])
    assert {each.metric for each in lines if each.case == CASE} == {
        "bytes_per_s",
        "subject_cpu_s_per_gb",
        "driver_cpu_s_per_gb",
    }


def test_a_program_that_nobody_asks_has_no_driver_whose_cpu_could_be_told() -> None:
    told = values(one(), replace(ALONE, asks="batch/file-stream-v1"))
    assert "subject_cpu_s_per_gb" in told
    assert "driver_cpu_s_per_gb" not in told


def test_what_was_not_read_is_missing_and_not_zero() -> None:
    unread = replace(one(), readings=without(watched(1), "subject_cpu_ns"))
    assert set(values(unread)) == {"bytes_per_s", "driver_cpu_s_per_gb"}
    assert set(values(replace(one(), readings=None))) == {"bytes_per_s"}
    assert set(values(one(work=0.0))) == {"bytes_per_s"}
    assert "subject_cpu_s_per_gb" not in values(one(work_in="operations"))


@pytest.mark.parametrize(("phase_s", "told"), [(1.05, True), (1.5, False)])
def test_a_phase_that_holds_more_than_the_case_tells_no_cost(phase_s: float, told: bool) -> None:
    unstamped = one(from_ns=None, to_ns=None)
    begin = 2 * SECOND_NS
    phases = (Phase("measure", WHOLE_RUN, begin, begin + int(phase_s * SECOND_NS)),)
    seen = values(replace(unstamped, run=replace(unstamped.run, phases=phases)))
    assert ("subject_cpu_s_per_gb" in seen) is told


def test_reading_and_writing_are_a_sweep_each_over_the_same_clients() -> None:
    of = moving()
    found = sweeps_of(of)
    assert [(each.field, each.levels, each.fixed.text) for each in found] == [
        ("clients", (1, 2, 4, 8), "operation=read"),
        ("clients", (1, 2, 4, 8), "operation=write"),
    ]
    assert found[0].cases[0] == CASE
    assert sweep_of(of) is None
    (whole,) = sweeps_of(moving(operations=("read",)))
    assert whole.fixed.text == ""


@pytest.mark.parametrize(
    "cases",
    [
        tuple({"clients": n, "operation": o} for n in (1, 2) for o in ("read", "write")),
        tuple({"clients": n, "size": s} for n in (1, 2, 4) for s in (1, 2, 4)),
        tuple({"clients": n, "file": f"{f}"} for n in (1, 2, 4) for f in range(7)),
        (*({"clients": n, "operation": "read"} for n in (1, 2, 4)), {"clients": 1, "operation": "write"}),
        (*({"clients": n, "operation": "read"} for n in (1, 2, 4)), {"operation": "erase"}),
    ],
)
def test_two_levels_two_numbers_many_kinds_and_gaps_are_no_sweeps(cases: tuple[dict[str, Scalar], ...]) -> None:
    assert sweeps_of(moving(cases=cases)) == ()


def limited(**used: float) -> Limit:
    rates = {"samba": {"read": (500e6,)}}
    found = analyze(recording(moved(ALONE, rates, **used), of=plan(ALONE))).experiments[0].treatments[0].limits
    (limit,) = found
    return limit


def test_a_driver_that_is_full_limits_its_server() -> None:
    assert limited(subject_cpu_ns=0.5, driver_cpu_ns=0.99).resource == "driver"
    assert limited(subject_cpu_ns=0.99, driver_cpu_ns=0.99).resource == "cpu"


def over(rate_mbit: int | None) -> PlannedExperiment:
    return moving(treatment("samba", link=Link(rate_mbit)), operations=("read",), clients=(1,))


def test_payload_is_a_share_of_the_rate_of_a_link_that_is_shaped() -> None:
    assert values(one(118e6), over(1000))["link_share"] == pytest.approx(0.944)
    assert values(one(118e6), over(10_000))["link_share"] == pytest.approx(0.0944)
    assert "link_share" not in values(one(118e6), over(None))
    assert "link_share" not in values(one(118e6), ALONE)


def test_the_ceiling_of_a_gigabit_is_956_mbit_of_payload() -> None:
    assert round(1000 * CEILING) == 956


@pytest.mark.parametrize(
    ("sent", "received", "rate_mbit", "resource"),
    [
        (119.5e6, 1e6, 1000, "link"),
        (1e6, 114e6, 1000, "link"),
        (110e6, 110e6, 1000, "unknown"),
        (119.5e6, 1e6, None, "unknown"),
    ],
)
def test_a_link_whose_busier_direction_is_full_limits(
    sent: float, received: float, rate_mbit: int | None, resource: str
) -> None:
    of = over(rate_mbit)
    runs = moved(
        of, {"samba": {"read": (118e6,)}}, subject_cpu_ns=0.4, link_sent_bytes=sent, link_received_bytes=received
    )
    (limit,) = analyze(recording(runs, of=plan(of))).experiments[0].treatments[0].limits
    assert limit.resource == resource
    if resource == "link":
        assert limit.subject_cpus == pytest.approx(0.4)
        assert limit.subject_cpus_allotted == 1
        assert limit.link_share == pytest.approx(8 * max(sent, received) / 1e9)


@pytest.mark.parametrize(("work", "resource"), [(118e6, "link"), (60e6, "unknown")])
def test_what_is_watched_longer_than_it_lasted_is_told_by_the_time_that_it_lasted(work: float, resource: str) -> None:
    of = over(1000)
    phases = (Phase("measure", WHOLE_RUN, 2 * SECOND_NS, 4 * SECOND_NS),)
    unstamped = replace(bytes_record(work, of.cases[0]), from_ns=None, to_ns=None)
    runs = [
        replace(each, run=replace(each.run, phases=phases), records=(unstamped,))
        for each in moved(of, {"samba": {"read": (1.0,)}}, subject_cpu_ns=0.4, link_sent_bytes=59.5e6)
    ]
    (limit,) = analyze(recording(runs, of=plan(of))).experiments[0].treatments[0].limits
    assert limit.resource == resource


def test_who_waits_for_a_disk_most_of_the_time_is_limited_by_it() -> None:
    found = limited(subject_cpu_ns=0.2, pressure_io_full_ns=0.8, disk_read_bytes=90e6, disk_written_bytes=10e6)
    assert found.resource == "disk"
    assert found.subject_cpus == pytest.approx(0.2)
    assert found.disk_wait_share == pytest.approx(0.8)
    assert found.disk_bytes_per_s == pytest.approx(100e6)
    assert limited(subject_cpu_ns=0.2, pressure_io_full_ns=0.8).resource == "disk"


def test_a_disk_that_is_waited_for_a_little_or_moves_nothing_limits_nobody() -> None:
    assert limited(subject_cpu_ns=0.2, pressure_io_full_ns=0.3, disk_read_bytes=90e6).resource == "unknown"
    assert limited(subject_cpu_ns=0.2, pressure_io_full_ns=0.8, disk_read_bytes=0.0).resource == "unknown"
    assert limited(subject_cpu_ns=0.99, pressure_io_full_ns=0.8, disk_read_bytes=90e6).resource == "cpu"


def streamed(metrics: dict[str, float], **used: float) -> Limit:
    """Return what limited a program that moves bytes and says so much of the page cache."""
    runs = [
        replace(each, records=(replace(bytes_record(500e6, ALONE.cases[0]), metrics=metrics),))
        for each in moved(ALONE, {"samba": {"read": (500e6,)}}, **used)
    ]
    (limit,) = analyze(recording(runs, of=plan(ALONE))).experiments[0].treatments[0].limits
    return limit


def test_who_streams_past_the_page_cache_with_requests_always_under_way_is_limited_by_the_disk() -> None:
    found = streamed({"page_cache": 0.0}, subject_cpu_ns=0.2, disk_requests_ns=7.9)
    assert found.resource == "disk"
    assert found.disk_requests == pytest.approx(7.9)
    assert found.subject_cpus == pytest.approx(0.2)


def test_requests_under_way_tell_nothing_of_who_may_read_from_memory_or_has_few_of_them() -> None:
    assert streamed({"page_cache": 1.0}, subject_cpu_ns=0.2, disk_requests_ns=7.9).resource == "unknown"
    assert streamed({}, subject_cpu_ns=0.2, disk_requests_ns=7.9).resource == "unknown"
    assert streamed({"page_cache": 0.0}, subject_cpu_ns=0.2, disk_requests_ns=0.9).resource == "unknown"
    assert streamed({"page_cache": 0.0}, subject_cpu_ns=0.99, disk_requests_ns=7.9).resource == "cpu"


def test_every_case_has_what_a_gigabyte_cost_over_its_runs() -> None:
    of = moving(treatment("samba"), treatment("other"))
    rates = {"samba": RATES["samba"], "other": RATES["samba"]}
    result = analyze(recording(moved(of, rates, driver_cpu_ns=0.4), of=plan(of))).experiments[0]
    cells = {(each.case, each.metric): each.estimate for each in result.treatments[0].cells}
    assert cells[CASE, "subject_cpu_s_per_gb"].value == pytest.approx(9.9, rel=0.01)
    assert cells[CASE, "driver_cpu_s_per_gb"].value == pytest.approx(4.0, rel=0.01)
    assert cells[CASE, "subject_cpu_s_per_gb"].interval is not None
    assert [each.fixed.text for each in result.sweeps] == ["operation=read", "operation=write"]
