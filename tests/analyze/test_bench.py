"""Runs on a bench: the driver's CPU is its own machine's, and servers differ in host and CPUs by purpose."""

import pytest

from headtohead.analyze.findings.unlike_treatments.environment_and_cpus import CHANGES, MOVES
from headtohead.analyze.runs.cpu_use_by_case import see
from headtohead.analyze.runs.driver_cpu_use_and_delay import delay_share, driver_share
from headtohead.model.machine.bench import SERVER
from tests.analyze.building import experiment, load_record, readings, recorded, run, treatment

THERE = treatment("nginx", cpus=(0, 1), driver_cpus=(), server="dual", drivers=("c1",))
PLANNED = experiment(treatments=(THERE,), compare=None, comparisons=())
FIGURES = {"driver_machine_cpus": 4, "driver_cpu_s": 2.5, "driver_delay_s": 0.5, "driver_busiest_share": 0.1}


def test_the_drivers_cpu_is_its_own_and_not_the_servers_monitors() -> None:
    record = load_record(values=FIGURES)
    seconds = record.elapsed_ns / 1e9
    seen = see(recorded(run("nginx"), records=[record], monitors=readings(driver_cpu_ns=0.9)), PLANNED)

    (case,) = seen.cases
    assert case.cpu.driver == pytest.approx(2.5)
    assert driver_share(case, THERE) == pytest.approx(2.5 / seconds / 4)
    assert delay_share(case, THERE) == pytest.approx(0.5 / seconds / 4)


def test_a_busy_thread_counts_for_the_whole_driver() -> None:
    record = load_record(values={**FIGURES, "driver_busiest_share": 0.97})
    (case,) = see(recorded(run("nginx"), records=[record], monitors=readings()), PLANNED).cases

    assert driver_share(case, THERE) == pytest.approx(0.97)


def test_servers_may_differ_in_their_host_and_its_cpus() -> None:
    assert "host" in CHANGES[SERVER]
    assert SERVER in MOVES
