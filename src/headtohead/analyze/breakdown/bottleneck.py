"""What limited a treatment in each case: the decision list of METHOD.md 6.3, as far as the readings allow."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from headtohead.analyze.capacity import search
from headtohead.analyze.findings import driver_delay, foreign_cpu, page_cache, steal
from headtohead.analyze.findings.say import percent
from headtohead.analyze.runs.records import planned_cases
from headtohead.analyze.runs.usage import CaseSeen, RunSeen, capacity, delay_share, driver_share, subject_share
from headtohead.analyze.runs.window import increase
from headtohead.model.analysis.limit import Limit
from headtohead.model.case import Case
from headtohead.model.machine.link import CEILING
from headtohead.model.plan import Treatment
from headtohead.model.record import BatchRecord

FULL = 0.95
"""From this share of its CPUs on something counts as limited by them."""

AT_CAPACITY = Case({"highest load that held": ""})
"""What stands for the case in a search, whose rates differ from run to run."""

PERIOD_S = 0.1
"""The kernel's default period of a CPU quota."""

THROTTLED = 0.05
"""Share of the quota's periods that must be throttled (METHOD.md 6.3, line 3)."""


LINK_FULL = FULL * CEILING
"""From this share of a link's rate on, by its own counters, it is full: payload can have no more than the ceiling."""

AT_ONCE = ("copies", "threads", "processes")
"""Factors and case fields that say how many of a program work at once, none of which can use more than one CPU."""

WAITED = 0.5
"""From this share of the time on, in which all that could run waited for a disk, it is the disk that limits."""

UNDER_WAY = 1.0
"""From so many requests to a disk on, on average, a program that streams past the page cache waits for the disk.

Who asks by ``libaio`` sleeps in a call that the kernel does not count as waiting for a disk.
"""


@dataclass(frozen=True)
class Use:
    """What was used in one case, each the median over the runs in which it could be read."""

    subject: float | None
    driver: float | None
    delay: float | None
    foreign_cpus: float | None
    foreign_surely: float | None
    """Of these CPUs what is beyond what the clock alone may show."""
    steal: float | None
    throttled: float | None
    link: float | None
    """What the busier direction of the link carried, as a share of its rate."""
    waited: float | None
    disk_bytes_per_s: float | None
    under_way: float | None
    """Requests to the disks at a time, where the program says that the page cache had no part in it."""
    at_once: int | None
    """How many of the subject worked at once; None where nobody says."""


def limits(runs: Sequence[RunSeen]) -> tuple[Limit, ...]:
    """Return what limited one treatment in each case, from its valid runs, in the order of the plan's cases."""
    if not runs:
        return ()
    if runs[0].experiment.load.searches:
        return _of_search(runs)
    seen = {each.case for run in runs for each in run.cases}
    planned = planned_cases(runs[0].experiment)
    cases = [case for case in planned if case in seen] + sorted(seen.difference(planned), key=lambda case: case.text)
    return tuple(_limit(case, _use(case, runs), treatment=runs[0].treatment) for case in cases)


def _of_search(runs: Sequence[RunSeen]) -> tuple[Limit, ...]:
    """Return what limited a search where it matters: at the highest rate that held, and at each overload."""
    named = {AT_CAPACITY: [_carried(run) for run in runs]}
    for percent_over in search.OVERLOADS_PERCENT:
        named[Case({"overload_percent": percent_over})] = [_overload(run, percent_over) for run in runs]
    treatment = runs[0].treatment
    return tuple(
        _limit(name, _use_of([(each, run) for each, run in zip(found, runs, strict=True) if each]), treatment=treatment)
        for name, found in named.items()
        if any(found)
    )


def _carried(run: RunSeen) -> CaseSeen | None:
    record = search.carried([each.record for each in run.cases], run.experiment.load)
    return next((each for each in run.cases if each.record is record), None)


def _overload(run: RunSeen, percent_over: int) -> CaseSeen | None:
    return next((each for each in run.cases if each.record.case.get("overload_percent") == percent_over), None)


def _limit(case: Case, use: Use, *, treatment: Treatment) -> Limit:
    """Walk the list; the first match wins."""
    subject, driver = use.subject, use.driver
    busy = subject is not None and subject >= FULL
    if driver is not None and driver >= FULL and not busy:
        return Limit(case, "driver", f"the driver used {percent(driver)} of its CPUs, {_subject(use, treatment)}")
    if use.delay is not None and use.delay > driver_delay.LIMIT:
        return Limit(case, "driver", f"the driver was kept from its CPU for {percent(use.delay)} of the time")
    if treatment.cpu_quota is not None and use.throttled is not None and use.throttled >= THROTTLED:
        return Limit(
            case, "cpu-quota", f"throttled for a quota of {treatment.cpu_quota:g} CPU; {_subject(use, treatment)}"
        )
    if use.steal is not None and use.steal > steal.LIMIT:
        return Limit(case, "environment", f"the hypervisor took {percent(use.steal)} of the CPUs in use")
    if use.foreign_surely is not None and use.foreign_surely > foreign_cpu.LIMIT_CPUS:
        return Limit(case, "environment", f"others used {use.foreign_cpus:.2f} CPU")
    if busy:
        return Limit(case, "cpu", _subject(use, treatment))
    if use.at_once is not None and subject is not None and subject * capacity(treatment) >= FULL * use.at_once:
        return Limit(case, "parallelism", f"{_subject(use, treatment)}, all that {use.at_once} at once can use")
    if use.link is not None and use.link >= LINK_FULL:
        carried = f"the link carried {percent(use.link)} of its rate, of which payload can have {percent(CEILING)}"
        return Limit(case, "link", f"{carried}; {_subject(use, treatment)}{_driver(use)}")
    if use.waited is not None and use.waited >= WAITED and use.disk_bytes_per_s != 0:
        return Limit(case, "disk", f"all that could run waited for a disk {_waited(use)}; {_subject(use, treatment)}")
    if use.under_way is not None and use.under_way >= UNDER_WAY:
        asked = f"{use.under_way:.1f} requests to the disks were under way on average"
        return Limit(case, "disk", f"{asked}; {_subject(use, treatment)}")
    return Limit(case, "unknown", f"{_subject(use, treatment)}{_driver(use)}")


