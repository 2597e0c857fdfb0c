"""Judge whether a run counts: by the rules of DESIGN.md section 9, none of which looks at the result."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from headtohead.analyze.findings.capacity_not_found_or_unstable import held_past_capacity, nothing_held, unstable
from headtohead.analyze.findings.disturbances import (
    foreign_apart,
    foreign_cpu,
    gate,
    harness,
    memory_killed,
    steal,
    throttled,
    unwatched,
)
from headtohead.analyze.findings.driver import (
    driver_busy,
    driver_delay,
    driver_resources,
    queued,
    rate_error,
    send_lag,
    shared_driver,
)
from headtohead.analyze.findings.listen_queue_full import listen_queue_full
from headtohead.analyze.findings.littles_law_and_lost_timeouts import littles_law
from headtohead.analyze.findings.served_from_cache_or_disk import not_in_memory, page_cache
from headtohead.analyze.findings.wrong_or_uncompressed_responses import no_response, not_compressed, wrong_answer
from headtohead.analyze.runs.cpu_use_by_case import RunSeen, see
from headtohead.model.finding import Finding, Severity
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import CpuUse, Recorded, Status

LOOKS_FOR: tuple[Callable[[RunSeen], Iterator[Finding]], ...] = (
    wrong_answer,
    no_response,
    not_compressed,
    not_in_memory,
    memory_killed,
    throttled,
    held_past_capacity,
    unstable,
    nothing_held,
    foreign_cpu,
    foreign_apart,
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
    listen_queue_full,
    page_cache,
)
"""The checks of every run, in the order in which reasons are given."""

OF_THE_DRIVER = (driver_resources, driver_delay, driver_busy, send_lag, rate_error, shared_driver)
"""Checks that do not apply if driver and subject are one program: its client's work is the engine's."""

OF_NOISE = (foreign_cpu, steal, driver_delay, send_lag)
"""Checks of what others on the machine do to a run. A driver at its own limit, and a load that was not offered, are no
noise: there another thing was measured."""


def noticed(seen: RunSeen) -> Iterator[Finding]:
    """Yield all findings of one run, in the order in which reasons are given. Noise that is tolerated is a doubt."""
    for look in LOOKS_FOR:
        if _applies(look, seen):
            noise = seen.experiment.tolerates_noise and look in OF_NOISE
            yield from map(_tolerated, look(seen)) if noise else look(seen)


def is_disturbed(seen: RunSeen) -> bool:
    """Return whether a check of noise would exclude a run where noise is not tolerated."""
    found = (each for look in OF_NOISE if _applies(look, seen) for each in look(seen))
    return any(each.severity is Severity.INVALID for each in found)


def _applies(look: Callable[[RunSeen], Iterator[Finding]], seen: RunSeen) -> bool:
    return not (seen.run.in_process and look in OF_THE_DRIVER)


def _tolerated(finding: Finding) -> Finding:
    return replace(finding, severity=Severity.DOUBT) if finding.severity is Severity.INVALID else finding


@dataclass(frozen=True)
class Judgment:
    """Whether a run counts, and why not; its CPU use over the measured time; all findings.

    Findings of one case have its text in ``evidence["case"]``. A reason starts with the id of its finding.
    """

    status: Status
    reasons: tuple[str, ...]
    cpu_use: CpuUse
    findings: tuple[Finding, ...]


def judge(recorded: Recorded, experiment: PlannedExperiment) -> Judgment:
    """Judge one run by what was seen of it, never by its result.

    Reasons that the run already has (a wrong batch answer, a level that was not read back) stay and make it invalid; a
    failed run stays failed. Judging twice changes nothing. The records may be those of some cases only, while a run is
    in progress: a case without a record is no finding here.
    """
    seen = see(recorded, experiment)
    findings = tuple(noticed(seen))
    struck = [f"{each.id}: {each.says}" for each in findings if each.severity is Severity.INVALID]
    reasons = tuple(dict.fromkeys((*recorded.run.reasons, *struck)))
    status: Status = "invalid" if reasons else "valid"
    if recorded.run.status == "failed":
        status, reasons = "failed", recorded.run.reasons
    return Judgment(status=status, reasons=reasons, cpu_use=seen.cpu_s, findings=findings)
