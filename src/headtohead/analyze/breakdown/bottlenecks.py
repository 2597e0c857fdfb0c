"""What limited a treatment in each case: the decision list of METHOD.md 6.3, as far as the readings allow."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from headtohead.analyze.capacity.goodput_past_capacity import OVERLOADS_PERCENT
from headtohead.analyze.capacity.search_result import highest_held
from headtohead.analyze.runs.cpu_use_by_case import CaseSeen, RunSeen, capacity, subject_share
from headtohead.analyze.runs.driver_cpu_use_and_delay import delay_share, driver_share
from headtohead.analyze.runs.other_processes import surely_foreign_cpus
from headtohead.analyze.runs.records_and_times_of_case import PAGE_CACHE, planned_cases
from headtohead.analyze.runs.use_in_window import increase
from headtohead.model import rules
from headtohead.model.analysis.limit import AT_CAPACITY, Limit
from headtohead.model.case import Case
from headtohead.model.machine.link import CEILING
from headtohead.model.plan import Treatment
from headtohead.model.record import BatchRecord

PERIOD_S = 0.1
"""The kernel's default period of a CPU quota."""

THROTTLED = 0.05
"""Share of the quota's periods that must be throttled (METHOD.md 6.3, line 3)."""


LINK_FULL = rules.FULL_SHARE * CEILING
"""A link is full from this share of its rate on, by its own counters: payload cannot exceed the ceiling."""

AT_ONCE = ("copies", "threads", "processes")
"""Factors and case fields with the number of copies, threads or processes at once; each can use one CPU."""

WAITED = 0.5
"""The disk is the limit if everything that could run waited for it for at least this share of the time."""

UNDER_WAY = 1.0
"""A program that bypasses the page cache waits for the disk from this mean number of requests under way on.

A program that uses ``libaio`` sleeps in a call that the kernel does not count as waiting for a disk.
"""


@dataclass(frozen=True)
class CaseUse:
    """What was used in one case, each the median over the runs in which it could be read."""

    subject: float | None
    driver: float | None
    delay: float | None
    foreign_cpus: float | None
    foreign_surely: float | None
    """Of these CPUs, the use beyond what the clock alone may show."""
    steal: float | None
    throttled: float | None
    link: float | None
    """The share of the link's rate that its busier direction carried."""
    waited: float | None
    disk_bytes_per_s: float | None
    under_way: float | None
    """The mean number of requests to the disks, if the program reports that the page cache had no part."""
    at_once: int | None
    """How many copies, threads or processes of the subject worked at once; None if not known."""


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
    """Return what limited a search at the highest rate that held, and at each overload."""
    named = {AT_CAPACITY: [_carried(run) for run in runs]}
    for percent_over in OVERLOADS_PERCENT:
        named[Case({"overload_percent": percent_over})] = [_overload(run, percent_over) for run in runs]
    treatment = runs[0].treatment
    return tuple(
        _limit(name, _use_of([(each, run) for each, run in zip(found, runs, strict=True) if each]), treatment=treatment)
        for name, found in named.items()
        if any(found)
    )


def _carried(run: RunSeen) -> CaseSeen | None:
    record = highest_held([each.record for each in run.cases], run.experiment.load)
    return next((each for each in run.cases if each.record is record), None)


def _overload(run: RunSeen, percent_over: int) -> CaseSeen | None:
    return next((each for each in run.cases if each.record.case.get("overload_percent") == percent_over), None)


def _limit(case: Case, use: CaseUse, *, treatment: Treatment) -> Limit:
    """Go through the list; the first match wins."""
    allotted = capacity(treatment)
    limit = Limit(
        case,
        "unknown",
        subject_cpus=None if use.subject is None else use.subject * allotted,
        subject_cpus_allotted=allotted,
    )
    busy = use.subject is not None and use.subject >= rules.FULL_SHARE
    if use.driver is not None and use.driver >= rules.FULL_SHARE and not busy:
        return replace(limit, resource="driver", driver_share=use.driver)
    if use.delay is not None and use.delay > rules.DRIVER_DELAY.limit:
        return Limit(case, "driver", driver_delay_share=use.delay)
    if treatment.cpu_quota is not None and use.throttled is not None and use.throttled >= THROTTLED:
        return replace(limit, resource="cpu-quota", cpu_quota=treatment.cpu_quota, throttled_share=use.throttled)
    if use.steal is not None and use.steal > rules.STEAL.limit:
        return Limit(case, "environment", steal_share=use.steal)
    if use.foreign_surely is not None and use.foreign_surely > rules.FOREIGN_CPU.limit:
        return Limit(case, "environment", foreign_cpus=use.foreign_cpus)
    if busy:
        return replace(limit, resource="cpu")
    if use.at_once is not None and use.subject is not None and use.subject * allotted >= rules.FULL_SHARE * use.at_once:
        return replace(limit, resource="parallelism", at_once=use.at_once)
    if use.link is not None and use.link >= LINK_FULL:
        return replace(limit, resource="link", link_share=use.link, driver_share=use.driver)
    if use.waited is not None and use.waited >= WAITED and use.disk_bytes_per_s != 0:
        return replace(limit, resource="disk", disk_wait_share=use.waited, disk_bytes_per_s=use.disk_bytes_per_s)
    if use.under_way is not None and use.under_way >= UNDER_WAY:
        return replace(limit, resource="disk", disk_requests=use.under_way)
    return replace(limit, driver_share=use.driver)


