"""CPU used by others while a case was measured: the best sign of a contaminated run (METHOD.md 0, line 6)."""

from collections.abc import Iterator

from headtohead.analyze.findings.say import at
from headtohead.analyze.runs.usage import CaseSeen, RunSeen
from headtohead.model.finding import Finding, Severity

LIMIT_CPUS = 0.10

TICKS_S = 0.03
"""What the kernel's clock alone may show of others: three ticks of 10 ms, whatever the window lasts.

``/proc/stat`` cuts user, system and interrupts down to whole ticks, at the start and at the end: six errors, each
anywhere in a tick, of a standard deviation of 10 ms * sqrt(6 / 12) = 7 ms together (8 ms were measured; ADR 0005). This
is four of them. It is a tenth of a CPU in a window of 0.3 s, and a hundredth in one of 3 s.
"""


def surely_used_cpus(seen: CaseSeen) -> float | None:
    """Return the CPUs that others used in a case beyond what the clock alone may show, at least 0; None: not read."""
    used_s = seen.cpu.foreign
    return None if used_s is None else seen.cpus(max(0.0, used_s - TICKS_S))


def foreign_cpu(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which others surely used more than a tenth of a CPU."""
    for each in seen.cases:
        used, surely = each.cpus(each.cpu.foreign), surely_used_cpus(each)
        if used is None or surely is None or surely <= LIMIT_CPUS:
            continue
        yield Finding(
            id="foreign-cpu",
            severity=Severity.INVALID,
            says=f"{used:.2f} CPU of others{at(each.case)} (limit {LIMIT_CPUS:.2f})",
            advice="End what else runs on this machine, or measure when it is quiet.",
            evidence={"foreign_cpus": used, "limit_cpus": LIMIT_CPUS, "case": each.case.text},
        )
