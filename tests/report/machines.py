"""A made-up machine of two sockets, as h2h-memory would tell of it: 16 CPUs, two nodes, no third cache."""

import math
from collections.abc import Mapping
from dataclasses import replace

from headtohead.analyze.study import analyze
from headtohead.model.analysis.results import Analysis
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.machine.host import Fact, HostFacts
from headtohead.model.quantity import Metric, Summary
from headtohead.model.record import BatchRecord, Recording
from headtohead.model.study.workload import Load
from tests.analyze.building import experiment, plan, recorded, run, treatment

CPUS = 16
BLOCKS = 6
KIB = 1024
_LEVELS = {"L1": (4 * KIB, 32 * KIB, 1.5), "L2": (128 * KIB, 512 * KIB, 4.0), "DRAM": (1 << 29, 1 << 30, 110.0)}

FACTS = (
    Fact("caches", "L1 data size", 48 * KIB, "B", "/sys"),
    Fact("caches", "L1 instruction size", 32 * KIB, "B", "/sys"),
    Fact("caches", "L2 size", 1024 * KIB, "B", "/sys"),
    Fact("memory", "theoretical bandwidth", 50_000_000_000, "B/s", "dmidecode (2 channels)"),
)

Figures = Mapping[str, float]


def metric(name: str, unit: str = "ns") -> Metric:
    """Return a metric that a batch record holds."""
    return Metric(
        name, name.replace("_", " "), unit, "higher" if unit == "B/s" else "lower", ("faster", "slower"), "batch"
    )


def made(primary: Metric, told: Mapping[str, tuple[Case, Figures, str]], *others: Metric) -> tuple[Analysis, Recording]:
    """Return the analysis and recording of an experiment of one treatment, each record the same in every block."""
    summary = Summary("overall", primary.name, "geometric-mean", {})
    arm = treatment("h2h-memory", driver_cpus=(), cpus=tuple(range(CPUS)))
    of = experiment(
        name="memory",
        asks="batch/memory",
        load=Load("batch", {}, {}),
        primary=summary,
        summaries=(summary,),
        metrics={each.name: each for each in (primary, *others)},
        cases=tuple(case for case, _, _ in told.values()),
        treatments=(arm,),
        comparisons=(),
    )
    runs = [
        recorded(
            replace(run("h2h-memory", number=block, block=block), experiment="memory"),
            records=[
                BatchRecord(case, 1, "loads", 1, "right", _jittered(figures, block), why_not=why)
                for case, figures, why in told.values()
            ],
        )
        for block in range(1, BLOCKS + 1)
    ]
    kept = Recording("made-up", plan(of), (HostFacts("made up", FACTS),), tuple(runs))
    return analyze(kept), kept


def _jittered(figures: Figures, block: int) -> dict[str, float]:
    """Return figures as one of several runs has them; sizes are the same in all."""
    return {
        name: value if "size" in name or "set" in name else value * (1 + 0.002 * (block % 3))
        for name, value in figures.items()
    }


def latency(
    *, why: str = "there is no level L3 to choose sizes by: this machine shows L1, L2, DRAM"
) -> tuple[Analysis, Recording]:
    """Return a staircase on small pages with its levels; L3 is absent, for this reason."""
    sizes = [4096 * 2 ** (number / 4) for number in range(73)]
    points: dict[str, float] = {}
    for number, size in enumerate(sizes):
        points[f"point_{number:02}_size_bytes"] = size
        points[f"point_{number:02}_load_ns"] = (
            1.5 + 2.5 * (size > 48 * KIB) + 106 / (1 + math.exp(20 - math.log2(size)))
        )
    told: dict[str, tuple[Case, Figures, str]] = {
        "stairs": (Case({"level": "staircase", "pages": "small"}), points, ""),
        "L3": (Case({"level": "L3", "pages": "small"}), {}, why),
    }
    for name, (least, most, ns) in _LEVELS.items():
        figures = {
            "load_latency_ns": ns,
            "load_latency_cycles": 3 * ns,
            "working_set_least_bytes": least,
            "working_set_most_bytes": most,
            "plateau": 1.0,
        }
        told[name] = (Case({"level": name, "pages": "small"}), figures, "")
    others = [metric(name) for name in ("load_latency_cycles", "plateau")]
    sets = [metric(f"working_set_{end}_bytes", "B") for end in ("least", "most")]
    return made(metric("load_latency_ns"), told, *others, *sets)


def loaded(*, partial: bool) -> tuple[Analysis, Recording]:
    """Return two mixes of traffic."""
    told: dict[str, tuple[Case, Figures, str]] = {}
    for mix, most in (("1r0w", 40e9), ("2r1w", 30e9)):
        figures = {
            "idle_latency_ns": 100.0,
            "latency_at_half_ns": 115.0,
            "latency_at_90_percent_ns": 190.0,
            "traffic_most_bytes_per_s": most,
            "partial_curve": 1.0 if partial else 0.0,
        }
        for number, share in enumerate((0.1, 0.3, 0.5, 0.7, 0.9, 1.0)):
            figures[f"point_{number:02}_bytes_per_s"] = share * most
            figures[f"point_{number:02}_load_ns"] = 100 + 30 * share / (1.15 - share)
        told[mix] = (Case({"traffic": mix}), figures, "")
    names = ("idle_latency_ns", "latency_at_90_percent_ns", "partial_curve")
    others = [metric("traffic_most_bytes_per_s", "B/s"), *(metric(name) for name in names)]
    return made(metric("latency_at_half_ns"), told, *others)


def core_to_core(cpus: int = CPUS) -> tuple[Analysis, Recording]:
    """Return the pairs of CPUs of two sockets: near within one, far between them."""
    figures = {
        f"one_way_{one}_{other}_ns": 35.0 if one // (cpus // 2) == other // (cpus // 2) else 110.0
        for one in range(cpus)
        for other in range(one + 1, cpus)
    }
    return made(metric("one_way_ns"), {"all": (WHOLE_RUN, {**figures, "one_way_ns": 110.0}, "")})


def nodes(count: int = 2) -> tuple[Analysis, Recording]:
    """Return the nodes at each other's memory."""
    figures: dict[str, float] = {"local_latency_ns": 100.0}
    for one in range(count):
        for other in range(count):
            figures[f"node_latency_{one}_{other}_ns"] = 100.0 if one == other else 170.0
            figures[f"node_bandwidth_{one}_{other}_bytes_per_s"] = 20e9 if one == other else 12e9
    return made(metric("local_latency_ns"), {"all": (WHOLE_RUN, figures, "")})


def bandwidth() -> tuple[Analysis, Recording]:
    """Return two cases of bandwidth on a machine whose modules can be read."""
    rate = "memory_bandwidth_bytes_per_s"
    told: dict[str, tuple[Case, Figures, str]] = {
        name: (Case({"operation": name}), {rate: value}, "") for name, value in (("copy", 30e9), ("triad", 40e9))
    }
    return made(metric(rate, "B/s"), told)
