"""Timeouts that are counted as errors and missing among the times: then the slowest were dropped (METHOD.md 4.3)."""

from collections.abc import Iterator

from headtohead.analyze.findings.say import at
from headtohead.analyze.findings.whole import Whole
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord

NEAR = 0.9
"""A histogram's bin may end a little before the value that lies in it; a driver's clock ticks."""


def timeouts_dropped(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for the first case of each treatment with timeouts, all of whose times are below the timeout."""
    limit_ns = NEAR * whole.experiment.load.timeout_s * 1e9
    told: set[str] = set()
    for seen in whole.seen:
        for each in seen.cases:
            count = each.record.errors.get("timeout", 0) if isinstance(each.record, LoadRecord) else 0
            longest = each.record.values.get("response_time_max_ns") if isinstance(each.record, LoadRecord) else None
            if count and longest is not None and longest < limit_ns and seen.run.label not in told:
                told.add(seen.run.label)
                yield Finding(
                    id="timeouts-dropped",
                    severity=Severity.INVALID,
                    says=f"{seen.run.label}: {count} requests timed out{at(each.case)}, and the longest time kept is "
                    f"{longest / 1e6:.0f} ms: the slowest were dropped.",
                    advice="Measure with a driver that keeps them, as h2h-load does: at least as long as the timeout.",
                    evidence={"requests": count, "response_time_max_ns": longest, "treatment": seen.run.label},
                    of=(seen.run.label,),
                )
