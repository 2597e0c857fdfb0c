"""The tables of matrices: cache lines between CPUs, memory of nodes. Large matrices show a range for each row."""

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import replace

from headtohead.model.analysis.curves import Matrix
from headtohead.model.analysis.results import TreatmentResult
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Entry, Row, RowGroup, Table
from headtohead.report.experiment.values.cells import NOTHING
from headtohead.report.text.names import metric_title
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.numbers.values_with_units import Scale, plain, scale_for
from headtohead.report.text.wording import capital, plural

MOST_COLUMNS = 16
"""Matrices with more columns are shown by the least, the median and the greatest value of each row."""
_TITLES = {
    "one_way": "A cache line from CPU to CPU, one way",
    "node_latency": "A load from a CPU of one node in the memory of another",
    "node_bandwidth": "Triad by the CPUs of one node in the memory of another",
}
_CORNERS = {"one_way": "CPU", "node_latency": "CPUs of node", "node_bandwidth": "CPUs of node"}
_SYMMETRIC = ("one_way",)
"""Matrices that measure both directions together: half of each exchange."""


def matrix_title(matrix: Matrix) -> str:
    """Return what the matrix shows."""
    return _TITLES.get(matrix.name, capital(metric_title(matrix.name)))


def matrix_value_text(value: float, scale: Scale) -> str:
    """Return a value of a matrix, short enough for its square."""
    return plain(value / scale.factor)


def mirrored(matrix: Matrix) -> Matrix:
    """Return the matrix with both directions filled in, if they were measured together."""
    if matrix.name not in _SYMMETRIC:
        return matrix
    every = tuple(sorted({*matrix.rows, *matrix.columns}))
    held = {
        (row, column): each
        for row, line in zip(matrix.rows, matrix.values, strict=True)
        for column, each in zip(matrix.columns, line, strict=True)
    }
    values = tuple(tuple(held.get((row, column)) or held.get((column, row)) for column in every) for row in every)
    return replace(matrix, rows=every, columns=every, values=values)


def matrix_tables(context: ExperimentContext) -> Iterator[tuple[str, Table, bool]]:
    """Yield the tables of all matrices, each with its heading and whether to fold it."""
    for treatment in context.result.treatments:
        for matrix in map(mirrored, treatment.matrices):
            small = len(matrix.columns) <= MOST_COLUMNS
            name = (
                f"{matrix_title(matrix)}: {treatment.label}"
                if len(context.result.treatments) > 1
                else matrix_title(matrix)
            )
            yield name, (_whole if small else _ranges)(matrix, treatment), not small


def _caption(matrix: Matrix, scale: Scale) -> str:
    return f"{matrix_title(matrix)}, {scale.unit}; geometric means over {plural(matrix.n, 'run')}"


def _note(matrix: Matrix, treatment: TreatmentResult) -> str:
    notes = []
    if matrix.typical_error is not None:
        notes.append(f"Typical error between runs: {share(matrix.typical_error)}.")
    if matrix.name in _SYMMETRIC and len(matrix.rows) == 2:
        notes.append("Two CPUs are one pair: there is no nearer one and no farther one.")
    if matrix.name.startswith("node_") and len(matrix.columns) == 1:
        notes.append("One memory node: no memory is farther away than other memory.")
    cpus = treatment.card.cpus if treatment.card else ()
    if matrix.name in _SYMMETRIC and cpus and not set(matrix.rows) <= set(cpus):
        notes.append("Some of these CPUs were not the setup's.")
    return " ".join(notes)


def _known(matrix: Matrix) -> list[float]:
    return [each for row in matrix.values for each in row if each is not None]


def _whole(matrix: Matrix, treatment: TreatmentResult) -> Table:
    scale = scale_for(matrix.unit, _known(matrix))
    rows = tuple(
        Row(
            str(name),
            tuple(NOTHING if each is None else Entry(matrix_value_text(each, scale), number=True) for each in line),
        )
        for name, line in zip(matrix.rows, matrix.values, strict=True)
    )
    kind = "to CPU" if matrix.name in _SYMMETRIC else "memory of node"
    columns = tuple(f"{kind} {each}" if len(matrix.columns) < 5 else str(each) for each in matrix.columns)
    corner = _CORNERS.get(matrix.name, "From")
    return Table(_caption(matrix, scale), corner, columns, (RowGroup("", rows),), note=_note(matrix, treatment))


def _ranges(matrix: Matrix, treatment: TreatmentResult) -> Table:
    """Return a line for each row: its least value and column, its median, its greatest value and column."""
    scale = scale_for(matrix.unit, _known(matrix))
    rows = tuple(
        Row(str(name), _range_cells(matrix.columns, line, scale))
        for name, line in zip(matrix.rows, matrix.values, strict=True)
    )
    corner = _CORNERS.get(matrix.name, "From")
    columns = ("least", "in the middle", "most")
    return Table(_caption(matrix, scale), corner, columns, (RowGroup("", rows),), note=_note(matrix, treatment))


def _range_cells(columns: Sequence[int], line: Sequence[float | None], scale: Scale) -> tuple[Entry, ...]:
    known = sorted((each, column) for column, each in zip(columns, line, strict=True) if each is not None)
    if not known:
        return (NOTHING, NOTHING, NOTHING)
    (least, near), (most, far) = known[0], known[-1]
    middle = statistics.median(each for each, _ in known)
    return (
        Entry(matrix_value_text(least, scale), f"at {near}", number=True),
        Entry(matrix_value_text(middle, scale), number=True),
        Entry(matrix_value_text(most, scale), f"at {far}", number=True),
    )
