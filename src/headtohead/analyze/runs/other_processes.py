"""CPU of other processes, by where it was used: on cores of the subject and the driver, or apart from them.

What runs on a CPU in use, or on the other thread of its core, takes time from what is measured. What runs apart shares
only memory bandwidth, caches and the clock.
"""

from headtohead.analyze.runs.cpu_use_by_case import TICKS_S, CaseSeen, RunSeen
from headtohead.analyze.runs.use_in_window import increase


def surely_foreign_cpus(seen: CaseSeen, run: RunSeen) -> float | None:
    """Return the CPUs that others used in a case on cores in use, beyond TICKS_S, at least 0; None if not read.

    Without a column for each CPU, or in an older plan, it is what they used anywhere.
    """
    used_s = seen.cpu.foreign
    if used_s is None:
        return None
    rest_s, most_s = used_s - (_apart_s(seen, run) or 0.0), _most_in_use_s(seen, run)
    return seen.cpus(max(0.0, (rest_s if most_s is None else min(rest_s, most_s)) - TICKS_S))


def foreign_apart_share(seen: CaseSeen, run: RunSeen) -> float | None:
    """Return the share of all CPUs that others used apart from cores in use; None if that was not read."""
    used = seen.cpus(_apart_s(seen, run))
    every = run.columns.cpus if run.columns is not None else 0
    return None if used is None or not every else used / every


def _apart_s(seen: CaseSeen, run: RunSeen) -> float | None:
    """Return the CPU seconds that others certainly used apart: the harness and the kernel may have been there too."""
    busy_s = _of_cpus_apart_s(seen, run, "busy_ns")
    if busy_s is None or seen.cpu.foreign is None:
        return None
    interrupts_s = _of_cpus_apart_s(seen, run, "irq_ns")
    if interrupts_s is None:  # readings of before 26 November 2026: all of them may have been there
        interrupts_s = _rise_s(seen, run, "irq_ns") or 0.0
    ours_s = sum(_rise_s(seen, run, name) or 0.0 for name in ("harness_cpu_ns", "kernel_cpu_ns"))
    return max(0.0, min(busy_s - interrupts_s - ours_s, seen.cpu.foreign))


def _most_in_use_s(seen: CaseSeen, run: RunSeen) -> float | None:
    """Return the most CPU seconds that others can have used on cores in use; None if that is not known.

    It is the busy time of those CPUs less the subject's and the driver's, whose polls that found nothing were no work
    but kept its CPU busy. Where much is done apart, it is the closer bound, as it contains no interrupts of those CPUs.
    """
    busy_s, apart_s = _rise_s(seen, run, "busy_ns"), _of_cpus_apart_s(seen, run, "busy_ns")
    if busy_s is None or apart_s is None or seen.cpu.subject is None:
        return None
    if set(run.treatment.cpus) & set(run.treatment.apart or ()):  # a server that already ran, on CPUs of its own
        return None
    # On a bench the driver is on another machine.
    driver_s = 0.0 if run.treatment.drivers else _rise_s(seen, run, "driver_cpu_ns") or 0.0
    return busy_s - apart_s - seen.cpu.subject - driver_s


def _of_cpus_apart_s(seen: CaseSeen, run: RunSeen, name: str) -> float | None:
    """Return a sum over the CPUs apart, in seconds; None if they are not known, or have no columns of that name."""
    if run.treatment.apart is None:
        return None
    each_s = [_rise_s(seen, run, f"cpu{cpu}_{name}") for cpu in run.treatment.apart]
    known = [each for each in each_s if each is not None]
    return None if len(known) < len(each_s) else sum(known)


def _rise_s(seen: CaseSeen, run: RunSeen, name: str) -> float | None:
    """Return by how many seconds a counter of CPU time rose in the case; None if it was not read."""
    if run.columns is None or seen.window is None:
        return None
    rise = increase(run.columns, name, window=seen.window)
    return None if rise is None else rise / 1e9
