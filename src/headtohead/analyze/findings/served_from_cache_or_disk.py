"""Whether memory or a disk was measured: the page cache, a database's memory, copies of the data."""

import statistics
from collections.abc import Iterator, Sequence

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.wording import at, percent
from headtohead.analyze.runs.cpu_use_by_case import CaseSeen, RunSeen
from headtohead.analyze.runs.records_and_times_of_case import PAGE_CACHE, of_case
from headtohead.analyze.runs.use_in_window import increase
from headtohead.analyze.samples.derived_figures import buffer_read_share
from headtohead.analyze.samples.summary_over_cases import cases_of
from headtohead.model import rules
from headtohead.model.case import Case
from headtohead.model.finding import Finding, Severity
from headtohead.model.plan import Comparison, PlannedExperiment, Treatment
from headtohead.model.quantity import scalar_text
from headtohead.model.record import BatchRecord, LoadRecord


def page_cache(seen: RunSeen) -> Iterator[Finding]:
    """Yield one finding for a run with cases that the page cache may have served: they have no figure of the disk."""
    shares = {
        each.case: each.record.metrics[PAGE_CACHE]
        for each in seen.cases
        if isinstance(each.record, BatchRecord) and PAGE_CACHE in each.record.metrics
    }
    cached = [case for case, share in shares.items() if share]
    if not cached:
        return
    given = seen.run.treatment.get("memory_mib")
    limit = "without a limit of memory" if given is None else f"with {scalar_text(given)} MiB of memory"
    deciding = [case for case in _deciding(seen.experiment) if case in shares]
    yield Finding(
        id="page-cache",
        severity=Severity.DOUBT,
        says=f"{_who(cached, len(shares), deciding=deciding)} used the page cache, {limit}",
        advice="Read these as what a program sees of its files. To measure the disk, set memory_mib to at most "
        "half of the files' size, or use direct access.",
        evidence={"page_cache_share": sum(shares.values()) / len(shares)},
    )


def _who(cached: Sequence[Case], cases: int, *, deciding: Sequence[Case]) -> str:
    """Return how many cases used the page cache, and whether the answer rests on one of them."""
    if cases == 1:
        return "it may not have reached the disk: it"
    touched = len(set(cached) & set(deciding))
    if len(cached) == cases or not deciding:
        which = ""
    elif not touched:
        which = ", not the answer's,"
    else:
        all_of_it = touched == len(set(deciding))
        which = ", the answer's too," if all_of_it else f", {touched} of the answer's {len(set(deciding))} too,"
    return f"{len(cached)} of {cases} cases{which} may not have reached the disk: they"


PAGE_BYTES = 4096
"""The least that the kernel reads from a disk."""

OTHERS_BYTES = 1024 * 1024
"""Other processes may have read this much while a case was measured: the monitors see the whole machine's disks."""


