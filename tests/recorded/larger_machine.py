"""A results folder of a machine with eight CPUs, made up: no such machine was measured.

The machines that these tests run on have too few CPUs to compare two with four. The center of each rate is the one that
AnandTech printed for InnoDB, and for DB2 (in whose place PostgreSQL is), on one and on two dual-core Opterons. A seed
draws the differences between runs and cases. The rest is made up.

    python -m tests.recorded.larger_machine FOLDER
"""

import hashlib
import json
import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from headtohead.model.case import Case
from headtohead.model.machine.host import Fact, HostFacts
from headtohead.model.plan import Comparison, Plan, PlannedExperiment, PlannedRun, Treatment
from headtohead.model.quantity import Metric, Scalar, Summary
from headtohead.model.record import CpuUse, Phase, Run, Setting
from headtohead.model.study.workload import DataSet, Load
from headtohead.plan.blocks import drawn
from headtohead.store import write
from headtohead.store.convert import rounded
from headtohead.store.layout import Layout
from headtohead.store.run.settings import settings_text
from tests.published import levels

NAME = "2026-11-20-larger-machine"
SEED = 20050617
BLOCKS = 6
CONNECTIONS = (1, 2, 5, 10, 20, 35, 50)
WARM_UP_NS, MEASURE_NS = 1_000_000_000, 4_000_000_000
START_NS = 2_500_000_000
BETWEEN_BLOCKS, BETWEEN_CASES = 0.012, 0.006
"""Standard deviations of the logarithms: between runs, and between the cases of a run."""

PRINTED = {
    ("mariadb", 2): ("mysql-innodb-dualcore", "Single dual-core Opteron 875 2.2 Gentoo"),
    ("mariadb", 4): ("mysql-innodb-dualcore", "Dual dual-core Opteron 875 2.2 Gentoo"),
    ("postgresql", 2): ("db2-dualcore", "Single dual-core Opteron 875 2.2 MSI Gentoo"),
    ("postgresql", 4): ("db2-dualcore", "Dual dual-core Opteron 875 2.2 MSI Gentoo"),
}
"""From subject and CPUs to the benchmark and system whose printed rates are the centers."""

STUDY = """\
format = 1
title  = "A larger machine, made up"
seed   = 20050617

[[experiment]]
name     = "engines"
question = "Which engine answers most forum queries a second, and what do two more CPUs bring it?"
workload = "forum-read"
primary  = "average_5_to_50"
compare  = "subject"
looks    = [6]

[experiment.factors]
subject = [{ name = "mariadb", engine = "InnoDB" }, "postgresql"]
cpus    = [2, 4]

[experiment.load]
connections = [1, 2, 5, 10, 20, 35, 50]
measure_s   = 4
"""

FAST = ("faster", "slower")
METRICS = (
    Metric("goodput_per_s", "correct responses per second within the timeout", "1/s", "higher", FAST, "load"),
    Metric(
        "response_time_mean_ns",
        "the mean time of a request, from the intended instant to the last byte",
        "ns",
        "lower",
        FAST,
        "load",
    ),
    Metric(
        "buffer_read_share",
        "share of the requested pages that were not in the engine's memory, by its own counters",
        "1",
        "neither",
        None,
        "load",
    ),
)
AVERAGE = Summary("average_5_to_50", "goodput_per_s", "mean", {"connections": (5, 10, 20, 35, 50)})
SUMMARIES = (
    AVERAGE,
    Summary("maximum", "goodput_per_s", "max", {}),
    Summary("maximum_at", "goodput_per_s", "where-max", {}, at="connections"),
)
CASES: tuple[Case, ...] = tuple(Case({"connections": each}) for each in CONNECTIONS)
CONFIGURATION = {
    "mariadb": (
        Setting("innodb_buffer_pool_size", "2147483648", "134217728"),
        Setting("query_cache_type", "OFF", "OFF"),
    ),
    "postgresql": (Setting("shared_buffers", "2GB", "128MB"), Setting("jit", "on", "on")),
}
LOAD_S = {"mariadb": 61.5, "postgresql": 38.25}


