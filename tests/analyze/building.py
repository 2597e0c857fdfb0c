"""Recordings for the tests of the analysis, built from plain numbers."""
# ruff: noqa: ANN401  the builders pass any field on to dataclasses.replace, which checks its name

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.machine.host import Fact, HostFacts
from headtohead.model.plan import Comparison, Plan, PlannedExperiment, PlannedRun, Treatment
from headtohead.model.quantity import Metric, Scalar, Summary
from headtohead.model.readings import Readings
from headtohead.model.record import (
    BatchRecord,
    CaseRecord,
    CpuUse,
    LoadRecord,
    Phase,
    Recorded,
    Recording,
    Run,
    Status,
)
from headtohead.model.study.workload import Load

GOODPUT = Metric("goodput_per_s", "right answers", "1/s", "higher", ("faster", "slower"), "load")
P99 = Metric("response_time_p99_ns", "99 of 100", "ns", "lower", ("faster", "slower"), "load")
MEMORY = Metric("subject_memory_peak_bytes", "memory", "B", "lower", ("leaner", "hungrier"), "run")
OPERATIONS = Metric("operations_per_s", "operations", "1/s", "higher", ("faster", "slower"), "batch", work="operations")
PER_COPY = dataclasses.replace(OPERATIONS, name="copy_operations_per_s", per="copies")
OVERALL = Summary("overall", "goodput_per_s", "geometric-mean", {})
ALPHA = (0.028, 0.028)
HOST = HostFacts("local", (Fact("cpu", "model", "A processor", None, "made up"),))


def treatment(label: str, **changes: Any) -> Treatment:
    """Return a treatment on CPU 0 with its driver on CPU 1."""
    plain = Treatment(
        label=label,
        subject=label,
        levels={"subject": label},
        settings={},
        cpus=(0,),
        driver_cpus=(1,),
        cpu_quota=None,
        floor=False,
    )
    return dataclasses.replace(plain, **changes)


def experiment(**changes: Any) -> PlannedExperiment:
    """Return apache against nginx on one case without fields, looks 6 and 10; ``runs`` follow from treatments."""
    plain = PlannedExperiment(
        name="static-page",
        question="Which is faster?",
        workload="static-page",
        workload_version=1,
        workload_title="A static page",
        asks="http/static-v1",
        same_test="abc",
        data=None,
        load=Load("closed", {}, {}, warm_up_s=1, measure_s=3),
        primary=OVERALL,
        summaries=(OVERALL,),
        metrics={each.name: each for each in (GOODPUT, P99, MEMORY)},
        compare="subject",
        matters=1.03,
        looks=(6, 10),
        within_min=None,
        share_driver=False,
        cases=(WHOLE_RUN,),
        treatments=(treatment("apache"), treatment("nginx")),
        comparisons=(Comparison("subject", "apache", "nginx", {}, ALPHA),),
        runs=(),
        run_s={"apache": 10.0, "nginx": 10.0},
    )
    changed = dataclasses.replace(plain, **changes)
    changed = dataclasses.replace(changed, cases=tuple(map(Case, changed.cases)))
    labels = [each.label for each in changed.treatments]
    planned = tuple(
        PlannedRun(block, place + 1, labels[(block + place) % len(labels)], changed.cases)
        for block in range(1, changed.looks[-1] + 1)
        for place in range(len(labels))
    )
    return dataclasses.replace(changed, runs=planned)


def batch_experiment(**changes: Any) -> PlannedExperiment:
    """Return openssl on one CPU against two, a batch program that counts operations."""
    one = treatment("cpus=1", subject="openssl", levels={"subject": "openssl", "cpus": 1}, driver_cpus=())
    two = dataclasses.replace(one, label="cpus=2", levels={"subject": "openssl", "cpus": 2}, cpus=(0, 1))
    summary = Summary("signs_per_s", "operations_per_s", "geometric-mean", {})
    plain: dict[str, Any] = {
        "name": "rsa",
        "asks": "batch/rsa-v1",
        "load": Load("batch", {}, {}),
        "metrics": {"operations_per_s": OPERATIONS},
        "primary": summary,
        "summaries": (summary,),
        "compare": "cpus",
        "treatments": (one, two),
        "comparisons": (Comparison("cpus", "cpus=1", "cpus=2", {}, ALPHA),),
    }
    return experiment(**(plain | changes))


def plan(*experiments: PlannedExperiment, **changes: Any) -> Plan:
    """Return a plan of these experiments without a time limit."""
    plain = Plan("A study", 1, None, "sha", "0.1.0", experiments or (experiment(),), (), {"nginx": "nginx web server"})
    return dataclasses.replace(plain, **changes)


def load_record(value: float = 1000.0, *, case: Mapping[str, Scalar] | None = None, **changes: Any) -> LoadRecord:
    """Return what the driver said of a case measured from second 2 to second 5, with that goodput."""
    plain = LoadRecord(
        driver="local",
        case=Case(case or {}),
        loop="closed",
        elapsed_ns=3_000_000_000,
        from_ns=2_000_000_000,
        to_ns=5_000_000_000,
        sent=100_000,
        right=100_000,
        errors={},
        values={"goodput_per_s": value, "response_time_p99_ns": 1e9 / (value or 0.2), "driver_delay_s": 0.01},
    )
    return dataclasses.replace(plain, **changes)


