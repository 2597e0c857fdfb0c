"""The runs of the sample: values from a seed, one run invalid because something else used the CPU."""

import math
from collections.abc import Iterator
from random import Random

from headtohead.model.case import Case
from headtohead.model.plan import PlannedExperiment, PlannedRun, Treatment
from headtohead.model.readings import Readings
from headtohead.model.record import (
    SHARES_BEYOND,
    BatchRecord,
    CaseRecord,
    CaseTimes,
    CpuUse,
    LoadRecord,
    Phase,
    Recorded,
    Run,
)
from tests.report.plans import EXPERIMENTS, KERNELS

SECOND = 1_000_000_000
TICK = SECOND // 10
BLOCKS = {"static-page": 6, "rsa": 6, "kernel-sweep": 6, "threads": 10}
SPREAD = {"static-page": 0.012, "rsa": 0.006, "kernel-sweep": 0.008, "threads": 0.045}
UNDISTURBED = {
    "apache-httpd": 26_150.0,
    "nginx": 71_200.0,
    "noop": 98_300.0,
    "openssl cpus=1": 1_240.0,
    "openssl cpus=2": 2_442.0,
    "c-kernels copies=1": 9_870.0,
    "c-kernels copies=2": 9_855.0,
    "apache-httpd threads=64": 27_000.0,
    "apache-httpd threads=256": 27_350.0,
}
OF_CASE = {
    "connections=10": 1.04,
    "connections=100": 0.96,
    "bits=2048,operation=sign": 2.6,
    "bits=2048,operation=verify": 88.0,
    "bits=4096,operation=sign": 0.385,
    "bits=4096,operation=verify": 24.0,
    **{f"kernel={kernel}": 0.06 * 2.4**number for number, kernel in enumerate(KERNELS)},
}
INVALID = ("static-page", 2, "nginx")


def value_of(experiment: str, treatment: str, *, block: int, case: Case) -> float:
    chance = Random(f"{experiment} {treatment} {block} {case}")
    common = Random(f"{experiment} {block}").gauss(0, 2 * SPREAD[experiment])
    return UNDISTURBED[treatment] * OF_CASE[case.text] * math.exp(common + chance.gauss(0, SPREAD[experiment]))


def _window(experiment: PlannedExperiment, number: int) -> tuple[int, int]:
    """Return when the case of this number (from 0) was measured, in ns from the run's start."""
    seconds = 3 if experiment.load.loop == "closed" else 1
    begin = (2 + (seconds + 1) * number) * SECOND
    return begin, begin + seconds * SECOND


def _record(experiment: PlannedExperiment, treatment: Treatment, block: int, number: int) -> CaseRecord:
    case, (begin, end) = experiment.cases[number], _window(experiment, number)
    rate = value_of(experiment.name, treatment.label, block=block, case=case)
    if experiment.load.loop != "closed":
        return BatchRecord(case, round(rate), "operations", SECOND, "verified", {}, begin, end)
    sent = round(3 * rate)
    p99 = 2.1e9 * float(case["connections"]) / rate
    values = {"goodput_per_s": rate, "response_time_p99_ns": p99, "response_time_p999_ns": 2.4 * p99}
    values["driver_memory_peak_bytes"] = 6_291_456.0
    return LoadRecord("local", case, "closed", 3 * SECOND, begin, end, sent, sent, {}, values)


def _times(record: CaseRecord) -> Iterator[CaseTimes]:
    """Yield times whose p99 is the record's."""
    if isinstance(record, LoadRecord):
        p99 = float(record.values["response_time_p99_ns"] or 0.0)
        shares = [each for each in SHARES_BEYOND if each * record.sent >= 100]
        yield CaseTimes(record.case, record.sent, tuple((each, p99 * (1 - math.log10(each)) / 3) for each in shares))


