"""What the monitors and the driver saw of one run, case by case: who used how much of the CPUs."""

import math
from dataclasses import dataclass, replace
from functools import cached_property

from headtohead.analyze.runs.has_driver import has_driver
from headtohead.analyze.runs.monitor_columns import Columns, Window
from headtohead.analyze.runs.records_and_times_of_case import counted, measured_window
from headtohead.analyze.runs.use_in_window import cpu_use, steal_share
from headtohead.model.case import Case
from headtohead.model.plan import PlannedExperiment, Treatment
from headtohead.model.record import CaseRecord, CpuUse, LoadRecord, Recorded, RefusedRecord, Run, Setting

TICKS_S = 0.03
"""CPU seconds of other processes that the kernel's clock alone may show: three ticks of 10 ms, in any window.

``/proc/stat`` truncates user, system and interrupt time to whole ticks, at the start and at the end: six uniform errors
of up to a tick, with a standard deviation of 10 ms * sqrt(6 / 12) = 7 ms together (8 ms were measured; ADR 0005). This
is four of them: a tenth of a CPU in a window of 0.3 s, a hundredth in one of 3 s.
"""


@dataclass(frozen=True)
class CaseSeen:
    """One case's measured time: CPU seconds by user, and the share of CPU time that was stolen.

    The driver's are without polls that found nothing.
    """

    case: Case
    record: CaseRecord
    window: Window | None
    cpu: CpuUse
    steal_share: float | None

    def cpus(self, seconds: float | None) -> float | None:
        """Return CPU seconds of this case as CPUs busy on average."""
        if seconds is None or self.window is None or self.window.seconds <= 0:
            return None
        return seconds / self.window.seconds


@dataclass(frozen=True)
class RunSeen:
    """One run, with each of its cases."""

    experiment: PlannedExperiment
    treatment: Treatment
    run: Run
    cases: tuple[CaseSeen, ...]
    columns: Columns | None
    configuration: tuple[Setting, ...] = ()
    refused: tuple[RefusedRecord, ...] = ()
    """The cases that the subject reports it cannot do: nothing was seen of them."""

    @cached_property
    def windows(self) -> tuple[Window, ...]:
        """The measured windows, each once: the cases of one batch program may share theirs."""
        return tuple(dict.fromkeys(each.window for each in self.cases if each.window is not None))

    @cached_property
    def cpu_s(self) -> CpuUse:
        """The CPU seconds over the whole measured time."""
        shared = list({each.window: each.cpu for each in self.cases}.values())
        return CpuUse(
            subject=_total([each.subject for each in shared]),
            driver=_total([each.driver for each in shared]),
            harness=_total([each.harness for each in shared]),
            foreign=_total([each.foreign for each in shared]),
            steal=_total([each.steal for each in shared]),
        )


def see(recorded: Recorded, experiment: PlannedExperiment) -> RunSeen:
    """Return what was seen of a run; KeyError if the experiment has no treatment of that label."""
    treatment = _as_found(experiment.treatment(recorded.run.label), recorded.run)
    columns = Columns(recorded.readings) if recorded.readings is not None else None
    driven = has_driver(experiment, recorded.run)
    cases = []
    records = counted(recorded.records)
    refused = tuple(each for each in records if isinstance(each, RefusedRecord))
    for record in (each for each in records if not isinstance(each, RefusedRecord)):
        window = measured_window(record, recorded.run.phases)
        cpu = cpu_use(columns, window=window, driver=driven)
        if recorded.run.read_back.get("elsewhere"):
            cpu = replace(cpu, subject=None)
        if driven and isinstance(record, LoadRecord):
            # On a bench the monitors are the server's, and the driver's CPU is its own machine's.
            cpu = replace(cpu, driver=_driver_s(replace(cpu, driver=None) if treatment.drivers else cpu, record))
        stolen = steal_share(columns, window=window, cpus=(*treatment.cpus, *treatment.driver_cpus))
        cases.append(CaseSeen(record.case, record, window, cpu, stolen))
    return RunSeen(experiment, treatment, recorded.run, tuple(cases), columns, recorded.configuration, refused)


def _as_found(treatment: Treatment, run: Run) -> Treatment:
    """Return the treatment with the CPUs that a server had which already ran: no run set them."""
    cpus = run.read_back.get("cpus") if run.read_back.get("restarted") is False else None
    return replace(treatment, cpus=tuple(cpus)) if isinstance(cpus, list | tuple) and cpus else treatment


def capacity(treatment: Treatment) -> float:
    """Return how many CPUs the subject may use at once."""
    quota = math.inf if treatment.cpu_quota is None else treatment.cpu_quota
    return min(float(len(treatment.cpus)), quota)


def subject_share(seen: CaseSeen, treatment: Treatment) -> float | None:
    """Return the share of its CPUs that the subject used in the case."""
    used = seen.cpus(seen.cpu.subject)
    return None if used is None or capacity(treatment) <= 0 else used / capacity(treatment)


def _driver_s(cpu: CpuUse, record: LoadRecord) -> float | None:
    """Return the driver's CPU time as read, or by its own word, without polls that found nothing: those are no work."""
    if cpu.driver is None:
        return record.values.get("driver_cpu_s")
    return max(0.0, cpu.driver - (record.values.get("driver_empty_polls_s") or 0.0))


def _total(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return math.fsum(known) if known and len(known) == len(values) else None
