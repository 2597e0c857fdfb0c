"""How much the load generator worked and waited in a case, next to what it could."""

from collections.abc import Mapping

from headtohead.analyze.runs import driver_schedule
from headtohead.analyze.runs.cpu_use_by_case import CaseSeen, RunSeen
from headtohead.model.plan import Treatment
from headtohead.model.record import LoadRecord


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
