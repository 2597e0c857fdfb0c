"""A CPU quota that nobody asked for."""

from collections.abc import Iterator

from headtohead.analyze.runs.usage import RunSeen
from headtohead.model.finding import Finding, Severity


def throttled(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding when the subject was throttled by a quota that is no factor of the study."""
    periods = seen.run.usage.get("throttled_periods")
    if seen.treatment.cpu_quota is None and periods:
        yield Finding(
            id="throttled",
            severity=Severity.INVALID,
            says=f"throttled in {periods:.0f} periods by a CPU quota that is no factor",
            advice="A cgroup above this session has a CPU quota; lift it, or make cpu_quota a factor.",
            evidence={"throttled_periods": periods},
        )