def _use(case: Case, runs: Sequence[RunSeen]) -> CaseUse:
    return _use_of([(each, run) for run in runs for each in run.cases if each.case == case])


def _use_of(seen: Sequence[tuple[CaseSeen, RunSeen]]) -> CaseUse:
    return CaseUse(
        subject=_median(subject_share(each, run.treatment) for each, run in seen),
        driver=_median(driver_share(each, run.treatment) for each, run in seen),
        delay=_median(delay_share(each, run.treatment) for each, run in seen),
        foreign_cpus=_median(each.cpus(each.cpu.foreign) for each, _ in seen),
        foreign_surely=_median(surely_foreign_cpus(each, run) for each, run in seen),
        steal=_median(each.steal_share for each, _ in seen),
        throttled=_median(_throttled(run) for _, run in seen),
        link=_median(_link_share(each, run) for each, run in seen),
        waited=_median(_per_second(each, run, "pressure_io_full_ns", scale=1e9) for each, run in seen),
        disk_bytes_per_s=_median(_disk_bytes_per_s(each, run) for each, run in seen),
        under_way=_median(_under_way(each, run) for each, run in seen),
        at_once=next((_at_once(each, run) for each, run in seen), None),
    )


def _at_once(seen: CaseSeen, run: RunSeen) -> int | None:
    """Return how many of the subject worked at once, from its case, its levels or its own figures."""
    figures = seen.record.metrics if isinstance(seen.record, BatchRecord) else {}
    fields = {**figures, **run.treatment.levels, **seen.record.case}
    known = [each for name in AT_ONCE if (each := fields.get(name)) is not None]
    counts = [int(each) for each in known if isinstance(each, int | float) and not isinstance(each, bool)]
    return counts[0] if len(counts) == 1 else None


def _link_share(seen: CaseSeen, run: RunSeen) -> float | None:
    """Return the share of the link's rate that its busier direction carried; None without a rate.

    The case may be shorter than the time that was watched; so the share is limited to the whole payload with its
    headers.
    """
    rate = run.treatment.link.rate_bits_per_s if run.treatment.link else None
    rates = [_per_second(seen, run, name) for name in ("link_sent_bytes", "link_received_bytes")]
    known = [each for each in rates if each is not None]
    if not known or not rate or seen.window is None:
        return None
    carried, record = 8 * max(known) / rate, seen.record
    if not isinstance(record, BatchRecord) or record.work_in != "bytes" or record.elapsed_ns <= 0:
        return carried
    seconds = record.elapsed_ns / 1e9
    return min(carried * max(1.0, seen.window.seconds / seconds), 8 * record.work / seconds / rate / CEILING)


def _disk_bytes_per_s(seen: CaseSeen, run: RunSeen) -> float | None:
    """Return what the machine's disks read and wrote, in bytes/s; None if it was not read (no disk, for example)."""
    rates = [_per_second(seen, run, name) for name in ("disk_read_bytes", "disk_written_bytes")]
    known = [rate for rate in rates if rate is not None]
    return sum(known) if known else None


def _under_way(seen: CaseSeen, run: RunSeen) -> float | None:
    """Return the mean number of requests to the machine's disks under way; None if a cache may have served them.

    It is the sum of their times over the time that passed (Little's law).
    """
    if not isinstance(seen.record, BatchRecord) or seen.record.metrics.get(PAGE_CACHE) != 0:
        return None
    return _per_second(seen, run, "disk_requests_ns", scale=1e9)


def _per_second(seen: CaseSeen, run: RunSeen, column: str, *, scale: float = 1.0) -> float | None:
    """Return the rise of a counter for each second of the case; None if it was not read."""
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
