"""What the monitors and the driver saw of one run, case by case: who used how much of the CPUs, and who waited."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from headtohead.analyze.runs import driver_schedule
from headtohead.analyze.runs.monitor_columns import Columns, Window
from headtohead.analyze.runs.records_of_case import counted, measured_window
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

    @property
    def windows(self) -> tuple[Window, ...]:
        """Return the measured windows, each once: the cases of one batch program may share theirs."""
        return tuple(dict.fromkeys(each.window for each in self.cases if each.window is not None))

    def cpu_s(self) -> CpuUse:
        """Return the CPU seconds over the whole measured time."""
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


def has_driver(experiment: PlannedExperiment, run: Run) -> bool:
    """Return whether a driver requests the work; batch programs and engines in process have none.

    A client program of the subject's own is one, though it leaves batch records.
    """
    return (experiment.load.loop != "batch" or experiment.over_link) and not run.in_process


def capacity(treatment: Treatment) -> float:
    """Return how many CPUs the subject may use at once."""
    quota = math.inf if treatment.cpu_quota is None else treatment.cpu_quota
    return min(float(len(treatment.cpus)), quota)


def subject_share(seen: CaseSeen, treatment: Treatment) -> float | None:
    """Return the share of its CPUs that the subject used in the case."""
    used = seen.cpus(seen.cpu.subject)
    return None if used is None or capacity(treatment) <= 0 else used / capacity(treatment)


def driver_share(seen: CaseSeen, treatment: Treatment) -> float | None:
    """Return the share of the case's time that the driver worked: of its CPUs, or its busiest thread if that is more.

    Of several drivers it is the busiest one's. None without CPUs of its own.
    """
    return max(driver_shares(seen, treatment).values(), default=None)


def driver_shares(seen: CaseSeen, treatment: Treatment) -> Mapping[str, float]:
    """Return driver_share of each driver by its name, which is empty if one drove; those that are unknown are left out.

    A thread at its limit limits its users, however idle the others are. Of several drivers each is on its own machine,
    so the CPU time is what it reported itself, over its threads.
    """
    record = seen.record
    if isinstance(record, LoadRecord) and record.drivers:
        shares = {name: _own_share(record, figures) for name, figures in record.drivers.items()}
        return {name: share for name, share in shares.items() if share is not None}
    used, cpus = seen.cpus(seen.cpu.driver), driver_cpus(seen, treatment)
    if used is None or not cpus:
        return {}
    busiest = record.values.get("driver_busiest_share") if isinstance(record, LoadRecord) else None
    return {"": max(used / cpus, busiest or 0.0)}


def _own_share(record: LoadRecord, figures: Mapping[str, float | None]) -> float | None:
    """Return the share of the measured time that one of several drivers worked; None if it is not known."""
    cpu_s, threads = figures.get("driver_cpu_s"), figures.get("threads")
    if cpu_s is None or not threads or record.elapsed_ns <= 0:
        return None
    return max(cpu_s / (record.elapsed_ns / 1e9 * threads), figures.get("driver_busiest_share") or 0.0)


def driver_cpus(seen: CaseSeen, treatment: Treatment) -> float:
    """Return the number of CPUs that the driver had; on a bench, those of its own machine."""
    there = seen.record.values.get("driver_machine_cpus") if isinstance(seen.record, LoadRecord) else None
    return len(treatment.driver_cpus) if there is None else there


def driver_of_subject_share(seen: CaseSeen, run: RunSeen) -> float | None:
    """Return the driver's CPU time in the case over the subject's; None if they share no CPU, or it was not read."""
    if not run.experiment.share_driver or not set(run.treatment.cpus) & set(run.treatment.driver_cpus):
        return None
    return seen.cpu.driver / seen.cpu.subject if seen.cpu.driver is not None and seen.cpu.subject else None


def delay_share(seen: CaseSeen, treatment: Treatment) -> float | None:
    """Return the share of the case's time for which the driver's threads (one for each CPU) waited for a CPU.

    Of several drivers it is that of the one which waited most. None if there is no driver: the threads of an engine in
    process are the subject's own.
    """
    return max(delay_shares(seen, treatment).values(), default=None)


def delay_shares(seen: CaseSeen, treatment: Treatment) -> Mapping[str, float]:
    """Return delay_share of each driver by its name, which is empty if one drove; unknown ones are left out."""
    record = seen.record
    if treatment.in_process or not isinstance(record, LoadRecord) or record.elapsed_ns <= 0:
        return {}
    seconds, of_one = record.elapsed_ns / 1e9, {"": driver_cpus(seen, treatment)}
    threads = driver_schedule.figures(record, "threads") if record.drivers else of_one
    delays_s = driver_schedule.figures(record, "driver_delay_s")
    return {name: delay_s / (seconds * max(1.0, threads.get(name, 1))) for name, delay_s in delays_s.items()}


def _driver_s(cpu: CpuUse, record: LoadRecord) -> float | None:
    """Return the driver's CPU time as read, or by its own word, without polls that found nothing: those are no work."""
    if cpu.driver is None:
        return record.values.get("driver_cpu_s")
    return max(0.0, cpu.driver - (record.values.get("driver_empty_polls_s") or 0.0))


def _total(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return math.fsum(known) if known and len(known) == len(values) else None
