"""Files that the kernel may have held in memory: then no figure is the disk's."""

from collections.abc import Iterator

from headtohead.analyze.runs.usage import RunSeen
from headtohead.model.finding import Finding, Severity
from headtohead.model.quantity import scalar_text
from headtohead.model.record import BatchRecord

METRIC = "page_cache"
"""What programs that work on files say: 1 where the page cache may have held them."""


def page_cache(seen: RunSeen) -> Iterator[Finding]:
    """Yield one finding for a run with cases in which the page cache is in play: they have no figure of the disk."""
    records = [each.record for each in seen.cases if isinstance(each.record, BatchRecord)]
    told = [each.metrics[METRIC] for each in records if METRIC in each.metrics]
    cached = sum(told)
    if not cached:
        return
    given = seen.run.treatment.get("memory_mib")
    limit = "without a limit of memory" if given is None else f"with {scalar_text(given)} MiB of memory"
    yield Finding(
        id="page-cache",
        severity=Severity.DOUBT,
        says=f"no disk figure in {cached:.0f} of {len(told)} cases: the page cache is in play, {limit}",
        advice="Read these as what a program sees of its files. For the disk give memory_mib at most half of the files'"
        " size, or ask for direct access.",
        evidence={"page_cache_share": cached / len(told)},
    )