def _readings(experiment: PlannedExperiment, treatment: Treatment, *, foreign: float) -> Readings:
    """Return readings ten times a second; in the first case a driver that asks nginx is busier than in the other."""
    driven, floor = experiment.load.loop == "closed", treatment.floor
    usual, busy = 0.97 if floor else 0.76, 0.97 if floor else 0.81 if treatment.label == "nginx" else 0.76
    last, first = _window(experiment, len(experiment.cases) - 1)[1], _window(experiment, 0)[1]
    per_s = {"subject_cpu_ns": (0.42 if floor else 0.994) * len(treatment.cpus) * SECOND}
    per_s |= {"harness_cpu_ns": 0.011 * SECOND, "kernel_cpu_ns": 0.004 * SECOND, "irq_ns": 0.021 * SECOND}
    per_s |= {"steal_ns": 0.0, "disk_read_bytes": 0.0, "disk_written_bytes": 20_480.0}
    per_s |= {"network_sent_bytes": 312.0} if driven else {}
    sums, rows = dict.fromkeys((*per_s, "driver_cpu_ns", "tasks_cpu_ns"), 0.0), []
    for tick in range(last // TICK + 11):
        rows.append((float(tick * TICK), *sums.values()))
        asking = (busy if tick * TICK < first else usual) if driven else 0.0
        tasks = sum(per_s[name] for name in ("subject_cpu_ns", "harness_cpu_ns", "kernel_cpu_ns"))
        now = {**per_s, "driver_cpu_ns": asking * SECOND, "tasks_cpu_ns": tasks + (asking + foreign) * SECOND}
        sums = {name: sums[name] + now[name] / 10 for name in sums}
    return Readings(("t_ns", *sums), tuple(rows))


def _run(experiment: PlannedExperiment, planned: PlannedRun, *, number: int, attempt: int) -> Recorded:
    treatment = experiment.treatment(planned.treatment)
    bad = (experiment.name, planned.block, planned.treatment) == INVALID and attempt == 1
    driven = experiment.load.loop == "closed"
    phases = (
        Phase("start", None, 0, SECOND),
        *(Phase("measure", each, *_window(experiment, n)) for n, each in enumerate(experiment.cases)),
    )
    threads, processes = (257.0, 4.0) if "apache" in treatment.label else (1.0, 2.0)
    run = Run(
        run=number,
        experiment=experiment.name,
        block=planned.block,
        place=planned.place,
        attempt=attempt,
        treatment=treatment.levels,
        label=treatment.label,
        status="invalid" if bad else "valid",
        reasons=("foreign CPU 0.31 in connections=100 (limit 0.10)",) if bad else (),
        started_at=f"2026-11-20T10:{number // 6:02d}:{10 * (number % 6):02d}.250Z",
        phases=phases,
        read_back={"cpus": treatment.cpus},
        versions={treatment.subject: f"{treatment.subject} 1.0 (Debian)"},
        data=None,
        hosts={"sut": "local", "drivers": ("local",) if driven else ()},
        cpu_s=CpuUse(5.96, 4.71 if driven else None, 0.11, 0.93 if bad else 0.04, 0.0),
        subject_memory_peak_bytes=_memory_bytes(treatment, planned.block),
        usage={"threads": threads, "processes": processes},
    )
    records = tuple(_record(experiment, treatment, planned.block, n) for n in range(len(experiment.cases)))
    readings = _readings(experiment, treatment, foreign=0.31 if bad else 0.008)
    times = tuple(times for each in records if not bad for times in _times(each))
    return Recorded(run, records, readings, times=times)


def _memory_bytes(treatment: Treatment, block: int) -> int:
    """Return about 10 MB for nginx and 48 MB for any other, off by at most 1 %."""
    usual = 9_600_000 if "nginx" in treatment.label else 48_234_496
    return round(usual * (1 + Random(f"memory {treatment.label} {block}").uniform(-0.01, 0.01)))


def runs() -> tuple[Recorded, ...]:
    made: list[Recorded] = []
    for experiment in EXPERIMENTS:
        for planned in experiment.runs:
            if planned.block > BLOCKS[experiment.name]:
                continue
            again = (experiment.name, planned.block, planned.treatment) == INVALID
            for attempt in (1, 2) if again else (1,):
                made.append(_run(experiment, planned, number=len(made) + 1, attempt=attempt))
    return tuple(made)