def _treatment(subject: str, cpus: int) -> Treatment:
    settings: dict[str, Scalar] = {"engine": "InnoDB"} if subject == "mariadb" else {}
    words = [subject, *(f"{name}={level}" for name, level in settings.items()), f"cpus={cpus}"]
    chosen: dict[str, Scalar] = {"subject": subject, **settings, "cpus": cpus}
    return Treatment(" ".join(words), subject, chosen, settings, tuple(range(cpus)), (6, 7), None, floor=False)


TREATMENTS = {key: _treatment(*key) for key in PRINTED}


def _comparison(cpus: int) -> Comparison:
    baseline, other = (TREATMENTS[subject, cpus].label for subject in ("mariadb", "postgresql"))
    return Comparison("subject", baseline, other, {"cpus": cpus}, (0.025,))


_UNORDERED = PlannedExperiment(
    name="engines",
    question="Which engine answers most forum queries a second, and what do two more CPUs bring it?",
    workload="forum-read",
    workload_version=1,
    workload_title="Reading a message board",
    asks="sql/forum-v1",
    same_test="made-up",
    data=DataSet("forum", 1, 1, "kept"),
    load=Load("closed", {"connections": CONNECTIONS}, {}, warm_up_s=1, measure_s=4),
    primary=AVERAGE,
    summaries=SUMMARIES,
    metrics={each.name: each for each in METRICS},
    compare="subject",
    matters=1.03,
    looks=(BLOCKS,),
    within_min=None,
    share_driver=False,
    cases=CASES,
    treatments=tuple(TREATMENTS.values()),
    comparisons=(_comparison(2), _comparison(4)),
    runs=(),
    run_s={each.label: 40.0 for each in TREATMENTS.values()},
)
EXPERIMENT = replace(_UNORDERED, runs=drawn(_UNORDERED, seed=SEED))
PLAN = Plan(
    title="A larger machine, made up",
    seed=SEED,
    within_min=None,
    study_sha256=hashlib.sha256(STUDY.encode()).hexdigest(),
    version="0.1.0",
    experiments=(EXPERIMENT,),
    left_out=(),
    titles={"mariadb": "MariaDB", "postgresql": "PostgreSQL"},
)
HOST = HostFacts(
    "local",
    (
        Fact("cpu", "model", "made up: no such machine was measured", None, "tests/recorded/larger_machine.py"),
        Fact("cpu", "cores", 8, None, "tests/recorded/larger_machine.py"),
        Fact("memory", "total", 17_179_869_184, "B", "tests/recorded/larger_machine.py"),
    ),
)


def write_folder(root: Path) -> None:
    """Write the whole results folder into ``root``, which must be missing or empty; the same bytes each time."""
    layout = Layout(root)
    write.begin(layout, study=STUDY.encode(), plan=PLAN, hosts=(HOST,))
    arms = {each.label: key for key, each in TREATMENTS.items()}
    for number, planned in enumerate(EXPERIMENT.runs, start=1):
        key = arms[planned.treatment]
        rates = _rates(key, planned.block)
        files = {
            "records.jsonl": _lines(_record(case, place, rates) for place, case in enumerate(planned.cases)),
            "readings.csv": _readings(planned, key, rates).encode(),
            "configuration.tsv": settings_text(CONFIGURATION[key[0]]).encode(),
        }
        write.run(layout, _run(planned, key, number), files=files, partial=layout.runs / f".{number}")
    write.end(layout, {"engines": "last-look"})


def _rates(key: tuple[str, int], block: int) -> dict[int, float]:
    printed = levels("anandtech-2005-06")[PRINTED[key]]
    whole = Random(f"{SEED} {block}").gauss(0, BETWEEN_BLOCKS)
    chance = Random(f"{SEED} {block} {key}")
    return {each: printed[each] * math.exp(whole + chance.gauss(0, BETWEEN_CASES)) for each in CONNECTIONS}