def _use(case: Case, runs: Sequence[RunSeen]) -> Use:
    return _use_of([(each, run) for run in runs for each in run.cases if each.case == case])


def _use_of(seen: Sequence[tuple[CaseSeen, RunSeen]]) -> Use:
    return Use(
        subject=_median(subject_share(each, run.treatment) for each, run in seen),
        driver=_median(driver_share(each, run.treatment) for each, run in seen),
        delay=_median(delay_share(each, run.treatment) for each, run in seen),
        foreign_cpus=_median(each.cpus(each.cpu.foreign) for each, _ in seen),
        foreign_surely=_median(foreign_cpu.surely_used_cpus(each) for each, _ in seen),
        steal=_median(each.steal_share for each, _ in seen),
        throttled=_median(_throttled(run) for _, run in seen),
        link=_median(_link_share(each, run) for each, run in seen),
        waited=_median(_per_second(each, run, "pressure_io_full_ns", scale=1e9) for each, run in seen),
        disk_bytes_per_s=_median(_disk_bytes_per_s(each, run) for each, run in seen),
        under_way=_median(_under_way(each, run) for each, run in seen),
        at_once=next((_at_once(each, run) for each, run in seen), None),
    )


def _at_once(seen: CaseSeen, run: RunSeen) -> int | None:
    """Return how many of the subject worked at once, as its case, its levels or else its own figures say."""
    figures = seen.record.metrics if isinstance(seen.record, BatchRecord) else {}
    told = {**figures, **run.treatment.levels, **seen.record.case}
    known = [each for name in AT_ONCE if (each := told.get(name)) is not None]
    counts = [int(each) for each in known if isinstance(each, int | float) and not isinstance(each, bool)]
    return counts[0] if len(counts) == 1 else None


def _link_share(seen: CaseSeen, run: RunSeen) -> float | None:
    """Return what the busier direction of the link carried, as a share of its rate; None where it has none.

    It carried that while the case was worked on, which may be shorter than the time that was watched; so it is no more
    than the payload in all, its heads added, comes to.
    """
    rate = run.treatment.link.rate_bits_per_s if run.treatment.link else None
    told = [_per_second(seen, run, name) for name in ("link_sent_bytes", "link_received_bytes")]
    known = [each for each in told if each is not None]
    if not known or not rate or seen.window is None:
        return None
    carried, record = 8 * max(known) / rate, seen.record
    if not isinstance(record, BatchRecord) or record.work_in != "bytes" or record.elapsed_ns <= 0:
        return carried
    seconds = record.elapsed_ns / 1e9
    return min(carried * max(1.0, seen.window.seconds / seconds), 8 * record.work / seconds / rate / CEILING)


def _disk_bytes_per_s(seen: CaseSeen, run: RunSeen) -> float | None:
    """Return what the machine's disks read and wrote; None where it was not read (no disk of its own, say)."""
    rates = [_per_second(seen, run, name) for name in ("disk_read_bytes", "disk_written_bytes")]
    known = [rate for rate in rates if rate is not None]
    return sum(known) if known else None


def _under_way(seen: CaseSeen, run: RunSeen) -> float | None:
    """Return how many requests to the machine's disks were under way on average; None where a cache may have answered.

    It is what they took, one by one, by the time that passed (Little's law).
    """
    if not isinstance(seen.record, BatchRecord) or seen.record.metrics.get(page_cache.METRIC) != 0:
        return None
    return _per_second(seen, run, "disk_requests_ns", scale=1e9)


def _per_second(seen: CaseSeen, run: RunSeen, column: str, *, scale: float = 1.0) -> float | None:
    """Return by how much a counter rose per second of the case; None where it was not read."""
    if run.columns is None or seen.window is None or seen.window.seconds <= 0:
        return None
    rise = increase(run.columns, column, window=seen.window)
    return None if rise is None else rise / scale / seen.window.seconds


def _throttled(run: RunSeen) -> float | None:
    """Return throttled periods as a share of all periods of the measured time."""
    periods, seconds = run.run.usage.get("throttled_periods"), sum(each.seconds for each in run.windows)
    return None if periods is None or seconds <= 0 else periods * PERIOD_S / seconds


def _median(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def _subject(use: Use, treatment: Treatment) -> str:
    if use.subject is None:
        return "what the subject used could not be read"
    allotted = capacity(treatment)
    return f"the subject used {use.subject * allotted:.2f} of its {allotted:g} CPU{'' if allotted == 1 else 's'}"


def _waited(use: Use) -> str:
    """Return for how much of the time it waited, and what the disks moved meanwhile."""
    rate = use.disk_bytes_per_s
    moved = "" if rate is None else f", while the machine's disks moved {rate / 1e6:.0f} MB/s"
    return f"for {percent(use.waited or 0.0)} of the time{moved}"


def _driver(use: Use) -> str:
    return "" if use.driver is None else f", the driver {percent(use.driver)} of its own"
