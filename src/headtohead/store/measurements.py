"""measurements.csv: the values of all runs as a table; what a stranger wrote is checked line by line."""

import csv
import io
import math
from collections.abc import Iterable
from pathlib import Path

from headtohead.model.analysis import Measurement
from headtohead.model.errors import RecordError
from headtohead.store.convert import MOST_DIGITS, REMEDY, rounded

COLUMNS = ("experiment", "run", "block", "treatment", "status", "case", "metric", "value")
STATUSES = ("valid", "invalid", "failed")
MOST_LINES = 1_000_000
"""A study of a day has a tenth of it."""


def to_csv(measurements: Iterable[Measurement]) -> str:
    """Return the table, values with 9 significant digits."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    for each in measurements:
        value = rounded(float(each.value))
        table.writerow(
            [each.experiment, each.run, each.block, each.treatment, each.status, each.case, each.metric, value]
        )
    return text.getvalue()


def from_csv(text: str, *, where: Path) -> tuple[Measurement, ...]:
    """Return the table's values; RecordError names the first line that is not one of ours."""
    found: dict[tuple[str, int, str, str], Measurement] = {}
    lines = csv.reader(io.StringIO(text), strict=True)
    try:
        _check_head(next(lines, []))
        for cells in lines:
            _put(found, _measurement(cells))
    except (csv.Error, ValueError) as error:
        raise RecordError(f"{where} cannot be read", why=f"line {lines.line_num}: {error}.", remedy=REMEDY) from error
    return tuple(found.values())


def _put(found: dict[tuple[str, int, str, str], Measurement], each: Measurement) -> None:
    key = (each.experiment, each.run, each.case, each.metric)
    if key in found:
        raise ValueError(f"it tells {each.metric[:80]} of run {each.run} twice")
    if len(found) == MOST_LINES:
        raise ValueError(f"there are more than {MOST_LINES:,} values")
    found[key] = each


def _check_head(cells: list[str]) -> None:
    if tuple(cells) != COLUMNS:
        raise ValueError(f"the columns are not {', '.join(COLUMNS)}")


def _measurement(cells: list[str]) -> Measurement:
    if len(cells) != len(COLUMNS):
        raise ValueError(f"it has {len(cells)} cells, not {len(COLUMNS)}")
    experiment, run, block, treatment, status, case, metric, value = cells
    if status not in STATUSES:
        raise ValueError(f"the status {status[:40]!r} is none of {', '.join(STATUSES)}")
    told = float(value)
    if not math.isfinite(told):
        raise ValueError(f"{value[:40]!r} is no finite number")
    return Measurement(experiment, _whole(run), _whole(block), treatment, status, case, metric, told)


def _whole(digits: str) -> int:
    if not digits.isascii() or not digits.isdigit() or len(digits) > MOST_DIGITS:
        raise ValueError(f"{digits[:40]!r} is no whole number")
    return int(digits)
