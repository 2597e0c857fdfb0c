"""A process of the subject that the kernel killed for memory."""

from collections.abc import Iterator

from headtohead.analyze.runs.usage import RunSeen
from headtohead.model.finding import Finding, Severity


def memory_killed(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding when any process of the subject was killed for memory."""
    kills = seen.run.usage.get("oom_kills")
    if kills:
        yield Finding(
            id="memory-killed",
            severity=Severity.INVALID,
            says=f"{kills:.0f} processes of the subject killed for memory",
            advice="Give the subject more memory, or a smaller task.",
            evidence={"oom_kills": kills},
        )
