"""The monitors' table by column, and what the columns hold at an instant and between two readings.

Most columns have no empty cell. They are computed together, once for each window and each set of windows: a report of
10,000 runs needs millions of these values.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headtohead.model.readings import Readings, Rows

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


class Together:
    """Columns that were read at the same instants (ns): a table with a column for each."""

    def __init__(self, instants: Floats, table: Floats) -> None:
        self.instants = instants
        self.table = table
        self.ends = (float(instants[0]), float(instants[-1])) if len(instants) else (math.inf, -math.inf)
        self._rises: dict[Window, list[float]] = {}
        self._peaks: dict[tuple[Window, ...], list[float]] = {}

    def rises(self, window: Window) -> list[float]:
        """Return by how much each column rose over a window, extrapolated to all of it; empty if it is not covered."""
        if window not in self._rises:
            self._rises[window] = self._risen(window)
        return self._rises[window]

    def _risen(self, window: Window) -> list[float]:
        low, high = max(window.from_ns, self.ends[0]), min(window.to_ns, self.ends[1])
        length = window.to_ns - window.from_ns
        if length <= 0 or high - low < COVERED * length:
            return []
        rises = (self.value_at(high) - self.value_at(low)) * length / (high - low)
        of_each: list[float] = rises.tolist()
        return of_each

    def value_at(self, instant: float) -> Floats:
        """Return the value of each column at an instant, linear between readings."""
        instants, table = self.instants, self.table
        place = int(instants.searchsorted(instant, side="right")) - 1
        if place < 0 or instant >= instants[-1]:
            outside: Floats = table[0 if place < 0 else -1]
            return outside
        begin, value = instants[place], table[place]
        slope = (table[place + 1] - value) / (instants[place + 1] - begin)
        between: Floats = slope * (instant - begin) + value
        return between

    def peaks(self, windows: Sequence[Window]) -> list[float]:
        """Return each column's highest rise per s between two neighboring readings that a window touches, if any."""
        key = tuple(windows)
        if key not in self._peaks:
            self._peaks[key] = self._highest(key)
        return self._peaks[key]

    def _highest(self, windows: tuple[Window, ...]) -> list[float]:
        steps = np.diff(self.instants)
        touched = np.zeros(len(steps), dtype=bool)
        for each in windows:
            touched |= (self.instants[:-1] < each.to_ns) & (self.instants[1:] > each.from_ns)
        touched &= steps > 0
        if not touched.any():
            return []
        rises = np.diff(self.table, axis=0)[touched] / steps[touched, np.newaxis]
        highest: list[float] = (rises.max(axis=0) * 1e9).tolist()
        return highest


@dataclass(frozen=True)
class Column:
    """One of several columns: its place among them."""

    among: Together
    place: int

    @property
    def instants(self) -> Floats:
        """The instants of its readings, in ns."""
        return self.among.instants

    @property
    def values(self) -> Floats:
        """The value of each reading."""
        of_it: Floats = self.among.table[:, self.place]
        return of_it

    @property
    def first_ns(self) -> float:
        """The instant of the first reading."""
        return self.among.ends[0]

    @property
    def last_ns(self) -> float:
        """The instant of the last reading."""
        return self.among.ends[1]

    def value_at(self, instant: float) -> float:
        """Return the value at an instant (ns), linear between readings; the first or last one outside of them."""
        return float(self.among.value_at(instant)[self.place])

    def rise(self, window: Window) -> float | None:
        """Return by how much it rose over a window, extrapolated to all of it; None if it is not covered."""
        each = self.among.rises(window)
        return each[self.place] if each else None

    def peak(self, windows: Sequence[Window]) -> float | None:
        """Return the highest rise per s between two neighboring readings that a window touches; None without any."""
        each = self.among.peaks(windows)
        return each[self.place] if each else None


class Columns:
    """The monitors' table by column: each reading with its time, without empty cells."""

    def __init__(self, readings: Readings) -> None:
        self._at = {name: index for index, name in enumerate(readings.columns)}
        self._table = _table(readings)
        self._known: dict[str, Column | None] = {}
        self._gaps: NDArray[np.bool_] = np.asarray(np.isnan(self._table).any(axis=0))
        self._full = Together(self._table[:, self._at["t_ns"]], self._table) if "t_ns" in self._at else None

    @cached_property
    def cpus(self) -> int:
        """The number of CPUs that have a column of their own."""
        return sum(name.startswith("cpu") and name.endswith("_busy_ns") for name in self._at)

    def of(self, name: str) -> Column | None:
        """Return a column; None if it has fewer than two readings."""
        if name not in self._known:
            self._known[name] = self._gather(name)
        return self._known[name]

    def _gather(self, name: str) -> Column | None:
        if name not in self._at or self._full is None or len(self._table) < 2:
            return None
        if not self._gaps[self._at[name]] and not self._gaps[self._at["t_ns"]]:
            return Column(self._full, self._at[name])
        instants, values = self._full.instants, self._table[:, self._at[name]]
        read = ~(np.isnan(instants) | np.isnan(values))
        if int(read.sum()) < 2:
            return None
        return Column(Together(instants[read], values[read, np.newaxis]), 0)


def _table(readings: Readings) -> Floats:
    """Return the cells as an array, without a copy where they are in one; empty ones are not numbers."""
    shape = len(readings.rows), len(readings.columns)  # an empty file, as a full disk leaves it, has none of either
    if isinstance(readings.rows, Rows):
        return np.frombuffer(readings.rows.cells, dtype=np.float64).reshape(shape)
    return np.array(readings.rows, dtype=np.float64).reshape(shape)
