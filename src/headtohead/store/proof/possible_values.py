"""Whether the values of one run can be: counts that add up, times inside the run, dates, no value without measure."""

import math
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import pairwise

import numpy as np

from headtohead.model.readings import Readings, Rows
from headtohead.model.record import BatchRecord, LoadRecord, Recorded, Run

YEARS = range(2000, 2100)
LONGEST_RUN_NS = 30 * 86_400 * 10**9
ATTEMPTS = (1, 2, 3)
"""The third is of a block that is repeated as a whole."""
_NEVER_NEGATIVE = re.compile(r".*_(ns|s|bytes|per_s)")
"""The names of times, sizes and rates end in their unit."""
_ANY = re.compile(r".*")
MOST = 1e30
"""No figure of a machine is larger, in any unit; far larger ones overflow where they are summed or drawn."""
_ROUNDED = 1e-6
"""Rates are written with 9 significant digits or more."""
QUANTILES = (*(f"p{each}" for each in (10, 20, 30, 40, 50, 60, 70, 80, 90, 99, 999)), "max")


def impossible(recorded: Recorded) -> str:
    """Return the first thing in a run that cannot be, as the end of a sentence about it; empty if there is none."""
    return next(_impossible(recorded), "")


def _impossible(recorded: Recorded) -> Iterator[str]:
    run = recorded.run
    yield from _of_run(run)
    end_ns = max((each.to_ns for each in run.phases), default=None)
    for record in recorded.records:
        if isinstance(record, LoadRecord):
            yield from _of_load(record, end_ns=end_ns)
        elif isinstance(record, BatchRecord):
            yield from _of_batch(record, end_ns=end_ns)
    yield from _at_once(recorded)
    if recorded.readings is not None and recorded.readings.columns[:1] == ("t_ns",):
        times = recorded.readings.first_cells()
        if times and (times[0] < 0 or times != sorted(times)):
            yield "has readings that go back in time"
        largest = _largest(recorded.readings)
        if largest > MOST:
            yield f"has a reading of {largest:g}"


def _of_run(run: Run) -> Iterator[str]:
    if started(run) is None:
        yield f"started at {run.started_at[:40]!r}, which is not a time of this century"
    if run.attempt not in ATTEMPTS:
        yield f"is attempt {run.attempt}; there are {len(ATTEMPTS)}"
    for phase in run.phases:
        if not 0 <= phase.from_ns <= phase.to_ns <= LONGEST_RUN_NS:
            yield f"has a phase {phase.name[:40]!r} from {phase.from_ns} to {phase.to_ns} ns"
    if run.subject_memory_peak_bytes is not None and run.subject_memory_peak_bytes < 0:
        yield "took less than no memory"
    for name, used in vars(run.cpu_s).items():
        if used is not None and not 0 <= used <= MOST:
            yield f"has {used:g} s of CPU time of the kind {name!r}"
    yield from _of_no_size(run.usage, below_zero=_ANY)
    for gate in run.gates:
        numbers = {name: value for name, value in gate.items() if isinstance(value, int | float)}
        # foreign_cpus may be a little below zero: it is a difference of what two sources of the kernel count
        yield from _of_no_size(numbers)


def _of_load(record: LoadRecord, *, end_ns: int | None) -> Iterator[str]:
    counted = record.right + sum(record.errors.values())
    if counted != record.sent:
        yield f"has {record.right} right answers and {counted - record.right} errors, of {record.sent} requests"
    yield from _window(record.from_ns, record.to_ns, elapsed_ns=record.elapsed_ns, end_ns=end_ns)
    values = record.values
    yield from _of_no_size(values)
    goodput, responses = values.get("goodput_per_s"), values.get("response_rate_per_s")
    if goodput is not None and responses is not None and goodput > responses * (1 + _ROUNDED) + _ROUNDED:
        yield f"has {goodput:g} right answers a second, and {responses:g} answers"
    if record.loop == "closed" and goodput is not None and record.elapsed_ns > 0:
        inside = goodput * record.elapsed_ns / 1e9
        if not math.isclose(inside, record.right, rel_tol=_ROUNDED, abs_tol=1):
            yield f"has a goodput_per_s of {goodput:g}, which are {inside:.0f} right answers, not {record.right}"
    for kind in ("response_time", "service_time", "send_lag"):
        there = [known for each in QUANTILES if (known := values.get(f"{kind}_{each}_ns")) is not None]
        if any(b < a for a, b in pairwise(there)):
            yield f"has quantiles of its {kind} that are out of order"
    for name, figures in record.queries.items():
        asked, answered = figures.get("sent"), figures.get("right")
        if asked is not None and answered is not None and answered > asked:
            yield f"has {answered:g} right answers to {asked:g} queries {name[:40]!r}"
        yield from _of_no_size(figures)
    yield from _of_no_size(record.counters)


def _at_once(recorded: Recorded) -> Iterator[str]:
    """Yield that two cases of a load generator were measured at the same time: it measures one after the other."""
    loads = [each for each in recorded.records if isinstance(each, LoadRecord) and each.from_ns > 0]
    for first, second in pairwise(sorted(loads, key=lambda each: each.from_ns)):
        if second.from_ns < first.to_ns:
            yield f"measured {second.case} from {second.from_ns} ns, before {first.case} ended at {first.to_ns} ns"


def _of_batch(record: BatchRecord, *, end_ns: int | None) -> Iterator[str]:
    yield from _of_no_size({**record.metrics, "work": record.work})
    if record.from_ns is not None and record.to_ns is not None:
        yield from _window(record.from_ns, record.to_ns, elapsed_ns=None, end_ns=end_ns)


def _window(from_ns: int, to_ns: int, *, elapsed_ns: int | None, end_ns: int | None) -> Iterator[str]:
    if not 0 <= from_ns <= to_ns:
        yield f"was measured from {from_ns} to {to_ns} ns"
    if end_ns is not None and to_ns > end_ns:
        yield f"was measured until {to_ns} ns, and ended at {end_ns} ns"
    if elapsed_ns is not None and from_ns > 0 and elapsed_ns != to_ns - from_ns:
        yield f"was measured from {from_ns} to {to_ns} ns, which are not {elapsed_ns} ns"


def _of_no_size(figures: Mapping[str, float | None], *, below_zero: re.Pattern[str] = _NEVER_NEGATIVE) -> Iterator[str]:
    """Yield each figure that is beyond all measure, or below zero although its name is one of ``below_zero``."""
    for name, value in figures.items():
        if value is not None and (abs(value) > MOST or (value < 0 and below_zero.fullmatch(name))):
            yield f"has a {name[:60]} of {value:g}"


def _largest(readings: Readings) -> float:
    """Return the largest cell of all readings, by its amount; 0 without any."""
    if isinstance(readings.rows, Rows):
        return float(np.fmax.reduce(np.abs(np.frombuffer(readings.rows.cells, dtype=np.float64)), initial=0.0))
    return max((abs(cell) for row in readings.rows for cell in row if cell is not None), default=0.0)


def started(run: Run) -> datetime | None:
    """Return when a run started; None if that is not a time, or of another century."""
    try:
        found = datetime.fromisoformat(run.started_at)
    except ValueError:
        return None
    return found if found.tzinfo is not None and found.year in YEARS else None
