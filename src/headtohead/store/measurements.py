"""measurements.csv: the values of all runs as a table; a stranger's is checked line by line."""

import csv
import io
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from pathlib import Path
from typing import NamedTuple

from headtohead.model.analysis.estimates import Key, Measurement
from headtohead.model.analysis.systems import ArmKey
from headtohead.model.case import Case
from headtohead.model.errors import RecordError
from headtohead.store.convert import MOST_DIGITS, REMEDY, rounded

COLUMNS = ("experiment", "run", "block", "treatment", "status", "case", "metric", "value")
HEAD = ",".join(COLUMNS) + "\n"
VALUE = COLUMNS.index("value")
FRAMES_KEPT = 64
"""The number of kinds of tables kept, equal to the number of plans kept (store.systems)."""
CASES_KEPT = 1024
STATUSES = ("valid", "uncounted", "invalid", "failed")
"""An uncounted run is a valid one of a block that was repeated and does not count as repeated."""
MOST_LINES = 1_000_000
"""A study of a day has a tenth of this."""


def to_csv(measurements: Iterable[Measurement]) -> str:
    """Return the table, values with 9 significant digits."""
    return HEAD + to_lines(measurements)


def to_lines(measurements: Iterable[Measurement]) -> str:
    """Return the table's lines below its head."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    for each in measurements:
        value = rounded(float(each.value))
        table.writerow(
            [each.experiment, each.run, each.block, each.treatment, each.status, each.case.text, each.metric, value]
        )
    return text.getvalue()


def from_csv(text: str, *, where: Path) -> tuple[Measurement, ...]:
    """Return the table's values; RecordError names the first line that is not valid."""
    found: dict[_Place, Measurement] = {}
    lines = csv.reader(io.StringIO(text), strict=True)
    try:
        _check_head(next(lines, []))
        for cells in lines:
            _put(found, _measurement(cells))
    except (csv.Error, ValueError) as error:
        raise RecordError(f"{where} cannot be read", why=f"line {lines.line_num}: {error}.", remedy=REMEDY) from error
    return tuple(found.values())


def primary_values(text: str, named: Mapping[str, str], *, where: Path) -> dict[ArmKey, tuple[float, ...]]:
    """Return the primary value of each valid run by experiment and treatment, in the order of the runs.

    ``named`` maps each experiment to the name of its primary summary. If a treatment has several valid runs in a
    block, the latest one counts. Lines of other metrics and cases are skipped. RecordError names the first line
    that is not valid, or belongs to an experiment that is not named.
    """
    if (quick := _quick_values(text, named)) is not None:
        return quick
    found = block_values(text, named, where=where)
    return {key: tuple(blocks.values()) for key, blocks in found.items()}


def block_values(text: str, named: Mapping[str, str], *, where: Path) -> dict[ArmKey, dict[int, float]]:
    """Return what ``primary_values`` returns, by block."""
    lines = csv.reader(io.StringIO(text), strict=True)
    try:
        _check_head(next(lines, []))
        return _block_values(lines, named)
    except (csv.Error, ValueError) as error:
        raise RecordError(f"{where} cannot be read", why=f"line {lines.line_num}: {error}.", remedy=REMEDY) from error


def case_values(text: str, *, where: Path) -> dict[ArmKey, dict[Key, tuple[float, ...]]]:
    """Return the values of each case and metric in the valid runs, by experiment and treatment, in the order of runs.

    If a treatment has several valid runs in a block, the latest one counts. RecordError as ``from_csv``.
    """
    found: dict[ArmKey, dict[Key, dict[int, tuple[int, float]]]] = {}
    for each in from_csv(text, where=where):
        if each.status != "valid" or not each.case:
            continue
        blocks = found.setdefault(ArmKey(each.experiment, each.treatment), {})
        own = blocks.setdefault(Key(each.case, each.metric), {})
        if each.block not in own or each.run > own[each.block][0]:
            own[each.block] = (each.run, each.value)
    return {
        arm: {key: tuple(value for _, value in own.values()) for key, own in keys.items()}
        for arm, keys in found.items()
    }


@dataclass(frozen=True)
class _Frame:
    """A table without its values: which lines are read (None: all), and to which arm each of these belongs."""

    own: tuple[bool, ...] | None
    places: Mapping[ArmKey, tuple[int, ...]]


def _quick_values(text: str, named: Mapping[str, str]) -> dict[ArmKey, tuple[float, ...]] | None:
    """Return the primary values of a table without quotes or second attempts, or None for any other.

    With two million lines each step counts. So all lines are split at once, and tables that differ only in their
    values, as those of machines that carried out one plan, are parsed once.
    """
    head, _, body = text.removesuffix("\n").partition("\n")
    if head != ",".join(COLUMNS) or '"' in text or "\r" in text or "\0" in text:
        return None
    cells = body.replace("\n", ",\n,").split(",")
    texts = cells[VALUE :: len(COLUMNS) + 1]
    del cells[VALUE :: len(COLUMNS) + 1]
    frame = _frame(",".join(cells), tuple(named.items()), values=len(texts))
    if frame is None:
        return None
    try:
        values = list(map(float, texts if frame.own is None else compress(texts, frame.own)))
    except ValueError:
        return None
    if not all(map(math.isfinite, values)):
        return None
    return {key: tuple([values[place] for place in places]) for key, places in frame.places.items()}


