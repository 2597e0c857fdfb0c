"""Software that changed while the study ran."""

from collections.abc import Iterator

from headtohead.analyze.findings.whole import Whole
from headtohead.model.finding import Finding, Severity


def versions(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each program of which the runs of a treatment name more than one version."""
    met: dict[tuple[str, str], dict[str, None]] = {}
    for each in whole.seen:
        for name, version in each.run.versions.items():
            met.setdefault((each.run.label, name), {})[version] = None
    for (label, name), found in met.items():
        if len(found) > 1:
            yield Finding(
                id="versions-differ",
                severity=Severity.INVALID,
                says=f"{label}: {name} changed between runs, from {' to '.join(found)}.",
                advice="Run the study again: these runs are not of one thing.",
                evidence={"treatment": label, "program": name, "versions": len(found)},
                of=(label,),
            )
