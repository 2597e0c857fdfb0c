"""Whether a run counts: the rules of DESIGN.md section 9, all of them blind to the result."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from headtohead.analyze.findings.driver_busy import driver_busy
from headtohead.analyze.findings.driver_delay import driver_delay
from headtohead.analyze.findings.driver_resources import driver_resources
from headtohead.analyze.findings.foreign_cpu import foreign_cpu
from headtohead.analyze.findings.gate import gate
from headtohead.analyze.findings.harness import harness
from headtohead.analyze.findings.littles_law import littles_law
from headtohead.analyze.findings.memory_killed import memory_killed
from headtohead.analyze.findings.not_compressed import not_compressed
from headtohead.analyze.findings.not_in_memory import not_in_memory
from headtohead.analyze.findings.nothing_held import nothing_held
from headtohead.analyze.findings.page_cache import page_cache
from headtohead.analyze.findings.queued import queued
from headtohead.analyze.findings.rate_error import rate_error
from headtohead.analyze.findings.send_lag import send_lag
from headtohead.analyze.findings.shared_driver import shared_driver
from headtohead.analyze.findings.steal import steal
from headtohead.analyze.findings.throttled import throttled
from headtohead.analyze.findings.unstable import unstable
from headtohead.analyze.findings.unwatched import unwatched
from headtohead.analyze.findings.wrong_answer import wrong_answer
from headtohead.analyze.runs.usage import RunSeen, see
from headtohead.model.finding import Finding, Severity
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import CpuUse, Recorded, Status

LOOKS_FOR: tuple[Callable[[RunSeen], Iterator[Finding]], ...] = (
    wrong_answer,
    not_compressed,
    not_in_memory,
    memory_killed,
    throttled,
    foreign_cpu,
    steal,
    driver_resources,
    driver_delay,
    driver_busy,
    send_lag,
    rate_error,
    shared_driver,
    harness,
    gate,
    unwatched,
    queued,
    littles_law,
    unstable,
    nothing_held,
    page_cache,
)
"""What every run is looked through for, in the order in which reasons are given."""

OF_THE_DRIVER = (driver_resources, driver_delay, driver_busy, send_lag, rate_error, shared_driver)
"""What is nobody's fault where driver and subject are one program: its client's work is the engine's."""


def noticed(seen: RunSeen) -> Iterator[Finding]:
    """Yield all findings of one run, in the order in which reasons are given."""
    for look in LOOKS_FOR:
        if not (seen.run.in_process and look in OF_THE_DRIVER):
            yield from look(seen)


@dataclass(frozen=True)
class Judgment:
    """Whether a run counts, and why not; its CPU use over the measured time; all that was noticed.

    Findings of one case hold its text in ``evidence["case"]``. A reason starts with the id of its finding.
    """

    status: Status
    reasons: tuple[str, ...]
    cpu_use: CpuUse
    findings: tuple[Finding, ...]


def judge(recorded: Recorded, experiment: PlannedExperiment) -> Judgment:
    """Judge one run by what was seen of it, never by its result.

    Reasons that the run came with (a wrong batch answer, a level that was not read back) stay, and are enough to make
    it invalid; a failed run stays failed. Judging twice changes nothing. The records may be those of some cases
    only, as of a run that is still being made: a case without a record is no finding here.
    """
    seen = see(recorded, experiment)
    findings = tuple(noticed(seen))
    struck = [f"{each.id}: {each.says}" for each in findings if each.severity is Severity.INVALID]
    reasons = tuple(dict.fromkeys((*recorded.run.reasons, *struck)))
    status: Status = "invalid" if reasons else "valid"
    if recorded.run.status == "failed":
        status, reasons = "failed", recorded.run.reasons
    return Judgment(status=status, reasons=reasons, cpu_use=seen.cpu_s(), findings=findings)
