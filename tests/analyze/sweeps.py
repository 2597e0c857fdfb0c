"""An experiment over rising numbers of connections, and its runs, from a rate for each treatment and level."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from headtohead.model.plan import Comparison, PlannedExperiment, Treatment
from headtohead.model.quantity import Summary
from headtohead.model.record import Phase, Recorded
from headtohead.model.study.workload import Load
from tests.analyze.building import ALPHA, GOODPUT, experiment, load_record, readings, recorded, run, treatment

CONNECTIONS = (1, 2, 5, 10, 20, 35, 50)
AVERAGE = Summary("average_5_to_50", "goodput_per_s", "mean", {"connections": (5, 10, 20, 35, 50)})
MAXIMUM = Summary("maximum", "goodput_per_s", "max", {})
AT = Summary("maximum_at", "goodput_per_s", "where-max", {}, at="connections")

SECOND = 1_000_000_000
CASE_S = 4
"""The seconds of a case, a second of warm-up included."""

Rates = Mapping[str, Sequence[float]]
"""From a treatment's label to its rate at each number of connections."""


def sweeping(*arms: Treatment, **changes: Any) -> PlannedExperiment:  # noqa: ANN401
    """Return an experiment over 1 to 50 connections; the first arm is the baseline of the others."""
    first, *others = arms
    plain: dict[str, Any] = {
        "asks": "sql/forum-v1",
        "load": Load("closed", {"connections": CONNECTIONS}, {}, warm_up_s=1, measure_s=3),
        "primary": AVERAGE,
        "summaries": (AVERAGE, MAXIMUM, AT),
        "metrics": {GOODPUT.name: GOODPUT},
        "cases": tuple({"connections": each} for each in CONNECTIONS),
        "treatments": arms,
        "comparisons": tuple(Comparison("subject", first.label, each.label, {}, ALPHA) for each in others),
    }
    return experiment(**(plain | changes))


def engine(name: str, cpus: int = 1, *, varies: bool = False) -> Treatment:
    """Return a treatment of that engine on so many CPUs, which its label names where they vary."""
    label = f"{name} cpus={cpus}" if varies else name
    levels = {"subject": name, "cpus": cpus}
    return treatment(label, subject=name, levels=levels, cpus=tuple(range(cpus)), driver_cpus=(cpus,))


def walked(of: PlannedExperiment, rates: Rates, *, blocks: int = 6, step: float = 0.002) -> list[Recorded]:
    """Return the runs of complete blocks; values of one level differ from block to block by a few ``step``.

    A run lasts as long as its cases take one after the other, and the next one starts after it.
    """
    runs = []
    lasts_s = 2 + CASE_S * len(of.cases)
    for number in range(blocks * len(rates)):
        block, place = divmod(number, len(rates))
        label = list(rates)[place]
        started = datetime(2026, 11, 20, 10, tzinfo=UTC) + timedelta(seconds=number * (lasts_s + 1))
        made = run(
            label,
            number=number + 1,
            block=block + 1,
            place=place + 1,
            experiment=of.name,
            started_at=started.isoformat().replace("+00:00", "Z"),
            phases=(Phase("start", None, 0, SECOND), Phase("measure", None, 2 * SECOND, lasts_s * SECOND)),
        )
        noise = [math.exp(step * ((block * 7 + place * 3 + k * 2) % 5 - 2)) for k in range(len(of.cases))]
        values = [rate * each for rate, each in zip(rates[label], noise, strict=True)]
        told = (load_record(value, case=case) for value, case in zip(values, of.cases, strict=True))
        records = [_within(each, place, rate) for place, (each, rate) in enumerate(zip(told, values, strict=True))]
        runs.append(recorded(made, records=records, monitors=readings(float(lasts_s))))
    return runs


def _within(record: Any, place: int, rate: float) -> Any:  # noqa: ANN401
    """Return the record with a time of its own, three seconds long, and as many responses as its rate makes of that."""
    begin, count = (2 + place * CASE_S) * SECOND, max(100, round(3 * rate))
    times = {"from_ns": begin, "to_ns": begin + 3 * SECOND, "elapsed_ns": 3 * SECOND}
    values = {**record.values, "response_rate_per_s": rate}
    return replace(record, **times, sent=count, right=count, values=values)
