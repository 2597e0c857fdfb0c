"""An experiment that moves bytes over rising numbers of clients, both ways, and its runs, from a rate for each case."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from headtohead.describe.catalog import read_metrics
from headtohead.describe.home import find_home
from headtohead.model.case import Case
from headtohead.model.plan import Comparison, PlannedExperiment, Treatment
from headtohead.model.quantity import Summary
from headtohead.model.readings import Readings
from headtohead.model.record import BatchRecord, Recorded
from headtohead.model.study.workload import Load
from tests.analyze.building import ALPHA, experiment, readings, recorded, run, treatment

SECOND_NS = 1_000_000_000
CLIENTS = (1, 2, 4, 8)
OVERALL = Summary("overall", "bytes_per_s", "geometric-mean", {})
METRICS = {
    name: metric
    for name, metric in read_metrics(find_home()).items()
    if name in ("bytes_per_s", "subject_cpu_s_per_gb", "driver_cpu_s_per_gb", "link_share")
}

Rates = Mapping[str, Mapping[str, Sequence[float]]]
"""From a treatment's label and an operation to the bytes per second at each number of clients."""


def moving(
    *arms: Treatment,
    operations: Sequence[str] = ("read", "write"),
    clients: Sequence[int] = CLIENTS,
    **changes: Any,  # noqa: ANN401
) -> PlannedExperiment:
    """Return an experiment over clients and operations; the first arm is the baseline of the others."""
    first, *others = arms or (treatment("samba"),)
    plain: dict[str, Any] = {
        "name": "file-server",
        "question": "How many bytes does a file server move?",
        "workload": "smb-server",
        "workload_title": "A file server",
        "asks": "net/smb-v1",
        "load": Load("batch", {"clients": tuple(clients), "operation": tuple(operations)}, {}),
        "primary": OVERALL,
        "summaries": (OVERALL,),
        "metrics": METRICS,
        "cases": tuple({"clients": n, "operation": each} for each in operations for n in clients),
        "treatments": (first, *others),
        "comparisons": tuple(Comparison("subject", first.label, each.label, {}, ALPHA) for each in others),
    }
    return experiment(**(plain | changes))


BLOCKS = 6


def moved(of: PlannedExperiment, rates: Rates, **used: float) -> list[Recorded]:
    """Return the runs of six blocks: a second a case, ``used`` the CPUs busy all the time (see readings)."""
    runs = []
    for number in range(BLOCKS * len(rates)):
        block, place = divmod(number, len(rates))
        label = list(rates)[place]
        made = run(label, number=number + 1, block=block + 1, place=place + 1, experiment=of.name)
        records = []
        for at, case in enumerate(of.cases):
            level = of.load.cases["clients"].index(case["clients"])
            rate = rates[label][str(case["operation"])][level]
            records.append(bytes_record(rate * math.exp(0.004 * ((block * 7 + place + at) % 5 - 2)), case, at=at))
        runs.append(recorded(made, records=records, monitors=watched(len(of.cases), **used)))
    return runs


def watched(cases: int, **used: float) -> Readings:
    """Return readings of so many cases of a second."""
    return readings(3.0 + cases, **used)


def bytes_record(rate: float, case: Case, *, at: int = 0) -> BatchRecord:
    """Return what a program says of a case that it began ``at`` seconds after second 2: so many bytes in a second."""
    begin = (2 + at) * SECOND_NS
    return BatchRecord(case, rate, "bytes", SECOND_NS, "whole", {}, begin, begin + SECOND_NS)
