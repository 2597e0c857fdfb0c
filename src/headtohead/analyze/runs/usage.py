"""What the monitors and the driver saw of one run, case by case: the ground on which doubts and limits stand."""

import math
from dataclasses import dataclass

from headtohead.analyze.runs.records import counted, measured_window
from headtohead.analyze.runs.window import Columns, Window, cpu_use, steal_share
from headtohead.model.case import Case
from headtohead.model.plan import PlannedExperiment, Treatment
from headtohead.model.record import CaseRecord, CpuUse, LoadRecord, Recorded, RefusedRecord, Run, Setting


@dataclass(frozen=True)
class CaseSeen:
    """One case's measured time: who used how much CPU in it (seconds), and the share of its CPUs that was stolen."""

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
    """One run, with what was seen in each of its cases."""

    experiment: PlannedExperiment
    treatment: Treatment
    run: Run
    cases: tuple[CaseSeen, ...]
    columns: Columns | None
    configuration: tuple[Setting, ...] = ()
    refused: tuple[RefusedRecord, ...] = ()
    """The cases that the subject says it does not do: nothing was seen of them."""

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
    """Return what was seen of a run; KeyError where the experiment has no treatment of its label."""
    treatment = experiment.treatment(recorded.run.label)
    columns = Columns(recorded.readings) if recorded.readings is not None else None
    driven = has_driver(experiment, recorded.run)
    cases = []
    records = counted(recorded.records)
    refused = tuple(each for each in records if isinstance(each, RefusedRecord))
    for record in (each for each in records if not isinstance(each, RefusedRecord)):
        window = measured_window(record, recorded.run.phases)
        cpu = cpu_use(columns, window=window, driver=driven)
        if driven and cpu.driver is None and isinstance(record, LoadRecord):
            cpu = _with_own_word(cpu, record)
        stolen = steal_share(columns, window=window, cpus=(*treatment.cpus, *treatment.driver_cpus))
        cases.append(CaseSeen(record.case, record, window, cpu, stolen))
    return RunSeen(experiment, treatment, recorded.run, tuple(cases), columns, recorded.configuration, refused)


def has_driver(experiment: PlannedExperiment, run: Run) -> bool:
    """Tell whether a driver asks for the work; batch programs and engines in process have none.

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
    """Return the share of its CPUs that the driver used in the case; None where it has none of its own."""
    used = seen.cpus(seen.cpu.driver)
    return None if used is None or not treatment.driver_cpus else used / len(treatment.driver_cpus)


def delay_share(seen: CaseSeen, treatment: Treatment) -> float | None:
    """Return the share of the case's time in which the driver's threads (one a CPU) were kept from their CPUs.

    None where there is no driver: the threads of an engine in process are the subject's own.
    """
    if treatment.in_process or not isinstance(seen.record, LoadRecord) or seen.record.elapsed_ns <= 0:
        return None
    delay_s = seen.record.values.get("driver_delay_s")
    threads = max(1, len(treatment.driver_cpus))
    return None if delay_s is None else delay_s / (seen.record.elapsed_ns / 1e9 * threads)


def _with_own_word(cpu: CpuUse, record: LoadRecord) -> CpuUse:
    own = record.values.get("driver_cpu_s")
    return CpuUse(subject=cpu.subject, driver=own, harness=cpu.harness, foreign=cpu.foreign, steal=cpu.steal)


def _total(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return math.fsum(known) if known and len(known) == len(values) else None
