"""A study of searches as it might be found: a board's index, plain and compressed, on one CPU and on two.

One treatment holds past its capacity, the others give in; one could not be offered 200 %. Values come from formulas.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from random import Random

from headtohead.model.analysis.comparison import ComparisonResult, Exploratory
from headtohead.model.analysis.cost import Cost
from headtohead.model.analysis.curves import CurvePoint, Searched
from headtohead.model.analysis.estimates import Cell, Interval
from headtohead.model.analysis.limit import Limit
from headtohead.model.analysis.results import ExperimentResult, TreatmentResult
from headtohead.model.analysis.sweeps import Growth, Scaling
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.finding import Finding, Severity
from headtohead.model.plan import Comparison, PlannedExperiment, Treatment
from headtohead.model.quantity import Metric, Scalar, Summary
from headtohead.model.study.workload import DataSet, Load
from tests.report.by_hand import card_of, estimate
from tests.report.plans import ALPHA, LOOKS, METRICS

MS = 1e6
BLOCKS = 6
OVERLOADS = (110, 125, 150, 200)
CAPACITIES = {("off", 1): 640.0, ("on", 1): 410.0, ("off", 2): 1190.0, ("on", 2): 800.0}
KEPT = {("off", 1): 0.2, ("on", 1): 0.9, ("off", 2): 0.25, ("on", 2): 1.0}
"""What is lost of the goodput at 200 %: how steeply each gives in."""

CAPACITY = Metric(
    "capacity_per_s",
    "highest offered load at which the objective holds",
    "1/s",
    "higher",
    ("carries more", "carries less"),
    "search",
)
OVERLOAD = Metric(
    "overload_goodput_share",
    "correct responses per second past the capacity, as a share of it",
    "1",
    "higher",
    ("keeps more", "keeps less"),
    "search",
)
PRIMARY = Summary("capacity_per_s", "capacity_per_s", "geometric-mean", {})
WORST = Summary("overload_goodput_share", "overload_goodput_share", "min", {})
LOAD = Load(
    "sessions",
    {},
    {"rate_per_s": "search", "calls": 5},
    warm_up_s=1,
    measure_s=2,
    objective={"response_time_p99_ns": 200 * MS, "error_share": 0.005},
)


def arm(gzip: str, cpus: int) -> Treatment:
    levels: dict[str, Scalar] = {"subject": "java-forum", "gzip": gzip, "cpus": cpus}
    label = f"java-forum gzip={gzip} cpus={cpus}"
    return Treatment(label, "java-forum", levels, {"gzip": gzip}, tuple(range(cpus)), (cpus,), None, floor=False)


ARMS: Mapping[tuple[str, int], Treatment] = {key: arm(*key) for key in CAPACITIES}


def capacities(key: tuple[str, int]) -> list[float]:
    chance = Random(f"capacity {key}")
    return [CAPACITIES[key] * math.exp(chance.gauss(0, 0.015)) for _ in range(BLOCKS)]


def lost(key: tuple[str, int], percent: float) -> float:
    """Return the share of the capacity that is left of the goodput at so many percent of it."""
    return 1 - (1 - KEPT[key]) * 0.7 * (percent / 100 - 1)


def curve(key: tuple[str, int]) -> tuple[CurvePoint, ...]:
    points = []
    for block, own in enumerate(capacities(key)):
        chance = Random(f"curve {key} {block}")
        tried = (0.85, 0.98, 1.04, 1.01) if block else (0.71, 0.86, 0.95, 1.05, 1.0, 1.02)
        for share in (*tried, *(percent / 100 for percent in OVERLOADS)):
            percent = round(100 * share) if share > 1.07 else None
            answered = share if share < 1 else lost(key, 100 * share)
            waited = 5 * MS / max(1.0 - min(share, 0.97), 0.03) + (900 * MS * (share - 1) if share > 1 else 0)
            noise = math.exp(chance.gauss(0, 0.02))
            points.append(
                CurvePoint(
                    run=1 + 4 * block,
                    offered_load_per_s=share * own,
                    response_rate_per_s=answered * own * noise,
                    goodput_per_s=answered * own * noise,
                    response_time_p50_ns=0.3 * waited * noise,
                    response_time_p99_ns=waited * noise,
                    error_share=max(0.0, 0.3 * (share - 1)) * (1 - KEPT[key]),
                    held=None if percent else share <= 1.01,
                    overload_percent=percent,
                )
            )
    return tuple(sorted(points, key=lambda each: (each.run, each.offered_load_per_s)))


def treatment(key: tuple[str, int]) -> TreatmentResult:
    values, plain = capacities(key), key[0] == "off"
    offered = [percent for percent in OVERLOADS if (key, percent) != (("on", 2), 200)]
    shares = {percent: [lost(key, percent) * (1 + 0.004 * (b - 2)) for b in range(BLOCKS)] for percent in offered}
    cells = [Cell(WHOLE_RUN, "capacity_per_s", estimate(values, alpha=0.05))]
    if len(offered) == len(OVERLOADS):
        cells.append(Cell(WHOLE_RUN, "overload_goodput_share", estimate(shares[200], alpha=0.05)))
    cells += [
        Cell(Case.parse(f"overload_percent={percent}"), "overload_goodput_share", estimate(told, alpha=0.05))
        for percent, told in shares.items()
    ]
    spread = [1.0 + 0.01 * (block % 3 - 1) for block in range(BLOCKS)]
    cpu = 1e9 * key[1] / CAPACITIES[key]
    return TreatmentResult(
        label=ARMS[key].label,
        subject="java-forum",
        title="A message board in Java",
        floor=False,
        runs_valid=BLOCKS,
        runs_invalid=0,
        runs_failed=0,
        dropped=False,
        primary=estimate(values, alpha=0.05),
        points=tuple(values),
        cells=tuple(cells),
        card=replace(card_of(EXPERIMENT, ARMS[key]), loop="sessions of 5 calls, Poisson arrivals, rate searched for"),
        limits=(
            Limit(
                Case.parse("highest load that held"), "cpu", subject_cpus=0.97 * key[1], subject_cpus_allotted=key[1]
            ),
        ),
        curve=curve(key),
        searches=tuple(
            Searched(1 + 4 * block, own, Interval(0.96 * own, 1.045 * own, 0.95), 8 if block == 0 else 6)
            for block, own in enumerate(values)
        ),
        costs=(
            Cost(
                WHOLE_RUN,
                estimate([cpu * each for each in spread], alpha=0.05),
                estimate([(271_500.0 if plain else 18_400.0) * (1 + (each - 1) / 50) for each in spread], alpha=0.05),
            ),
        ),
    )


def comparison(cpus: int) -> ComparisonResult:
    ratios = [on / off for on, off in zip(capacities(("on", cpus)), capacities(("off", cpus)), strict=True)]
    kept = [lost(("on", cpus), 110) / lost(("off", cpus), 110) * (1 + 0.002 * b) for b in range(BLOCKS)]
    return ComparisonResult(
        factor="gzip",
        baseline=ARMS["off", cpus].label,
        other=ARMS["on", cpus].label,
        fixed={"subject": "java-forum", "cpus": cpus},
        verdict="worse",
        because="the interval lies beyond the margin",
        ratio=estimate(ratios, alpha=ALPHA[0]),
        blocks=tuple(ratios),
        look=BLOCKS,
        alpha=ALPHA[0],
        sign_flip_p=0.03125,
        at_least_margin=True,
        negligible=False,
        detectable=1.04,
        blocks_needed=None,
        blocking_gain=1.4,
        scaling=None,
        exploratory=(
            Exploratory(
                Case.parse("overload_percent=110"), "overload_goodput_share", estimate(kept, alpha=0.0125), 0.03125
            ),
        ),
    )


def growth(gzip: str) -> Growth:
    two, one = capacities((gzip, 2)), capacities((gzip, 1))
    ratio = estimate([each / other for each, other in zip(two, one, strict=True)], alpha=0.025)
    assert ratio.interval is not None
    gained = Interval(ratio.interval.low - 1, ratio.interval.high - 1, 0.975)
    bought = Scaling("cpus", 1, 2, ratio.value - 1, gained, 1.0, ratio.value / 2, 2 / ratio.value - 1)
    fixed = {"subject": "java-forum", "gzip": gzip}
    return Growth("capacity_per_s", ARMS[gzip, 1].label, ARMS[gzip, 2].label, fixed, bought)


EXPERIMENT = PlannedExperiment(
    name="board-capacity",
    question="How many index pages a second does the board carry, plain and compressed?",
    workload="board-index",
    workload_version=1,
    workload_title="The index of a message board",
    asks="http/forum-v1",
    same_test="sha256:board-5be1c0",
    data=DataSet("forum", 1, 1, "kept"),
    load=LOAD,
    primary=PRIMARY,
    summaries=(PRIMARY, WORST),
    metrics={
        CAPACITY.name: CAPACITY,
        OVERLOAD.name: OVERLOAD,
        "subject_memory_peak_bytes": METRICS["subject_memory_peak_bytes"],
    },
    compare="gzip",
    matters=1.03,
    looks=LOOKS,
    within_min=None,
    share_driver=False,
    cases=(WHOLE_RUN,),
    treatments=tuple(ARMS.values()),
    comparisons=tuple(
        Comparison("gzip", ARMS["off", cpus].label, ARMS["on", cpus].label, {"cpus": cpus}, ALPHA) for cpus in (1, 2)
    ),
    runs=(),
    run_s={each.label: 40.0 for each in ARMS.values()},
)

LATE = Finding(
    "client-limited",
    Severity.DOUBT,
    "java-forum gzip=on cpus=2: the load generator missed its offered load by 4.1 % "
    "in overload_percent=200,rate_per_s=320",
    "Give the load generator more CPUs, or offer less: it cannot ask as often as that.",
    {"rate_error_share": 0.041, "limit_share": 0.005},
)

RESULT = ExperimentResult(
    name=EXPERIMENT.name,
    question=EXPERIMENT.question,
    workload=EXPERIMENT.workload,
    workload_title=EXPERIMENT.workload_title,
    primary=PRIMARY,
    metric=CAPACITY,
    metrics=EXPERIMENT.metrics,
    matters=1.03,
    looks=LOOKS,
    blocks_done=BLOCKS,
    finished=True,
    stopped="decided",
    same_test=EXPERIMENT.same_test,
    comparisons=(comparison(1), comparison(2)),
    treatments=tuple(treatment(key) for key in CAPACITIES),
    findings=(LATE,),
    notes=(),
    growth=(growth("off"), growth("on")),
)
