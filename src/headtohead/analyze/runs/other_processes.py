"""CPU of other processes, by where it was used: on cores of the subject and the driver, or apart from them.

What runs on a CPU in use, or on the other thread of its core, takes time from what is measured. What runs apart shares
only memory bandwidth, caches and the clock.
"""

from headtohead.analyze.runs.usage import TICKS_S, CaseSeen, RunSeen
from headtohead.analyze.runs.window import increase


def surely_foreign_cpus(seen: CaseSeen, run: RunSeen) -> float | None:
    """Return the CPUs that others used in a case on cores in use, beyond TICKS_S, at least 0; None if not read.

    Without a column for each CPU, or in an older plan, it is what they used anywhere.
    """
    used_s = seen.cpu.foreign
    if used_s is None:
        return None
    return seen.cpus(max(0.0, used_s - (_apart_s(seen, run) or 0.0) - TICKS_S))


def foreign_apart_share(seen: CaseSeen, run: RunSeen) -> float | None:
    """Return the share of all CPUs that others used apart from cores in use; None if that was not read."""
    used = seen.cpus(_apart_s(seen, run))
    every = run.columns.cpus if run.columns is not None else 0
    return None if used is None or not every else used / every


def _apart_s(seen: CaseSeen, run: RunSeen) -> float | None:
    """Return the CPU seconds that others certainly used apart: the harness and the kernel may have been there too."""
    columns, window, apart = run.columns, seen.window, run.treatment.apart
    if columns is None or window is None or apart is None or seen.cpu.foreign is None:
        return None
    busy = [increase(columns, f"cpu{cpu}_busy_ns", window=window) for cpu in apart]
    known = [each for each in busy if each is not None]
    if len(known) < len(busy):
        return None
    ours = [increase(columns, name, window=window) for name in ("harness_cpu_ns", "kernel_cpu_ns", "irq_ns")]
    used_s = (sum(known) - sum(each for each in ours if each is not None)) / 1e9
    return max(0.0, min(used_s, seen.cpu.foreign))
