"""The monitors' columns over a measured window: use, means and peaks.

Counters are cumulative, so the use in a window is the difference of the counter at its two ends, interpolated linearly
between the readings around them. A missing column gives None, never 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headtohead.model.analysis.card import MeanPeak
from headtohead.model.readings import Readings, Rows
from headtohead.model.record import CpuUse

Floats = NDArray[np.float64]

COVERED = 0.9
"""Readings must cover this share of a window; they come ten times a second, and most windows last seconds."""


@dataclass(frozen=True)
class Window:
    """A stretch of a run, in ns from its start."""

    from_ns: float
    to_ns: float

    @property
    def seconds(self) -> float:
        """Return the length in seconds."""
        return (self.to_ns - self.from_ns) / 1e9


class Columns:
    """The monitors' table by column: each reading with its time, without empty cells."""

    def __init__(self, readings: Readings) -> None:
        self._readings = readings
        self._at = {name: index for index, name in enumerate(readings.columns)}
        self._known: dict[str, tuple[Floats, Floats] | None] = {}

    @property
    def cpus(self) -> int:
        """Return the number of CPUs that have a column of their own."""
        return sum(name.startswith("cpu") and name.endswith("_busy_ns") for name in self._at)

    def of(self, name: str) -> tuple[Floats, Floats] | None:
        """Return the instants (ns) and values of a column; None if it has fewer than two readings."""
        if name not in self._known:
            self._known[name] = self._gather(name)
        return self._known[name]

    def _gather(self, name: str) -> tuple[Floats, Floats] | None:
        if name not in self._at or "t_ns" not in self._at:
            return None
        table = _table(self._readings)
        instants, values = table[:, self._at["t_ns"]], table[:, self._at[name]]
        read = ~(np.isnan(instants) | np.isnan(values))
        if int(read.sum()) < 2:
            return None
        return (instants, values) if read.all() else (instants[read], values[read])


def _table(readings: Readings) -> Floats:
    """Return the cells as an array, without a copy where they are in one; empty ones are not numbers."""
    width = len(readings.columns)
    if isinstance(readings.rows, Rows):
        return np.frombuffer(readings.rows.cells, dtype=np.float64).reshape(-1, width)
    return np.array(readings.rows, dtype=np.float64).reshape(-1, width)


def increase(columns: Columns, name: str, *, window: Window) -> float | None:
    """Return by how much a cumulative column rose over the window, in the column's unit.

    None if the column is missing, went back (a counter was reset), or does not cover the window. If the readings end a
    little early, the rise is extrapolated.
    """
    found = columns.of(name)
    if found is None:
        return None
    instants, values = found
    low, high = max(window.from_ns, instants[0]), min(window.to_ns, instants[-1])
    length = window.to_ns - window.from_ns
    if length <= 0 or high - low < COVERED * length:
        return None
    rise = _value_at(high, instants, values) - _value_at(low, instants, values)
    return None if rise < 0 else rise * length / (high - low)


def _value_at(instant: float, instants: Floats, values: Floats) -> float:
    """Return the value at an instant, linear between readings: np.interp of one point, in a fifth of its time."""
    if instant >= instants[-1]:
        return float(values[-1])
    place = int(instants.searchsorted(instant, side="right")) - 1
    if place < 0:
        return float(values[0])
    begin, value = float(instants[place]), float(values[place])
    slope = (float(values[place + 1]) - value) / (float(instants[place + 1]) - begin)
    return slope * (instant - begin) + value


def peak(columns: Columns, name: str, *, windows: Sequence[Window]) -> float | None:
    """Return the highest rate per second between two neighboring readings that a window touches; None without any."""
    found = columns.of(name)
    if found is None:
        return None
    instants, values = found
    steps, rises = np.diff(instants), np.diff(values)
    touched = np.zeros(len(steps), dtype=bool)
    for each in windows:
        touched |= (instants[:-1] < each.to_ns) & (instants[1:] > each.from_ns)
    touched &= steps > 0
    return float((rises[touched] / steps[touched]).max() * 1e9) if touched.any() else None


def mean_peak(columns: Columns | None, name: str, *, windows: Sequence[Window]) -> MeanPeak:
    """Return the mean rate per second of a cumulative column over all windows, and its highest between two readings."""
    if columns is None or not windows:
        return MeanPeak(None, None)
    rises = [increase(columns, name, window=each) for each in windows]
    if any(rise is None for rise in rises):
        return MeanPeak(None, None)
    seconds = sum(each.seconds for each in windows)
    mean = sum(rise for rise in rises if rise is not None) / seconds
    return MeanPeak(mean, peak(columns, name, windows=windows))


def gauge(columns: Columns | None, name: str, *, windows: Sequence[Window]) -> list[float]:
    """Return the readings of a gauge column (a clock, a memory size) inside the windows."""
    found = columns.of(name) if columns is not None else None
    if found is None:
        return []
    instants, values = found
    inside = [
        value for at, value in zip(instants, values, strict=True) if any(w.from_ns <= at <= w.to_ns for w in windows)
    ]
    return [float(value) for value in inside]


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
