"""Curves and matrices of batch records, which have more than one number for a case.

A record holds a curve as ``point_<number>_<name>`` and a matrix as ``<name>_<row>_<column>_ns``. Records may come from
strangers, so both are limited in size; a larger curve or matrix is left out.
"""

import math
import re
import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from headtohead.analyze.runs.records_and_times_of_case import of_case, planned_cases
from headtohead.analyze.statistics.estimate import geometric, typical_error
from headtohead.model.analysis.curves import Matrix, Point, PointCurve
from headtohead.model.case import Case
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import BatchRecord, Recorded

MOST_POINTS = 400
MOST_NAMES = 8
MOST_A_SIDE = 512
_POINT = re.compile(r"point_([0-9]{2,3})_([a-z][a-z0-9_]{0,40})")
_CELL = re.compile(r"([a-z][a-z0-9_]{0,40}?)_([0-9]{1,4})_([0-9]{1,4})_(ns|bytes_per_s)")
_UNITS = {"ns": "ns", "bytes_per_s": "B/s"}

Cells = Mapping[tuple[int, int], Sequence[float]]


def point_curves(experiment: PlannedExperiment, runs: Sequence[Recorded]) -> tuple[PointCurve, ...]:
    """Return the curve of each planned case over these runs; none if its records have no points."""
    curves = ((case, _points(batch_records(runs, case))) for case in planned_cases(experiment))
    return tuple(PointCurve(case, points) for case, points in curves if points)


def matrices(experiment: PlannedExperiment, runs: Sequence[Recorded]) -> tuple[Matrix, ...]:
    """Return the matrices of each planned case over these runs."""
    return tuple(each for case in planned_cases(experiment) for each in _matrices(case, batch_records(runs, case)))


def batch_records(runs: Sequence[Recorded], case: Case) -> list[BatchRecord]:
    """Return the record of the case in each run that has one."""
    latest = (next(iter(of_case(each.records, case)), None) for each in runs)
    return [each for each in latest if isinstance(each, BatchRecord)]


def _points(records: Sequence[BatchRecord]) -> tuple[Point, ...]:
    values: dict[int, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        for key, value in record.metrics.items():
            if found := _POINT.fullmatch(key):
                values[int(found[1])][found[2]].append(float(value))
    if len(values) > MOST_POINTS or any(len(named) > MOST_NAMES for named in values.values()):
        return ()
    return tuple(
        Point(
            number, {name: each for name, several in sorted(named.items()) if (each := geometric(several)) is not None}
        )
        for number, named in sorted(values.items())
    )


def _matrices(case: Case, records: Sequence[BatchRecord]) -> Iterator[Matrix]:
    matrices: dict[tuple[str, str], dict[tuple[int, int], list[float]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        for key, value in record.metrics.items():
            if value > 0 and not key.startswith("point_") and (found := _CELL.fullmatch(key)):
                matrices[found[1], found[4]][int(found[2]), int(found[3])].append(float(value))
    if len(matrices) > MOST_NAMES:
        return
    for (name, unit), cells in matrices.items():
        rows, columns = (tuple(sorted({place[side] for place in cells})) for side in (0, 1))
        if max(len(rows), len(columns)) <= MOST_A_SIDE:
            yield Matrix(
                case=case,
                name=name,
                unit=_UNITS[unit],
                rows=rows,
                columns=columns,
                values=tuple(tuple(_mean(cells.get((row, column), ())) for column in columns) for row in rows),
                n=max(map(len, cells.values())),
                typical_error=_typical_error(cells),
            )


def _mean(values: Sequence[float]) -> float | None:
    return math.exp(statistics.fmean(map(math.log, values))) if values else None


def _typical_error(cells: Cells) -> float | None:
    """Return the coefficient of variation between runs, the median over cells; None for a single run."""
    errors = [each for values in cells.values() if (each := typical_error(values)) is not None]
    return statistics.median(errors) if errors else None
