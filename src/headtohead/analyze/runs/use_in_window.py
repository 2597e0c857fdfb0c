"""The monitors' columns over a measured window: use, means and peaks.

Counters are cumulative, so the use in a window is the difference of the counter at its two ends, interpolated linearly
between the readings around them. A missing column gives None, never 0.
"""

from collections.abc import Sequence

import numpy as np

from headtohead.analyze.runs.monitor_columns import Columns, Window
from headtohead.model.analysis.card import MeanPeak
from headtohead.model.record import CpuUse


def increase(columns: Columns, name: str, *, window: Window) -> float | None:
    """Return by how much a cumulative column rose over the window, in the column's unit.

    None if the column is missing, went back (a counter was reset), or does not cover the window. If the readings end a
    little early, the rise is extrapolated.
    """
    found = columns.of(name)
    rise = None if found is None else found.rise(window)
    return None if rise is None or rise < 0 else rise


def mean_peak(columns: Columns | None, name: str, *, windows: Sequence[Window]) -> MeanPeak:
    """Return the mean rate per second of a cumulative column over all windows, and its highest between two readings."""
    if columns is None or not windows:
        return MeanPeak(None, None)
    rises = [increase(columns, name, window=each) for each in windows]
    if any(rise is None for rise in rises):
        return MeanPeak(None, None)
    seconds = sum(each.seconds for each in windows)
    mean = sum(rise for rise in rises if rise is not None) / seconds
    found = columns.of(name)
    return MeanPeak(mean, None if found is None else found.peak(windows))


def gauge(columns: Columns | None, name: str, *, windows: Sequence[Window]) -> list[float]:
    """Return the readings of a gauge column (a clock, a memory size) inside the windows."""
    found = columns.of(name) if columns is not None else None
    if found is None:
        return []
    inside = np.zeros(len(found.instants), dtype=bool)
    for each in windows:
        inside |= (found.instants >= each.from_ns) & (found.instants <= each.to_ns)
    values: list[float] = found.values[inside].tolist()
    return values


def cpu_use(columns: Columns | None, *, window: Window | None, driver: bool) -> CpuUse:
    """Return the CPU seconds of the window by who used them; steal is that of all CPUs.

    Without a ``driver`` its use is 0. Foreign is the use of all tasks less subject, driver, harness and kernel threads,
    and at least 0: the kernel's work for disks and packets, in threads or interrupts, is no other process's. Without
    ``tasks_cpu_ns`` it is busy less these four, and includes interrupts and clock ticks.
    """
    if columns is None or window is None:
        return CpuUse(None, None, None, None, None)

    def seconds(name: str) -> float | None:
        rise = increase(columns, name, window=window)
        return None if rise is None else rise / 1e9

    tasks, subject, harness = seconds("tasks_cpu_ns"), seconds("subject_cpu_ns"), seconds("harness_cpu_ns")
    used = seconds("busy_ns") if tasks is None else tasks
    driven = seconds("driver_cpu_ns") if driver else 0.0
    foreign = None
    if used is not None and subject is not None and harness is not None and driven is not None:
        foreign = max(0.0, round(used - subject - driven - harness - (seconds("kernel_cpu_ns") or 0.0), 9))
    return CpuUse(subject=subject, driver=driven, harness=harness, foreign=foreign, steal=seconds("steal_ns"))


def steal_share(columns: Columns | None, *, window: Window | None, cpus: Sequence[int]) -> float | None:
    """Return the stolen share of the time of these CPUs, or of all CPUs if they have no columns of their own."""
    if columns is None or window is None or not cpus or window.to_ns <= window.from_ns:
        return None
    each = [increase(columns, f"cpu{cpu}_steal_ns", window=window) for cpu in cpus]
    known = [taken for taken in each if taken is not None]
    taken = sum(known) if len(known) == len(cpus) else increase(columns, "steal_ns", window=window)
    return None if taken is None else taken / (len(cpus) * (window.to_ns - window.from_ns))
