"""Printed figures: ``reference/published``."""

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from headtohead.describe.home import Home
from headtohead.describe.toml.document import read_written
from headtohead.describe.toml.position import Place
from headtohead.model.external.published import Alike, Figure, Published
from headtohead.model.quantity import Better

MEASUREMENTS = "measurements.csv"
BETTER: Mapping[str, Better] = {"higher": "higher", "lower": "lower"}


def read_published(home: Home) -> Published:
    """Return what articles printed; raises WordsError where a line is no figure, or names a source without a title."""
    written = read_written(home.published / "alike.toml", "published", home=home)
    sources = written.data["sources"]
    place = Place(home.shown(home.published / MEASUREMENTS))
    figures = tuple(_figures(home.published / MEASUREMENTS, place=place))
    for each in figures:
        if each.source not in sources:
            raise place.unknown("source", each.source, known=sources, owner="alike.toml")
    return Published(sources, figures, tuple(_alike(each) for each in written.data["alike"]))


def _figures(path: Path, *, place: Place) -> Iterator[Figure]:
    with path.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            try:
                yield _figure(row)
            except (KeyError, TypeError, ValueError) as error:
                why = f"{type(error).__name__}: {error}."
                raise place.wrong(f"line {number} is no figure", why=why, remedy="See the first line.") from error


def _figure(row: Mapping[str, str]) -> Figure:
    return Figure(
        source=row["source"],
        benchmark=row["benchmark"],
        system=row["system"],
        level_kind=row["level_kind"],
        level=row["level"],
        metric=row["metric"],
        value=float(row["value"]),
        better=BETTER[row["better"]],
        note=row["note"],
    )


def _alike(table: Mapping[str, Any]) -> Alike:
    return Alike(
        workload=table["workload"],
        of=table["of"],
        level=table.get("level", ""),
        levels=table.get("levels", {}),
        where=table.get("where", {}),
        benchmarks=tuple(table["benchmarks"]),
        metric=table["metric"],
        times=float(table.get("times", 1)),
        caveat=table["caveat"],
    )