def _begin(place: int) -> int:
    return START_NS + place * (WARM_UP_NS + MEASURE_NS) + WARM_UP_NS


def _record(case: Case, place: int, rates: dict[int, float]) -> dict[str, object]:
    users = int(case["connections"])
    rate = rates[users]
    right = round(rate * MEASURE_NS / 1e9)
    return {
        "format": 1,
        "record": "load",
        "driver": "local",
        "case": dict(case),
        "loop": "closed",
        "from_ns": _begin(place),
        "to_ns": _begin(place) + MEASURE_NS,
        "elapsed_ns": MEASURE_NS,
        "sent": right,
        "right": right,
        "errors": {},
        "goodput_per_s": rate,
        "response_rate_per_s": rate,
        "response_time_mean_ns": round(users / rate * 1e9),
        "rows": 20 * right,
        "driver_cpu_s": 0.2,
        "driver_delay_s": 0.001,
        "threads": 2,
        "counters": {"buffer_requests": 400 * right, "buffer_reads": right // 50},
    }


def _lines(records: Iterator[dict[str, object]]) -> bytes:
    return "".join(f"{json.dumps(rounded(each), separators=(',', ':'))}\n" for each in records).encode()


def _readings(planned: PlannedRun, key: tuple[str, int], rates: dict[int, float]) -> str:
    """Return cumulative counters at both ends of each measured time: between them they rise in a straight line."""
    used = {"busy_ns": 0.0, "steal_ns": 0.0, "subject_cpu_ns": 0.0, "driver_cpu_ns": 0.0, "harness_cpu_ns": 0.0}
    disk = {"disk_read_bytes": 0.0, "disk_written_bytes": 0.0}
    lines = [",".join(("t_ns", *used, *disk)), ",".join("0" for _ in range(1 + len(used) + len(disk)))]
    now = 0
    for place, case in enumerate(planned.cases):
        users = int(case["connections"])
        for instant in (_begin(place), _begin(place) + MEASURE_NS):
            step = instant - now
            subject, driver = 0.985 * min(users, key[1]), 0.0002 * rates[users]
            for name, cpus in (("subject_cpu_ns", subject), ("driver_cpu_ns", driver), ("harness_cpu_ns", 0.006)):
                used[name] += cpus * step
                used["busy_ns"] += cpus * step
            used["busy_ns"] += 0.008 * step
            disk["disk_written_bytes"] += 20_480 * step / 1e9
            now = instant
            lines.append(",".join(str(round(each)) for each in (now, *used.values(), *disk.values())))
    return "\n".join(lines) + "\n"


def _run(planned: PlannedRun, key: tuple[str, int], number: int) -> Run:
    subject, cpus = key
    minutes = 45 * number // 60
    return Run(
        run=number,
        experiment="engines",
        block=planned.block,
        place=planned.place,
        attempt=1,
        treatment=TREATMENTS[key].levels,
        label=planned.treatment,
        status="valid",
        reasons=(),
        started_at=f"2026-11-20T10:{minutes:02d}:{45 * number % 60:02d}.000Z",
        phases=(
            Phase("start", None, 0, 2_000_000_000),
            *(
                Phase("measure", case, _begin(place), _begin(place) + MEASURE_NS)
                for place, case in enumerate(planned.cases)
            ),
        ),
        read_back={"cpus": tuple(range(cpus))},
        versions={subject: f"{subject}, made up"},
        data={"set": "forum", "scale": 1, "seed": 1, "state": "kept"},
        hosts={"sut": "local", "drivers": ("local",)},
        cpu_s=CpuUse(0.985 * cpus * 28, 1.4, 0.2, 0.2, 0.0),
        subject_memory_peak_bytes=2_400_000_000,
        prepared={subject: {"load_s": LOAD_S[subject], "made_at": "2026-11-20T09:50:00Z"}},
    )


if __name__ == "__main__":
    write_folder(Path(sys.argv[1]))