def batch_record(value: float = 1000.0, *, case: Mapping[str, Scalar] | None = None, **changes: Any) -> BatchRecord:
    """Return what a batch program said of a case: ``value`` operations a second for two seconds."""
    plain = BatchRecord(Case(case or {}), 2 * value, "operations", 2_000_000_000, "verified", {})
    return dataclasses.replace(plain, **changes)


def readings(seconds: float = 7.0, **rates: float) -> Readings:
    """Return readings ten times a second of counters that rise steadily; rates in CPUs for *_ns, else per second.

    Unless told otherwise the subject uses 0.99 CPU, the driver 0.7, the harness 0.005, and nobody else anything.
    """
    usual = {"subject_cpu_ns": 0.99, "driver_cpu_ns": 0.70, "harness_cpu_ns": 0.005, "steal_ns": 0.0}
    chosen = usual | rates
    chosen.setdefault("busy_ns", sum(chosen[name] for name in ("subject_cpu_ns", "driver_cpu_ns", "harness_cpu_ns")))
    columns = ("t_ns", *chosen)
    rows = []
    for tick in range(round(seconds * 10) + 1):
        cells = (rate * tick / 10 * (1e9 if name.endswith("_ns") else 1) for name, rate in chosen.items())
        rows.append((tick * 1e8, *cells))
    return Readings(columns, tuple(rows))


def without(table: Readings, column: str) -> Readings:
    """Return the readings without a column, as on a machine that does not show it."""
    at = table.columns.index(column)
    return Readings(table.columns[:at] + table.columns[at + 1 :], tuple(row[:at] + row[at + 1 :] for row in table.rows))


def run(label: str = "nginx", *, number: int = 1, block: int = 1, **changes: Any) -> Run:
    """Return a valid first attempt that took 7 s."""
    minutes, seconds = divmod(8 * number, 60)
    plain = Run(
        run=number,
        experiment="static-page",
        block=block,
        place=1,
        attempt=1,
        treatment={"subject": label},
        label=label,
        status="valid",
        reasons=(),
        started_at=f"2026-11-20T{10 + minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}.000Z",
        phases=(Phase("start", None, 0, 1_000_000_000), Phase("measure", None, 2_000_000_000, 7_000_000_000)),
        read_back={},
        versions={label: "1.0"},
        data=None,
        hosts={"sut": "local", "drivers": ("local",)},
        cpu_s=CpuUse(2.9, 2.1, 0.01, 0.0, 0.0),
        subject_memory_peak_bytes=10_000_000,
    )
    return dataclasses.replace(plain, **changes)


def recorded(
    of: Run | None = None, *, records: Iterable[CaseRecord] | None = None, monitors: Readings | None = None
) -> Recorded:
    """Return a run with one load record and quiet readings, unless told otherwise."""
    chosen = (load_record(),) if records is None else tuple(records)
    return Recorded(of or run(), chosen, monitors or readings())


def blocks_of(
    values: Mapping[str, Sequence[float]],
    *,
    first: Sequence[str] = (),
    statuses: Mapping[tuple[str, int], Status] | None = None,
    of: PlannedExperiment | None = None,
) -> list[Recorded]:
    """Return the runs of complete blocks from the goodputs of each treatment.

    ``first`` names, block by block, the treatment made first (default: the order given, turned in each block);
    ``statuses`` the runs, by (label, block), that are not valid; records are of the kind that ``of``'s loop has.
    """
    chosen, labels, runs = of or experiment(), list(values), []
    number = 0
    for index in range(len(next(iter(values.values())))):
        turned = labels[index % len(labels) :] + labels[: index % len(labels)]
        if first:
            turned = [first[index], *(each for each in labels if each != first[index])]
        for place, label in enumerate(turned, start=1):
            number += 1
            status = (statuses or {}).get((label, index + 1), "valid")
            made = run(
                label,
                number=number,
                block=index + 1,
                place=place,
                status=status,
                experiment=chosen.name,
                reasons=() if status == "valid" else ("foreign-cpu: 0.5 CPU of others",),
            )
            record = batch_record if chosen.load.loop == "batch" else load_record
            runs.append(recorded(made, records=[record(values[label][index], case=each) for each in chosen.cases]))
    return runs


def recording(runs: Sequence[Recorded], *, of: Plan | None = None, name: str = "2026-11-20-first") -> Recording:
    """Return a results folder, read."""
    return Recording(name, of or plan(), (HOST,), tuple(runs))


def steady(center: float, *, blocks: int = 10, step: float = 0.001) -> list[float]:
    """Return values that differ a little from each other around a center, the same ones every time."""
    return [center * math.exp(step * ((index * 7) % 5 - 2)) for index in range(blocks)]
