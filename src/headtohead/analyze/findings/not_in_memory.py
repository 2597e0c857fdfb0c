"""Data that an engine read from outside its memory: then the disk, or the kernel's cache, is measured as well."""

from collections.abc import Iterator

from headtohead.analyze.findings.say import at, percent
from headtohead.analyze.runs.usage import CaseSeen, RunSeen
from headtohead.analyze.runs.window import increase
from headtohead.analyze.samples.derived import buffer_read_share
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord

LIMIT = 0.01
"""Of the pages that an engine asks its memory for, so many may not have been there."""

PAGE_BYTES = 4096
"""What the kernel reads from a disk at the least."""

OTHERS_BYTES = 1024 * 1024
"""What others may have read from the disks while a case was measured: the monitors see those of the whole machine."""


def not_in_memory(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case of queries with more than 1 % of the pages asked for not in memory.

    The engine tells by its counters, the monitors by what the disks read; one that keeps its rows in the kernel's cache
    counts them nowhere. The run is invalid where the load says ``in_memory``; there it is a doubt if nobody can tell.
    """
    if not seen.experiment.of_queries:
        return
    asked = seen.experiment.load.in_memory
    for each in seen.cases:
        if not isinstance(each.record, LoadRecord):
            continue
        by_engine, by_disk = buffer_read_share(each.record), disk_read_share(seen, each, each.record)
        if by_engine is not None and by_engine > LIMIT:
            told = f"{percent(by_engine)} of the pages asked for were not in the engine's memory"
            yield _read(each, by_engine, told, asked=asked)
        elif by_disk is not None and by_disk > LIMIT:
            # an engine that counts nothing may have asked for many more than the answers and rows that are known
            told = f"{percent(by_disk)} of the pages" if by_disk <= 1 else "more pages than are known to have been"
            yield _read(each, by_disk, f"{told} asked for were read from the disk", asked=asked)
        elif by_engine is by_disk is None and asked:
            yield _untold(each)


def disk_read_share(seen: RunSeen, case: CaseSeen, record: LoadRecord) -> float | None:
    """Return the pages that the disks read as a share of those asked for; None where the disks are not visible.

    Where the engine does not count what it is asked for, it is one page an answer, and one a row, at the least.
    """
    if seen.columns is None or case.window is None:
        return None
    read = increase(seen.columns, "disk_read_bytes", window=case.window)
    if read is None:
        return None
    rows = record.values.get("rows") or 0.0
    pages = max(record.counters.get("buffer_requests", 0.0), float(record.sent), rows)
    return 0.0 if read <= OTHERS_BYTES else read / PAGE_BYTES / max(pages, 1.0)


def _read(case: CaseSeen, share: float, told: str, *, asked: bool) -> Finding:
    return Finding(
        id="not-in-memory",
        severity=Severity.INVALID if asked else Severity.DOUBT,
        says=f"{told}{at(case.case)} (limit {percent(LIMIT)})",
        advice="Give the engine more memory, a smaller data set, or a longer warm-up.",
        evidence={"not_in_memory_share": share, "limit_share": LIMIT, "case": case.case.text},
    )


def _untold(case: CaseSeen) -> Finding:
    return Finding(
        id="memory-untold",
        severity=Severity.DOUBT,
        says=f"nobody can tell whether the data were in memory{at(case.case)}",
        advice="Neither the engine nor the disks say so; give the subject counters (docs/reference/study.md).",
        evidence={"case": case.case.text},
    )
