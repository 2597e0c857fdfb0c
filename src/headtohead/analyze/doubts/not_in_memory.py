"""Data that an engine read from outside its memory: then the disk, or the kernel's cache, is measured as well."""

from collections.abc import Iterator

from headtohead.analyze.derived import buffer_read_share
from headtohead.analyze.doubts.say import at, percent
from headtohead.analyze.seen import CaseSeen, RunSeen
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord

LIMIT = 0.01
"""Of the pages that an engine asks its memory for, so many may not have been there."""


def not_in_memory(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case with more than 1 % of the pages asked for not in the engine's memory.

    The run is invalid where the load says ``in_memory``; there it is a doubt if the engine does not tell.
    """
    load = seen.experiment.load
    for each in seen.cases:
        if not isinstance(each.record, LoadRecord):
            continue
        share = buffer_read_share(each.record)
        if share is not None and share > LIMIT:
            yield _read(each, share, asked=load.in_memory)
        elif share is None and load.in_memory:
            yield _untold(each)


def _read(case: CaseSeen, share: float, *, asked: bool) -> Finding:
    return Finding(
        id="not-in-memory",
        severity=Severity.INVALID if asked else Severity.DOUBT,
        says=f"{percent(share)} of the pages asked for were not in the engine's memory{at(case.case)}"
        f" (limit {percent(LIMIT)})",
        advice="Give the engine more memory, a smaller data set, or a longer warm-up.",
        evidence={"buffer_read_share": share, "limit_share": LIMIT, "case": case.case},
    )


def _untold(case: CaseSeen) -> Finding:
    return Finding(
        id="memory-untold",
        severity=Severity.DOUBT,
        says=f"the engine does not tell whether its data were in memory{at(case.case)}",
        advice="See the disk's readings in the card, or give the subject counters (docs/reference/study.md).",
        evidence={"case": case.case},
    )