def not_in_memory(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case of queries with more than 1 % of the requested pages not in memory.

    The engine's counters show it, or the bytes that the disks read; an engine that keeps its rows in the kernel's cache
    has no counter. If the load has ``in_memory``, the run is invalid, and it is a doubt if nothing shows it.
    """
    if not seen.experiment.of_queries:
        return
    asked = seen.experiment.load.in_memory
    for each in seen.cases:
        if not isinstance(each.record, LoadRecord):
            continue
        by_engine, by_disk = buffer_read_share(each.record), disk_read_share(seen, each, each.record)
        if by_engine is not None and by_engine > rules.NOT_IN_MEMORY.limit:
            what = f"{percent(by_engine)} of the requested pages were not in the engine's memory"
            yield _read(each, by_engine, what, asked=asked)
        elif by_disk is not None and by_disk > rules.NOT_IN_MEMORY.limit:
            # an engine without counters may have requested many more pages than the known responses and rows
            what = (
                f"{percent(by_disk)} of the requested pages"
                if by_disk <= 1
                else "more pages than are known to have been requested"
            )
            yield _read(each, by_disk, f"{what} were read from the disk", asked=asked)
        elif by_engine is by_disk is None and asked:
            yield _untold(each)


def disk_read_share(seen: RunSeen, case: CaseSeen, record: LoadRecord) -> float | None:
    """Return the pages that the disks read as a share of those requested; None if the disks are not visible.

    If the engine does not count its requests, there is at least one page for each response and each row.
    """
    if seen.columns is None or case.window is None:
        return None
    read = increase(seen.columns, "disk_read_bytes", window=case.window)
    if read is None:
        return None
    rows = record.values.get("rows") or 0.0
    pages = max(record.counters.get("buffer_requests", 0.0), float(record.sent), rows)
    return 0.0 if read <= OTHERS_BYTES else read / PAGE_BYTES / max(pages, 1.0)


def _read(case: CaseSeen, share: float, what: str, *, asked: bool) -> Finding:
    return Finding(
        id=rules.NOT_IN_MEMORY.id,
        severity=Severity.INVALID if asked else rules.NOT_IN_MEMORY.then,
        says=f"{what}{at(case.case)} (limit {percent(rules.NOT_IN_MEMORY.limit)})",
        advice="Give the engine more memory, a smaller data set, or a longer warm-up.",
        evidence={"not_in_memory_share": share, "limit_share": rules.NOT_IN_MEMORY.limit, "case": case.case.text},
    )


def _untold(case: CaseSeen) -> Finding:
    return Finding(
        id="memory-untold",
        severity=Severity.DOUBT,
        says=f"whether the data were in memory is not known{at(case.case)}",
        advice="Neither the engine nor the disks show it; give its subject.toml counters (docs/reference/study.md).",
        evidence={"case": case.case.text},
    )


MEANT = ("memory_mib", "access")
"""Factors whose purpose is to use the page cache or not."""


def cold_and_warm(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each comparison whose treatments started with, or used, caches in different states."""
    for comparison, baseline, other in whole.pairs():
        why = _copies(comparison, baseline, other) or _cached(whole, comparison)
        if why:
            yield Finding(
                id="cold-and-warm",
                severity=Severity.INVALID,
                says=f"{why}: the comparison includes the state of the caches.",
                advice="Let both begin in the same state (state, memory_mib, direct access), or make that the factor.",
                evidence={"baseline": comparison.baseline, "other": comparison.other},
                of=(comparison.baseline, comparison.other),
            )


def _copies(comparison: Comparison, baseline: Treatment, other: Treatment) -> str:
    """Return that only one treatment has fresh copies of the data, unless the factor is the reason; else ""."""
    if baseline.fresh == other.fresh or comparison.factor in baseline.settings:
        return ""
    fresh, kept = (baseline, other) if baseline.fresh else (other, baseline)
    return (
        f"Every run of {fresh.label} began on a fresh copy of the data, those of {kept.label} on a copy that was kept"
    )


def _cached(whole: Whole, comparison: Comparison) -> str:
    """Return the case that counts for the verdict in which the page cache served one treatment alone; else ""."""
    if comparison.factor in MEANT:
        return ""
    for case in _deciding(whole.experiment):
        shares = [_share(whole, label, case) for label in (comparison.baseline, comparison.other)]
        if None not in shares and len({bool(each) for each in shares}) > 1:
            label = comparison.baseline if shares[0] else comparison.other
            return f"Only {label} used the page cache{at(case)}"
    return ""


def _deciding(experiment: PlannedExperiment) -> list[Case]:
    deciding = cases_of(experiment.primary, experiment)
    return [case for case in experiment.cases if case in deciding]


def _share(whole: Whole, label: str, case: Case) -> float | None:
    """Return whether the page cache was used (0 or 1), the median over runs; None if no run reports it."""
    shares = []
    for run in whole.counting(label):
        records = [each for each in of_case(run.records, case) if isinstance(each, BatchRecord)][:1]
        shares += [each.metrics[PAGE_CACHE] for each in records if PAGE_CACHE in each.metrics]
    return statistics.median(shares) if shares else None
