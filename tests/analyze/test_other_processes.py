"""CPU of other processes: on cores in use it strikes a run, elsewhere it is a doubt, unless it had an effect."""

import dataclasses
import math

import pytest

from headtohead.analyze.findings import judge
from headtohead.analyze.study import analyze
from headtohead.model.machine.host import Cpu
from headtohead.model.machine.topology import apart_from
from headtohead.model.plan import PlannedExperiment
from headtohead.model.readings import Readings
from headtohead.model.record import Recorded
from tests.analyze.building import experiment, load_record, plan, readings, recorded, recording, run

CPUS = 4
"""The subject has CPU 0, the driver CPU 1; 2 and 3 share no core with them."""


def of_four(*, apart: tuple[int, ...] | None = (2, 3)) -> PlannedExperiment:
    plain = experiment()
    arms = tuple(dataclasses.replace(each, cpus=(0,), driver_cpus=(1,), apart=apart) for each in plain.treatments)
    return dataclasses.replace(plain, treatments=arms)


def with_hog(cpu: int, cpus: float = 1.0) -> Readings:
    """Return readings of four CPUs on one of which another process runs, in ticks as /proc/stat counts them."""
    ours = {"subject_cpu_ns": 0.99, "driver_cpu_ns": 0.70, "harness_cpu_ns": 0.005}
    busy = {0: 0.99, 1: 0.705, 2: 0.0, 3: 0.0}
    busy[cpu] += cpus
    each = {f"cpu{number}_busy_ns": used for number, used in busy.items()}
    return readings(**ours, busy_ns=sum(busy.values()), tasks_cpu_ns=sum(busy.values()), **each)


def judged(readings_of: Readings, *, apart: tuple[int, ...] | None = (2, 3)) -> tuple[str, list[str]]:
    found = judge(recorded(monitors=readings_of), of_four(apart=apart))
    return found.status, [each.id for each in found.findings]


def test_a_process_on_a_core_of_its_own_is_a_doubt_and_strikes_no_run() -> None:
    assert judged(with_hog(3)) == ("valid", ["foreign-apart"])


@pytest.mark.parametrize("cpu", [0, 1])
def test_a_process_on_a_cpu_in_use_strikes_the_run(cpu: int) -> None:
    status, found = judged(with_hog(cpu, 0.2))

    assert (status, found[0]) == ("invalid", "foreign-cpu")


def test_a_process_on_the_other_thread_of_a_core_in_use_strikes_the_run() -> None:
    machine = tuple(Cpu(number, node=0, package=0, core=number % 2) for number in range(CPUS))
    assert apart_from({0}, machine=machine) == (1, 3)
    assert apart_from({0, 1}, machine=machine) == ()

    assert judged(with_hog(2, 0.2), apart=(3,))[0] == "invalid"
    assert judged(with_hog(3, 0.2), apart=(3,))[0] == "valid"


@pytest.mark.parametrize(("hog", "status"), [(0.0, "valid"), (0.2, "invalid")])
def test_interrupts_of_a_driver_that_works_apart_are_no_other_process_on_the_cpus_in_use(
    hog: float, status: str
) -> None:
    """As on a rig: a driver of another machine shares the kernel, whose interrupts are in no group."""
    monitors = readings(
        subject_cpu_ns=0.75,
        driver_cpu_ns=0.0,
        harness_cpu_ns=0.005,
        irq_ns=0.4,
        busy_ns=0.78 + hog + 0.9,
        cpu0_busy_ns=0.78 + hog,
        cpu1_busy_ns=0.9,
    )
    far = of_four(apart=(1,))
    arms = tuple(dataclasses.replace(each, driver_cpus=(), drivers=("driver1",)) for each in far.treatments)

    found = judge(recorded(monitors=monitors), dataclasses.replace(far, treatments=arms))

    assert found.status == status
    assert ("foreign-cpu" in [each.id for each in found.findings]) is (status == "invalid")


@pytest.mark.parametrize(("cpu", "status"), [(3, "valid"), (0, "invalid")])
def test_a_driver_that_polls_keeps_its_cpu_busy_with_no_other_process_there(cpu: int, status: str) -> None:
    """As recorded on 16 CPUs: 0.48 CPU of interrupts, sampled among the tasks, and 0.4 CPU of empty polls."""
    busy = {0: 0.988, 1: 0.995, 2: 0.0, 3: 0.0}
    busy[cpu] += 1.0
    monitors = readings(
        subject_cpu_ns=0.988,
        driver_cpu_ns=0.988,
        harness_cpu_ns=0.011,
        irq_ns=0.48,
        busy_ns=sum(busy.values()),
        **{f"cpu{number}_busy_ns": used for number, used in busy.items()},
    )
    told = {"goodput_per_s": 1000.0, "driver_delay_s": 0.01, "driver_empty_polls_s": 1.2}

    assert judge(recorded(records=(load_record(values=told),), monitors=monitors), of_four()).status == status


@pytest.mark.parametrize(("cpu", "status"), [(3, "valid"), (1, "invalid")])
def test_interrupts_on_cpus_in_use_were_not_on_those_apart(cpu: int, status: str) -> None:
    """As where the kernel counts interrupts apart from tasks: half a CPU of them for the network of the load."""
    tasks, interrupts = {0: 0.75, 1: 0.7, 2: 0.0, 3: 0.005}, {0: 0.24, 1: 0.26, 2: 0.0, 3: 0.0}
    tasks[cpu] += 0.6
    monitors = readings(
        subject_cpu_ns=0.75,
        driver_cpu_ns=0.7,
        irq_ns=sum(interrupts.values()),
        busy_ns=sum(tasks.values()) + sum(interrupts.values()),
        tasks_cpu_ns=sum(tasks.values()),
        **{f"cpu{number}_busy_ns": used + interrupts[number] for number, used in tasks.items()},
        **{f"cpu{number}_irq_ns": used for number, used in interrupts.items()},
    )

    found = judge(recorded(monitors=monitors), of_four())

    assert found.status == status
    assert ("foreign-apart" in [each.id for each in found.findings]) is (cpu == 3)


def test_a_small_process_apart_is_not_even_a_doubt() -> None:
    assert judged(with_hog(3, 0.3)) == ("valid", [])


def test_a_plan_that_does_not_say_what_is_apart_is_judged_over_the_whole_machine() -> None:
    assert judged(with_hog(3), apart=None)[0] == "invalid"


def test_a_machine_without_columns_of_its_cpus_is_judged_as_a_whole() -> None:
    assert judged(readings(tasks_cpu_ns=1.695 + 1.0))[0] == "invalid"


@pytest.mark.parametrize(("slower", "found"), [(0.0, False), (0.08, True)])
def test_an_effect_of_what_ran_apart_forbids_the_verdict(slower: float, found: bool) -> None:
    of = of_four()
    runs: list[Recorded] = []
    for block in range(1, 11):
        for place, arm in enumerate(of.treatments, start=1):
            hog = block % 2 == 0
            noise = 0.002 * ((7 * block + 3 * place) % 5 - 2)
            rate = 1000.0 * place * math.exp(noise - (slower if hog else 0.0))
            made = run(arm.label, number=len(runs) + 1, block=block, place=place)
            monitors = with_hog(3, 1.0 if hog else 0.0)
            runs.append(recorded(made, records=(load_record(rate),), monitors=monitors))

    result = analyze(recording(runs, of=plan(of))).experiments[0]

    assert ("foreign-effect" in [each.id for each in result.findings]) is found