@lru_cache(maxsize=FRAMES_KEPT)
def _frame(text: str, named: tuple[tuple[str, str], ...], *, values: int) -> _Frame | None:
    """Return the structure of a table without its last cells, or None if it is not valid."""
    primary, cells = dict(named), text.split(",")
    *columns, ends = (cells[place :: len(COLUMNS)] for place in range(len(COLUMNS)))
    if len(cells) != len(COLUMNS) * values - 1 or len(ends) != values - 1 or set(ends) - {"\n"}:
        return None
    if any("\n" in column for column in columns) or not set(columns[0]) <= primary.keys():
        return None
    tested = zip(columns[0], columns[5], columns[6], strict=True)
    own = tuple(metric == primary[experiment] and not case for experiment, case, metric in tested)
    experiments, runs, blocks, treatments, statuses = (tuple(compress(column, own)) for column in columns[:5])
    if not runs or len(runs) > MOST_LINES or set(statuses) != {"valid"} or not _are_whole({*runs, *blocks}):
        return None
    keys = list(map(ArmKey, experiments, treatments))
    once = len(set(zip(experiments, map(int, runs), strict=True))) == len(runs)
    alone = len(set(zip(keys, map(int, blocks), strict=True))) == len(runs)
    if not once or not alone:
        return None
    places: dict[ArmKey, list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(key, []).append(place)
    return _Frame(None if all(own) else own, {key: tuple(each) for key, each in places.items()})


def _are_whole(numbers: Collection[str]) -> bool:
    together = "".join(numbers)
    return together.isascii() and together.isdigit() and "" not in numbers and max(map(len, numbers)) <= MOST_DIGITS


def _block_values(lines: Iterable[list[str]], named: Mapping[str, str]) -> dict[ArmKey, dict[int, float]]:
    found: dict[ArmKey, dict[int, tuple[int, float]]] = {}
    seen: set[tuple[str, int]] = set()
    for cells in lines:
        if len(cells) != len(COLUMNS):
            raise ValueError(_wrong_length(cells))
        experiment, digits, in_block, treatment, status, case, metric, text = cells
        primary = named.get(experiment)
        if primary is None:
            raise ValueError(f"the experiment {experiment[:80]!r} is not in plan.json")
        if case or metric != primary:
            continue
        run, block, value = _figures(digits, in_block, text, status=status)
        if (experiment, run) in seen:
            raise ValueError(f"it has {metric[:80]} of run {run} twice")
        if len(seen) == MOST_LINES:
            raise ValueError(f"there are more than {MOST_LINES:,} values")
        seen.add((experiment, run))
        if status == "valid":
            blocks = found.setdefault(ArmKey(experiment, treatment), {})
            if block not in blocks or run > blocks[block][0]:
                blocks[block] = (run, value)
    return {key: {block: value for block, (_, value) in blocks.items()} for key, blocks in found.items()}


class _Place(NamedTuple):
    """The key of a line: no other line may have it."""

    experiment: str
    run: int
    case: Case
    metric: str


def _put(found: dict[_Place, Measurement], each: Measurement) -> None:
    key = _Place(each.experiment, each.run, each.case, each.metric)
    if key in found:
        raise ValueError(f"it has {each.metric[:80]} of run {each.run} twice")
    if len(found) == MOST_LINES:
        raise ValueError(f"there are more than {MOST_LINES:,} values")
    found[key] = each


def _check_head(cells: list[str]) -> None:
    if tuple(cells) != COLUMNS:
        raise ValueError(f"the columns are not {', '.join(COLUMNS)}")


def _measurement(cells: list[str]) -> Measurement:
    if len(cells) != len(COLUMNS):
        raise ValueError(_wrong_length(cells))
    experiment, digits, in_block, treatment, status, case, metric, text = cells
    run, block, value = _figures(digits, in_block, text, status=status)
    return Measurement(experiment, run, block, treatment, status, _case(case), metric, value)


@lru_cache(maxsize=CASES_KEPT)
def _case(text: str) -> Case:
    """Return the case of a cell; a table names each of its cases many times."""
    return Case.parse(text)


def _wrong_length(cells: list[str]) -> str:
    return f"it has {len(cells)} cells, not {len(COLUMNS)}"


def _figures(run: str, block: str, value: str, *, status: str) -> tuple[int, int, float]:
    """Return the run, the block and the value of a line; ValueError if one of them, or the status, is not valid."""
    if status not in STATUSES:
        raise ValueError(f"the status {status[:40]!r} is not one of {', '.join(STATUSES)}")
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{value[:40]!r} is not a finite number")
    both = run + block  # one call for both: with two million lines each call counts
    if both.isascii() and both.isdigit() and run and block and len(both) <= MOST_DIGITS:
        return int(run), int(block), number
    return _whole(run), _whole(block), number


def _whole(digits: str) -> int:
    if not digits.isascii() or not digits.isdigit() or len(digits) > MOST_DIGITS:
        raise ValueError(f"{digits[:40]!r} is not a whole number")
    return int(digits)
