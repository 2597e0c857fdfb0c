"""A search whose outcomes did not follow the rate."""

from collections.abc import Iterator

from headtohead.analyze.capacity import bisection, search
from headtohead.analyze.runs.usage import RunSeen
from headtohead.model.finding import Finding, Severity


def unstable(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for a run in which a load held that was well above two that had failed."""
    load = seen.experiment.load
    found = search.search_of([each.record for each in seen.cases], load) if load.searches else None
    region = None if found is None else bisection.unstable(found.trials)
    if region is not None:
        yield Finding(
            id="unstable-region",
            severity=Severity.DOUBT,
            says=f"between {region.low:.0f} and {region.high:.0f} requests/s the objective failed below where it held",
            advice="The subject has more than one way of running there; look at its response times run by run.",
            evidence={"high_per_s": region.high, "low_per_s": region.low},
        )
