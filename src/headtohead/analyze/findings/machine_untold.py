"""Numbers of a machine that nobody described (METHOD.md 9)."""

from collections.abc import Iterator

from headtohead.analyze.findings.whole import Whole
from headtohead.model.finding import Finding, Severity


def machine_untold(whole: Whole) -> Iterator[Finding]:
    """Yield a finding where no fact about any machine was recorded."""
    known = any(fact.value is not None for host in whole.hosts for fact in host.facts)
    if whole.runs and not known:
        yield Finding(
            id="machine-untold",
            severity=Severity.INVALID,
            says="Nothing was recorded about the machine: nobody can say what these numbers are of.",
            advice="Measure with `headtohead run`, which writes hosts.json; keep that file with the others.",
        )
