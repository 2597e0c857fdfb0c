"""CPU used by others while a case was measured: the best sign of a contaminated run (METHOD.md 0, line 6)."""

from collections.abc import Iterator

from headtohead.analyze.doubts.say import at
from headtohead.analyze.seen import RunSeen
from headtohead.model.finding import Finding, Severity

LIMIT_CPUS = 0.10

TICKS_S = 0.02
"""Two ticks of the kernel's clock: less than that is no reading, in windows of a fifth of a second and below."""


def foreign_cpu(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which others used more than a tenth of a CPU."""
    for each in seen.cases:
        used = each.cpus(each.cpu.foreign)
        if used is None or each.cpu.foreign is None or used <= LIMIT_CPUS or each.cpu.foreign <= TICKS_S:
            continue
        yield Finding(
            id="foreign-cpu",
            severity=Severity.INVALID,
            says=f"{used:.2f} CPU of others{at(each.case)} (limit {LIMIT_CPUS:.2f})",
            advice="End what else runs on this machine, or measure when it is quiet.",
            evidence={"foreign_cpus": used, "limit_cpus": LIMIT_CPUS, "case": each.case},
        )
