"""A board asked for plain and for packed pages on a machine whose hour costs 1 EUR, its two CPUs 0.5 EUR each."""

import dataclasses
from collections.abc import Mapping

from headtohead.model.external.prices import Power, Price, Prices, Stated, System, SystemPrice
from headtohead.model.machine.host import Fact, HostFacts
from headtohead.model.plan import Comparison, PlannedExperiment
from headtohead.model.record import Recorded, Recording
from tests.analyze.building import ALPHA, experiment, load_record, plan, readings, recorded, run, treatment

DAY = "2026-11-01"
HOST = HostFacts("local", (Fact("cpu", "model", "A CPU", None, "made up"), Fact("cpu", "threads", 2, None, "made up")))
BOUGHT = SystemPrice(Price(8766.0, "EUR", DAY, "an offer"), "once", 1.0, "with its disks")
"""A year of 365.25 days has 8766 hours."""
SYSTEM = System("A lab server", {"cpu": {"threads": 2}}, price=BOUGHT)
POWER = Power(idle_w=80.0, load_w=200.0, by="A. Person", date=DAY, how="meter at the wall")
PRICES = Prices(gb_sent=Price(0.05, "EUR", DAY, "a list"), kwh=Price(0.36, "EUR", DAY, "a bill"))
STATED = Stated(SYSTEM, PRICES)
BOARD = experiment(
    name="board",
    compare="gzip",
    treatments=(
        treatment("plain", subject="board", levels={"subject": "board", "gzip": "off"}),
        treatment("packed", subject="board", levels={"subject": "board", "gzip": "on"}),
    ),
    comparisons=(Comparison("gzip", "plain", "packed", {}, ALPHA),),
)
PLAIN, PACKED = (1000.0, 0.5, 19_000.0), (800.0, 0.64, 4_000.0)
"""Answers per second, CPUs that the subject used, bytes an answer: 0.5 ms of CPU an answer plain, and 0.8 ms packed."""


def asked(
    told: Mapping[str, tuple[float, float, float]] | None = None,
    *,
    of: PlannedExperiment = BOARD,
    blocks: int = 6,
    watts: float | None = None,
    step: float = 0.0,
) -> list[Recorded]:
    """Return the runs of complete blocks; the CPU of every second block is ``step`` CPUs more than that of the others.

    ``watts`` is what the processor packages drew; None where they do not tell.
    """
    made = list[Recorded]()
    told = told or {"plain": PLAIN, "packed": PACKED}
    for block in range(1, blocks + 1):
        for place, (label, (rate, cpus, size)) in enumerate(told.items(), start=1):
            one = run(label, number=len(made) + 1, block=block, place=place, experiment=of.name)
            values = {"goodput_per_s": rate, "response_rate_per_s": rate, "received_bytes_per_s": rate * size}
            record = dataclasses.replace(load_record(rate), values={**load_record(rate).values, **values})
            drawn = {} if watts is None else {"package_energy_uj": watts * 1e6}
            monitors = readings(subject_cpu_ns=cpus + step * (block % 2), **drawn)
            made.append(recorded(one, records=[record], monitors=monitors))
    return made


def board(stated: Stated = STATED, *, watts: float | None = None, step: float = 0.0) -> Recording:
    """Return the results folder of the board, read, with what was given."""
    runs = asked(watts=watts, step=step)
    return Recording("2026-11-20-board", plan(BOARD), (HOST,), tuple(runs), stated=stated)
