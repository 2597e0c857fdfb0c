"""The runs of the sample: values from a seed, one run invalid because something else used the CPU."""

import math
from random import Random

from headtohead.model.case import Case
from headtohead.model.plan import PlannedExperiment, PlannedRun, Treatment
from headtohead.model.record import BatchRecord, CaseRecord, CpuUse, LoadRecord, Recorded, Run
from tests.report.plans import EXPERIMENTS, KERNELS

BLOCKS = {"static-page": 6, "rsa": 6, "kernel-sweep": 6, "threads": 10}
SPREAD = {"static-page": 0.012, "rsa": 0.006, "kernel-sweep": 0.008, "threads": 0.045}
UNDISTURBED = {
    "apache-httpd": 26_150.0,
    "nginx": 71_200.0,
    "noop": 98_300.0,
    "openssl cpus=1": 1_240.0,
    "openssl cpus=2": 2_442.0,
    "c-kernels copies=1": 9_870.0,
    "c-kernels copies=2": 9_820.0,
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


def _record(experiment: PlannedExperiment, treatment: Treatment, block: int, case: Case) -> CaseRecord:
    rate = value_of(experiment.name, treatment.label, block=block, case=case)
    if experiment.load.loop != "closed":
        return BatchRecord(case, round(rate), "operations", 1_000_000_000, "verified", {})
    sent = round(3 * rate)
    p99 = 2.1e9 * float(case["connections"]) / rate
    values = {"goodput_per_s": rate, "response_time_p99_ns": p99, "response_time_p999_ns": 2.4 * p99}
    return LoadRecord("local", case, "closed", 3_000_000_000, 0, 3_000_000_000, sent, sent, {}, values)


def _run(experiment: PlannedExperiment, planned: PlannedRun, *, number: int, attempt: int) -> Recorded:
    treatment = experiment.treatment(planned.treatment)
    bad = (experiment.name, planned.block, planned.treatment) == INVALID and attempt == 1
    driven = experiment.load.loop == "closed"
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
        phases=(),
        read_back={"cpus": treatment.cpus},
        versions={treatment.subject: "1.0"},
        data=None,
        hosts={"sut": "local", "drivers": ("local",) if driven else ()},
        cpu_s=CpuUse(5.96, 4.71 if driven else None, 0.11, 0.93 if bad else 0.04, 0.0),
        subject_memory_peak_bytes=48_234_496,
    )
    records = tuple(_record(experiment, treatment, planned.block, case) for case in experiment.cases)
    return Recorded(run, records, None)


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
