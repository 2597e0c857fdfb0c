"""A results folder of many invented runs: ``python -m benches.make_runs DIR --runs 10000``.

It is what `headtohead run` leaves behind, by the store's own writers. Every other experiment has a server asked over
HTTP (two cases, nine seconds), the others a batch program (three cases, four seconds); monitors read each 0.1 s. Each
experiment compares two treatments in blocks; values differ by a few percent, so verdicts of every kind appear.
Everything follows from the seed.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from unittest.mock import patch

from benches.make_systems import real_facts
from headtohead.model.case import Case
from headtohead.model.machine.host import HostFacts
from headtohead.model.plan import Comparison, Plan, PlannedExperiment, PlannedRun, Treatment
from headtohead.model.quantity import Metric, Scalar, Summary
from headtohead.model.record import CpuUse, Phase, Run
from headtohead.model.study.workload import Load
from headtohead.store import durable, write
from headtohead.store.layout import Layout
from tests.honest import honest

SEED = 20261120
RUNS, EXPERIMENTS = 10_000, 50
NOISE, OF_BLOCK, OF_TREATMENT = 0.01, 0.02, 0.04
"""Standard deviations of logarithms: between runs, between blocks, between treatments."""
S = 1_000_000_000
TICK = S // 10
KINDS = 40
"""So many tables of readings are made; runs share them, as writing ten thousand would take longer than reading them."""
CPUS = (0, 1)
COUNTERS = (
    *("busy_ns", "idle_ns", "steal_ns", "irq_ns"),
    *(f"cpu{cpu}_{name}_ns" for cpu in CPUS for name in ("busy", "steal")),
    *("tasks_cpu_ns", "kernel_cpu_ns", "subject_cpu_ns", "driver_cpu_ns", "harness_cpu_ns"),
    *("disk_read_bytes", "disk_written_bytes", "disk_requests_ns"),
    *("network_sent_bytes", "network_received_bytes", "loopback_bytes"),
    *("pressure_cpu_some_ns", "pressure_io_some_ns", "pressure_io_full_ns"),
    *("pressure_memory_some_ns", "pressure_memory_full_ns", "tcp_retransmits", "listen_overflows"),
)
GAUGES = ("subject_memory_bytes", "driver_memory_bytes", "memory_available_bytes")
PER_S = {"busy_ns": 1.9 * S, "idle_ns": 0.1 * S, "tasks_cpu_ns": 1.88 * S, "kernel_cpu_ns": 0.004 * S}
PER_S |= {"cpu0_busy_ns": 0.99 * S, "cpu1_busy_ns": 0.9 * S, "irq_ns": 0.02 * S, "harness_cpu_ns": 0.008 * S}
PER_S |= {"subject_cpu_ns": 0.98 * S, "driver_cpu_ns": 0.88 * S, "loopback_bytes": 9e8}
WITHOUT_DRIVER = {"busy_ns": 1.0 * S, "idle_ns": 1.0 * S, "tasks_cpu_ns": 0.99 * S, "cpu1_busy_ns": 0.01 * S}
WITHOUT_DRIVER |= {"driver_cpu_ns": 0.0, "loopback_bytes": 0.0}
"""Per second of batch work: nothing uses the other CPU."""
METRICS = (
    Metric("goodput_per_s", "right answers per second", "1/s", "higher", ("faster", "slower"), "load"),
    Metric("response_time_p99_ns", "what 99 of 100 requests took", "ns", "lower", ("faster", "slower"), "load"),
    Metric("operations_per_s", "operations per second", "1/s", "higher", ("faster", "slower"), "batch", "operations"),
)
ARMS = ("one", "other")


@dataclass(frozen=True)
class Asked:
    """How much is made: so many runs and experiments, from a seed."""

    runs: int = RUNS
    experiments: int = EXPERIMENTS
    seed: int = SEED

    @property
    def blocks(self) -> int:
        """Return the blocks of each experiment."""
        return self.runs // (self.experiments * len(ARMS))


def main(argv: Sequence[str] | None = None) -> int:
    """Make the folder; 0 when it is there."""
    words = argparse.ArgumentParser(prog="make_runs", description=(__doc__ or "").splitlines()[0])
    words.add_argument("folder", type=Path, metavar="DIR")
    for name, value in (("runs", RUNS), ("experiments", EXPERIMENTS), ("seed", SEED)):
        words.add_argument(f"--{name}", type=int, default=value, metavar="N")
    told = words.parse_args(argv)
    make(told.folder, Asked(told.runs, told.experiments, told.seed))
    return 0


class Hasty(durable.Disk):
    """A disk that is not waited for: invented runs need not outlast a power cut."""

    def sync(self, path: Path) -> None:
        """Wait for nothing."""

    def sync_folder(self, path: Path) -> None:
        """Wait for nothing."""


def make(folder: Path, asked: Asked) -> None:
    """Write the results folder; FileExistsError where one is there."""
    with patch.object(durable, "DISK", Hasty()):
        _make(folder, asked)


def _make(folder: Path, asked: Asked) -> None:
    folder.mkdir(parents=True)
    layout, rng = Layout(folder), Random(asked.seed)
    experiments = tuple(experiment(number, asked) for number in range(1, asked.experiments + 1))
    study, plan = honest(Plan("Many runs", asked.seed, None, "", "0.1.0", experiments, (), {}))
    write.begin(layout, study=study, plan=plan, hosts=(HostFacts("local", real_facts()),))
    per_s = {"closed": PER_S, "batch": PER_S | WITHOUT_DRIVER}
    tables = {loop: [_readings(_windows(loop)[-1][1], per_s[loop], rng) for _ in range(KINDS)] for loop in per_s}
    number = 0
    for each in plan.experiments:
        speeds = {arm: rng.gauss(0.0, OF_TREATMENT) for arm in ARMS}
        for block in range(1, asked.blocks + 1):
            common = rng.gauss(0.0, OF_BLOCK)
            for planned in (run for run in each.runs if run.block == block):
                number += 1
                speed = 2.718281828 ** (speeds[planned.treatment] + common + rng.gauss(0.0, NOISE))
                files: dict[str, Path | bytes] = {
                    "records.jsonl": "".join(f"{line}\n" for line in _records(each, speed)).encode(),
                    "readings.csv": rng.choice(tables[each.load.loop]),
                }
                write.run(layout, _run(each, planned, number), files=files, partial=layout.runs / f".{number}")
    write.end(layout, {each.name: "max" for each in experiments})


def experiment(number: int, asked: Asked) -> PlannedExperiment:
    """Return one experiment of two treatments: a server under load, or every other time a batch program."""
    served = number % 2 == 1
    of, fields = (METRICS[0], {"connections": (10, 100)}) if served else (METRICS[2], {"kernel": ("a", "b", "c")})
    cases = tuple(Case({name: level}) for name, levels in fields.items() for level in levels)
    summary = Summary("overall", of.name, "geometric-mean", {})
    looks = (asked.blocks,)
    warm_up_s, measure_s = (1.0, 3.0) if served else (0.0, 0.0)
    levels: dict[str, tuple[Scalar, ...]] = dict(fields)
    return PlannedExperiment(
        name=f"experiment-{number:03d}",
        question=f"Which of two is faster in work {number}?",
        workload=f"work-{number:03d}",
        workload_version=1,
        workload_title=f"Work {number}",
        asks="http/static-v1" if served else "batch/work-v1",
        same_test=f"{number:064x}",
        data=None,
        load=Load("closed" if served else "batch", levels, {}, warm_up_s, measure_s),
        primary=summary,
        summaries=(summary,),
        metrics={each.name: each for each in METRICS if each.source == of.source},
        compare="subject",
        matters=1.03,
        looks=looks,
        within_min=None,
        share_driver=False,
        cases=cases,
        treatments=tuple(
            Treatment(arm, arm, {"subject": arm}, {}, (0,), (1,) if served else (), None, floor=False) for arm in ARMS
        ),
        comparisons=(Comparison("subject", *ARMS, {}, (0.05,)),),
        runs=tuple(
            PlannedRun(block, place, arm, cases)
            for block in range(1, asked.blocks + 1)
            for place, arm in enumerate(ARMS if block % 2 else ARMS[::-1], start=1)
        ),
        run_s=dict.fromkeys(ARMS, 10.0),
    )


def _windows(loop: str) -> list[tuple[int, int]]:
    """Return when each case was measured, in ns from the start of the run."""
    if loop == "closed":
        return [(2 * S, 5 * S), (6 * S, 9 * S)]
    return [(S * number, S * (number + 1)) for number in (1, 2, 3)]


def _records(experiment: PlannedExperiment, speed: float) -> list[str]:
    windows = _windows(experiment.load.loop)
    if experiment.load.loop == "batch":
        return [
            json.dumps(
                {
                    **{"format": 1, "record": "batch", "case": dict(case), "work": round(1e6 * speed)},
                    **{"work_in": "operations", "elapsed_ns": S, "answer": "verified", "metrics": {}},
                    **{"from_ns": begin, "to_ns": end},
                }
            )
            for case, (begin, end) in zip(experiment.cases, windows, strict=True)
        ]
    return [json.dumps(_load(case, window, speed)) for case, window in zip(experiment.cases, windows, strict=True)]


def _load(case: Case, window: tuple[int, int], speed: float) -> dict[str, object]:
    """Return the record of a load, with a value at every quantile that h2h-load writes."""
    rate = 30_000 * speed
    middle = float(case["connections"]) / rate * 1e9
    steps = [*(f"p{tenth}" for tenth in range(10, 100, 10)), "p95", "p99", "p999"]
    times = {f"response_time_{step}_ns": middle * (0.5 + place / 10) for place, step in enumerate(steps)}
    service = {f"service_time_{step}_ns": value * 0.9 for step, value in zip(steps, times.values(), strict=True)}
    return {
        **{"format": 1, "record": "load", "driver": "local", "case": dict(case), "loop": "closed"},
        **{"elapsed_ns": 3 * S, "from_ns": window[0], "to_ns": window[1], "sent": round(3 * rate)},
        **{"right": round(3 * rate), "errors": {}, "response_rate_per_s": rate, "goodput_per_s": rate},
        **times,
        **{name: value for name, value in service.items() if name.endswith(("p50_ns", "p99_ns"))},
        **{"response_time_mean_ns": middle, "received_bytes": 19_000 * 3 * rate, "driver_cpu_s": 2.6},
        **{"driver_delay_s": 0.01, "driver_memory_peak_bytes": 6_291_456},
    }


def _readings(last_ns: int, per_s: Mapping[str, float], rng: Random) -> bytes:
    rates = {name: rng.gauss(1.0, 0.001) * per_s.get(name, rng.choice((0.0, 1e3, 1e6))) for name in COUNTERS}
    boot = {name: rng.randrange(10**9, 10**13) for name in COUNTERS}
    lines = [",".join(("t_ns", *COUNTERS, *GAUGES))]
    for tick in range(last_ns // TICK + 11):
        t_ns = tick * TICK + rng.randrange(10**6)
        counters = (str(boot[name] + round(rates[name] * t_ns / S)) for name in COUNTERS)
        gauges = (str(rng.randrange(10**7, 10**8)) for _ in GAUGES)
        lines.append(",".join((str(t_ns), *counters, *gauges)))
    return ("\n".join(lines) + "\n").encode()


def _run(experiment: PlannedExperiment, planned: PlannedRun, number: int) -> Run:
    arm, windows = experiment.treatment(planned.treatment), _windows(experiment.load.loop)
    driven = bool(arm.driver_cpus)
    minutes, second = divmod(10 * number, 60)
    hours, minute = divmod(minutes, 60)
    day, hour = divmod(hours, 24)
    return Run(
        run=number,
        experiment=experiment.name,
        block=planned.block,
        place=planned.place,
        attempt=1,
        treatment=arm.levels,
        label=arm.label,
        status="valid",
        reasons=(),
        started_at=f"2026-11-{1 + day:02d}T{hour:02d}:{minute:02d}:{second:02d}.250Z",
        phases=(
            Phase("start", None, 0, S),
            *(Phase("measure", case, *window) for case, window in zip(planned.cases, windows, strict=True)),
        ),
        read_back={"cpus": arm.cpus},
        versions={arm.subject: f"{arm.subject} 1.0"},
        data=None,
        hosts={"sut": "local", "drivers": ("local",) if driven else ()},
        cpu_s=CpuUse(5.9, 4.7 if driven else None, 0.1, 0.01, 0.0),
        subject_memory_peak_bytes=10_000_000 + number,
        usage={"threads": 4.0, "processes": 2.0},
        gates=tuple(
            {"case": case.text, "quiet": True, "waited_s": 0.3, "foreign_cpus": 0.01} for case in planned.cases
        ),
    )


if __name__ == "__main__":
    sys.exit(main())
