"""The monitors' table (``readings.csv``), kept in eight bytes a cell: a long study has tens of millions of them."""

import math
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self, overload

Row = tuple[float | None, ...]


class Rows(Sequence[Row]):
    """Rows of numbers of one width, in one array; a cell that was empty is not a number there, and None in a row.

    >>> Rows.of([(1.0, None), (2.0, 3.0)], width=2)[0]
    (1.0, None)
    """

    __slots__ = ("cells", "width")

    def __init__(self, cells: "array[float]", *, width: int) -> None:
        self.cells = cells
        self.width = width

    @classmethod
    def of(cls, rows: Iterable[Row], *, width: int) -> Self:
        """Return these rows; each has ``width`` cells."""
        return cls(array("d", (math.nan if cell is None else cell for row in rows for cell in row)), width=width)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.cells) // self.width if self.width else 0

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, place: int | slice) -> Row | tuple[Row, ...]:
        """Return one row, or several."""
        if isinstance(place, slice):
            return tuple(self._row(each) for each in range(*place.indices(len(self))))
        return self._row(range(len(self))[place])

    def __iter__(self) -> Iterator[Row]:
        """Iterate over the rows."""
        return map(self._row, range(len(self)))

    def __eq__(self, other: object) -> bool:
        """Return whether these are the same rows, also as tuples."""
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # the array may change

    def _row(self, number: int) -> Row:
        cells = self.cells[number * self.width : (number + 1) * self.width]
        return tuple(None if math.isnan(cell) else cell for cell in cells)


@dataclass(frozen=True)
class Readings:
    """The monitors' table: one row per reading; a cell is None if it could not be read.

    Columns: ``t_ns`` from the run's start; counters are cumulative: ``busy_ns``, ``steal_ns``, ``cpu<i>_busy_ns``,
    ``subject_cpu_ns``, ``driver_cpu_ns``, ``harness_cpu_ns``, ``disk_read_bytes`` ...
    """

    columns: tuple[str, ...]
    rows: Sequence[Row]

    def first_cells(self) -> "Sequence[float]":
        """Return the first cell of each row that has one: of a whole table, the instants."""
        if isinstance(self.rows, Rows):
            return [cell for cell in self.rows.cells[:: self.rows.width] if not math.isnan(cell)]
        return [row[0] for row in self.rows if row[0] is not None]
