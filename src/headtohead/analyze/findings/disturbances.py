"""What disturbed a run on its machine: other processes, the hypervisor, quotas, memory, the harness itself."""

import math
from collections.abc import Iterator

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.wording import at, percent
from headtohead.analyze.runs.cpu_use_by_case import RunSeen
from headtohead.analyze.runs.other_processes import foreign_apart_share, surely_foreign_cpus
from headtohead.analyze.statistics.error_of_checks import ENOUGH, SURE
from headtohead.analyze.statistics.over_time.straight_line import slope
from headtohead.model import rules
from headtohead.model.finding import Finding, Severity


def foreign_cpu(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which others used a tenth of a CPU beyond TICKS_S on cores that are in use."""
    for each in seen.cases:
        used, surely = each.cpus(each.cpu.foreign), surely_foreign_cpus(each, seen)
        if used is None or surely is None or surely <= rules.FOREIGN_CPU.limit:
            continue
        yield Finding(
            id=rules.FOREIGN_CPU.id,
            severity=rules.FOREIGN_CPU.then,
            says=f"other processes used {used:.2f} CPU{at(each.case)} (limit {rules.FOREIGN_CPU.limit:.2f})",
            advice="End what else runs on this machine, or measure when it is quiet.",
            evidence={"foreign_cpus": used, "limit_cpus": rules.FOREIGN_CPU.limit, "case": each.case.text},
        )


def foreign_apart(seen: RunSeen) -> Iterator[Finding]:
    """Yield a doubt for each case in which others used much of the machine on cores that are not in use."""
    for each in seen.cases:
        share = foreign_apart_share(each, seen)
        if share is not None and share > rules.FOREIGN_APART.limit:
            yield Finding(
                id=rules.FOREIGN_APART.id,
                severity=rules.FOREIGN_APART.then,
                says=f"other processes used {percent(share)} of the machine's CPUs{at(each.case)}, on other cores "
                f"(limit {percent(rules.FOREIGN_APART.limit)})",
                advice="End what else runs on this machine: memory bandwidth and caches are shared with it.",
                evidence={"share": share, "limit_share": rules.FOREIGN_APART.limit, "case": each.case.text},
            )


def slowed_from_apart(whole: Whole) -> Iterator[Finding]:
    """Yield an invalid finding if runs differ with what others used apart: then it did not only share the machine."""
    used = {each.run.run: _most_apart(each) for each in whole.seen}
    runs = {(label, block): each.run.run for label, own in whole.samples.counted.items() for block, each in own.items()}
    pairs = [(used.get(runs[each.label, each.block]), each.log) for each in whole.residuals()]
    known = [(share, log) for share, log in pairs if share is not None]
    most = max((share for share, _ in known), default=0.0)
    if most <= rules.FOREIGN_APART.limit or len(known) < ENOUGH:
        return
    steep, p = slope([share for share, _ in known], [log for _, log in known])
    change = math.expm1(steep * most)
    if p < SURE:
        yield Finding(
            id="foreign-effect",
            severity=Severity.INVALID,
            says=f"Runs gave {percent(abs(change))} {'more' if change > 0 else 'less'} when other processes used "
            f"{percent(most)} of the machine's CPUs on other cores (p {p:.2g}).",
            advice="End what else runs on this machine, and measure again.",
            evidence={"change_share": change, "p": p, "share": most},
        )


def _most_apart(seen: RunSeen) -> float | None:
    shares = [foreign_apart_share(each, seen) for each in seen.cases]
    return max((each for each in shares if each is not None), default=None)


def steal(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which more than 2 % of the time of its CPUs was stolen."""
    for each in seen.cases:
        if each.steal_share is not None and each.steal_share > rules.STEAL.limit:
            yield Finding(
                id=rules.STEAL.id,
                severity=rules.STEAL.then,
                says=f"the hypervisor took {percent(each.steal_share)} of the CPU time in use{at(each.case)}"
                f" (limit {percent(rules.STEAL.limit)})",
                advice="Other guests had these CPUs: measure at another hour or on another machine. Or they were woken "
                "late: `headtohead host` states whether idle CPUs halt at once.",
                evidence={"steal_share": each.steal_share, "limit_share": rules.STEAL.limit, "case": each.case.text},
            )


def throttled(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding if the subject was throttled by a quota that is no factor of the study."""
    periods = seen.run.usage.get("throttled_periods")
    if seen.treatment.cpu_quota is None and periods:
        yield Finding(
            id=rules.THROTTLED.id,
            severity=rules.THROTTLED.then,
            says=f"a CPU quota that is no factor throttled it in {periods:.0f} periods",
            advice="A cgroup above this session has a CPU quota; lift it, or make cpu_quota a factor.",
            evidence={"throttled_periods": periods},
        )


def memory_killed(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding if any process of the subject was killed for memory."""
    kills = seen.run.usage.get("oom_kills")
    if kills:
        yield Finding(
            id=rules.MEMORY_KILLED.id,
            severity=rules.MEMORY_KILLED.then,
            says=f"the kernel killed {kills:.0f} processes of the program for memory",
            advice="Give the program more memory, or a smaller task.",
            evidence={"oom_kills": kills},
        )


def harness(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which the harness used more than 2 % of a CPU."""
    for each in seen.cases:
        used = each.cpus(each.cpu.harness)
        if used is not None and used > rules.HARNESS.limit:
            yield Finding(
                id=rules.HARNESS.id,
                severity=rules.HARNESS.then,
                says=f"Head to Head itself used {percent(used)} of a CPU{at(each.case)}"
                f" (limit {percent(rules.HARNESS.limit)})",
                advice="Read fewer monitors, or less often.",
                evidence={"harness_cpus": used, "limit_cpus": rules.HARNESS.limit, "case": each.case.text},
            )


def gate(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each gate that gave up, so that the measurement began though the machine was not quiet."""
    for each in seen.run.gates:
        if each.get("quiet") is False:
            foreign = each.get("foreign_cpus")
            used = f"{foreign:.2f} CPU" if isinstance(foreign, int | float) else "an unknown share"
            yield Finding(
                id=rules.NOT_QUIET.id,
                severity=rules.NOT_QUIET.then,
                says=f"the machine was not quiet when the measurement began{at(str(each.get('case', '')))}: "
                f"other processes used {used}",
                advice="End what else runs on this machine, or measure when it is quiet.",
                evidence={"foreign_cpus": foreign, **each} if foreign is not None else dict(each),
            )


def unwatched(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which CPU used by other processes was not read: missing is never zero."""
    for each in seen.cases:
        if each.cpu.foreign is None:
            yield Finding(
                id="unwatched",
                severity=Severity.DOUBT,
                says=f"the CPU used by other processes could not be read{at(each.case)}",
                advice="See readings.csv of the run, and `headtohead host` for what is visible here.",
                evidence={"case": each.case.text},
            )
