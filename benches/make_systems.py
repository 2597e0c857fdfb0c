"""Results folders of many invented systems: ``python -m benches.make_systems DIR --systems 10000``.

They are what `headtohead run` leaves behind, less the runs: plan.json, hosts.json, measurements.csv, by the store's
own writers, of a study of batch workloads with one metric each, so that a run has one line. Machines are of some kinds
(CPU, CPUs, memory), each kind with a plan of its own; every machine differs a little from others of its kind, and what
facts differ within a kind differs here (kernel, microcode, memory that is free, the clock just now). A hundredth of the
systems lack the last workload. Everything follows from the seed.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from headtohead.model.analysis.estimates import Measurement
from headtohead.model.case import WHOLE_RUN
from headtohead.model.machine.host import Fact, HostFacts
from headtohead.model.plan import Plan, PlannedExperiment, PlannedRun, Treatment
from headtohead.model.quantity import Metric, Summary
from headtohead.model.study.workload import Load
from headtohead.store.convert import from_json, to_json
from headtohead.store.layout import Layout
from headtohead.store.measurements import to_csv

SEED = 20261120
SYSTEMS, WORKLOADS, RUNS = 10_000, 20, 10
KINDS = 24
LACKING_EVERY = 100
NOISE, OF_ITS_KIND, OF_WORKLOAD = 0.01, 0.02, 0.10
"""Standard deviations of logarithms: between runs, between machines of a kind, of a kind in a workload."""
REAL = Path(__file__).parents[1] / "reference/recorded/2026-11-20-reference-machine/hosts.json"
"""Real facts, of which the invented machines differ in a few."""
AVAILABLE, CLOCK = "available", "clock now, mean of CPUs"


@dataclass(frozen=True)
class Asked:
    """How much is made: so many systems, workloads, and runs of each, from a seed."""

    systems: int = SYSTEMS
    workloads: int = WORKLOADS
    runs: int = RUNS
    seed: int = SEED


@dataclass(frozen=True)
class Kind:
    """Machines of one kind: their files as text, and how fast they are in each workload."""

    plan: str
    hosts: tuple[str, ...]
    """hosts.json cut where the figures of the single machine belong: kernel, microcode, memory available, clock."""
    speeds: tuple[float, ...]


def main(argv: Sequence[str] | None = None) -> int:
    """Make the folders; 0 when they are there."""
    words = argparse.ArgumentParser(prog="make_systems", description=(__doc__ or "").splitlines()[0])
    words.add_argument("folder", type=Path, metavar="DIR")
    for name, value in (("systems", SYSTEMS), ("workloads", WORKLOADS), ("runs", RUNS), ("seed", SEED)):
        words.add_argument(f"--{name}", type=int, default=value, metavar="N")
    told = words.parse_args(argv)
    make(told.folder, Asked(told.systems, told.workloads, told.runs, told.seed))
    return 0


def make(folder: Path, asked: Asked) -> None:
    """Write one results folder a system, ``2026-11-20-s00001`` and so on; FileExistsError where one is there."""
    rng = Random(asked.seed)
    kinds = [_kind(number, asked, rng=rng) for number in range(min(KINDS, asked.systems))]
    for number in range(1, asked.systems + 1):
        one = Random(f"{asked.seed} {number}")
        kind = kinds[one.randrange(len(kinds))]
        layout = Layout(folder / f"2026-11-20-s{number:05d}")
        layout.root.mkdir(parents=True)
        layout.plan.write_text(kind.plan, encoding="utf-8")
        layout.hosts.write_text(_hosts(kind, one), encoding="utf-8")
        lacking = number % LACKING_EVERY == 0
        layout.measurements.write_text(_table(kind, asked, rng=one, lacking=lacking), encoding="utf-8")


def experiments(asked: Asked, *, cpus: int) -> tuple[PlannedExperiment, ...]:
    """Return the experiments that all systems were asked: one treatment of a batch workload each."""
    metric = Metric("work_per_s", "work done per second", "1/s", "higher", ("faster", "slower"), "batch", work="units")
    summary = Summary(metric.name, metric.name, "geometric-mean", {})
    arm = Treatment("program", "program", {"subject": "program"}, {}, tuple(range(cpus)), (), None, floor=False)
    return tuple(
        PlannedExperiment(
            name=f"workload-{number:02d}",
            question=f"How fast is work of kind {number}?",
            workload=f"workload-{number:02d}",
            workload_version=1,
            workload_title=f"Work of kind {number}",
            asks="batch/work-v1",
            same_test=f"{number:064x}",
            data=None,
            load=Load("batch", {}, {}),
            primary=summary,
            summaries=(summary,),
            metrics={metric.name: metric},
            compare=None,
            matters=1.03,
            looks=(asked.runs,),
            within_min=None,
            share_driver=False,
            cases=(WHOLE_RUN,),
            treatments=(arm,),
            comparisons=(),
            runs=tuple(PlannedRun(block, 1, arm.label, (WHOLE_RUN,)) for block in range(1, asked.runs + 1)),
            run_s={arm.label: 10.0},
        )
        for number in range(1, asked.workloads + 1)
    )


def _kind(number: int, asked: Asked, *, rng: Random) -> Kind:
    cpus = rng.choice((2, 4, 8, 16, 32, 64))
    plan = Plan("Many systems", asked.seed, None, "0" * 64, "0.1.0", experiments(asked, cpus=cpus), (), {})
    named: dict[tuple[str, str], str | int] = {
        ("cpu", "model"): f"Invented CPU {number + 1:02d}",
        ("cpu", "threads"): cpus,
        ("cpu", "cores"): cpus,
        ("cpu", "microcode"): "@microcode@",
        ("cpu", CLOCK): "@clock@",
        ("memory", "total"): cpus * 4 * 1024**3,
        ("memory", AVAILABLE): "@available@",
        ("software", "kernel"): "@kernel@",
    }
    facts = [replace(each, value=named.get((each.group, each.name), each.value)) for each in real_facts()]
    own = rng.gauss(0.0, 0.5)
    speeds = tuple(1000.0 * 2.718281828 ** (own + rng.gauss(0.0, OF_WORKLOAD)) for _ in range(asked.workloads))
    return Kind(to_json(plan), _cut(to_json({"hosts": (HostFacts("local", tuple(facts)),)})), speeds)


def real_facts() -> tuple[Fact, ...]:
    """Return the facts of a real machine."""
    hosts = from_json(REAL.read_text("utf-8"), dict[str, tuple[HostFacts, ...]], where=REAL)["hosts"]
    return hosts[0].facts


def _cut(text: str) -> tuple[str, ...]:
    """Return the text between the places of the single machine's figures, and these places' names, in turn."""
    parts: list[str] = []
    for piece in text.split('"@'):
        name, quote, rest = piece.partition('@"')
        parts += [name, rest] if quote and parts else [piece]
    return tuple(parts)


def _hosts(kind: Kind, rng: Random) -> str:
    figures = {
        "kernel": json.dumps(f"6.{rng.choice((1, 6, 12))}.{rng.randrange(40)}"),
        "microcode": json.dumps(f"0x10000{rng.randrange(16):02x}"),
        "available": str(rng.randrange(10**9, 4 * 10**9)),
        "clock": str(rng.randrange(2_000_000_000, 4_000_000_000, 1000)),
    }
    return "".join(figures[each] if place % 2 else each for place, each in enumerate(kind.hosts))


def _table(kind: Kind, asked: Asked, *, rng: Random, lacking: bool) -> str:
    lines: list[Measurement] = []
    run = 0
    own = rng.gauss(0.0, OF_ITS_KIND)
    for number, speed in enumerate(kind.speeds, start=1):
        for block in range(1, asked.runs + 1):
            run += 1
            value = speed * 2.718281828 ** (own + rng.gauss(0.0, NOISE))
            if not lacking or number < asked.workloads:
                name = f"workload-{number:02d}"
                lines.append(Measurement(name, run, block, "program", "valid", WHOLE_RUN, "work_per_s", value))
    return to_csv(lines)


if __name__ == "__main__":
    sys.exit(main())
