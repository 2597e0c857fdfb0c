"""Several drivers: each is judged by its own figures, and a limit of one is a limit of the run, which names it."""

import dataclasses
from collections.abc import Mapping

import pytest

from headtohead.analyze.findings import Judgment, judge
from headtohead.analyze.runs.cpu_use_by_case import see
from headtohead.analyze.runs.driver_cpu_use_and_delay import delay_share, driver_share
from headtohead.model.record import LoadRecord, Recorded
from headtohead.model.study.workload import Load
from tests.analyze.building import experiment, load_record, readings, recorded

OPEN = Load("open", {}, {"rate_per_s": 1000}, warm_up_s=1, measure_s=3)
CALM = {
    "sent": 1500.0,
    "right": 1500.0,
    "descriptors": 0.0,
    "ports": 0.0,
    "scheduled": 1500.0,
    "rate_error": 0.0,
    "send_lag_p99_ns": 4e4,
    "threads": 1.0,
    "driver_cpu_s": 0.3,
    "driver_busiest_share": 0.1,
    "driver_delay_s": 0.0,
}


def merged(of_the_second: Mapping[str, float] | None = None, *, loop: str = "open") -> LoadRecord:
    drivers = {"c1": CALM, "c2": {**CALM, **(of_the_second or {})}}
    record = load_record(loop=loop)
    return dataclasses.replace(record, driver="c1,c2", drivers=drivers, values={"goodput_per_s": 1000.0})


def run(record: LoadRecord) -> Recorded:
    return recorded(records=[record], monitors=readings(subject_cpu_ns=0.5, driver_cpu_ns=0.0))


def judged(record: LoadRecord) -> Judgment:
    return judge(run(record), experiment(load=OPEN) if record.loop == "open" else experiment())


def test_drivers_that_kept_up_are_no_matter() -> None:
    assert (judged(merged()).status, judged(merged()).findings) == ("valid", ())


@pytest.mark.parametrize(
    ("figures", "reason"),
    [
        ({"ports": 3.0}, "driver-resources: load generator c2 ran out of local ports 3 times"),
        ({"driver_delay_s": 0.6}, "client-limited: load generator c2 was kept from its CPU for 20 % of the time"),
        ({"send_lag_p99_ns": 1.2e6}, "client-limited: 99 of 100 requests of load generator c2 left up to 1.2 ms late"),
        ({"rate_error": 0.006}, "client-limited: load generator c2 missed its offered load by 0.6 %"),
    ],
)
def test_a_limit_of_one_driver_invalidates_the_run_and_names_it(figures: dict[str, float], reason: str) -> None:
    judgment = judged(merged(figures))
    assert judgment.status == "invalid"
    assert [each.startswith(reason) for each in judgment.reasons] == [True], judgment.reasons


def test_one_full_driver_limits_a_closed_loop_however_idle_the_other_is() -> None:
    judgment = judged(merged({"driver_busiest_share": 0.97}, loop="closed"))
    assert judgment.reasons[0].startswith("client-limited: load generator c2 was 97 % busy and the program ")
    assert len(judgment.reasons) == 1


def test_the_share_of_several_is_that_of_the_busiest_over_its_own_threads() -> None:
    seen = see(run(merged({"driver_cpu_s": 2.4, "threads": 2.0, "driver_delay_s": 0.3})), experiment(load=OPEN))
    assert driver_share(seen.cases[0], seen.treatment) == pytest.approx(0.4)
    assert delay_share(seen.cases[0], seen.treatment) == pytest.approx(0.05)
