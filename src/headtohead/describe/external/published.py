"""Published figures: ``reference/published``."""

import csv
from collections.abc import Collection, Mapping
from typing import TypeVar

from cattrs.errors import CattrsError

from headtohead.describe.home import Home
from headtohead.describe.toml.document import read_toml
from headtohead.describe.toml.position import Place
from headtohead.describe.toml.typed import typed
from headtohead.model.external.published import (
    Alike,
    Computed,
    Figure,
    Gain,
    PrintedCard,
    PrintedFact,
    Published,
    Unlike,
)

MEASUREMENTS, COMPUTED, FACTS = "measurements.csv", "derived.csv", "facts.csv"
_Line = TypeVar("_Line", Figure, Computed, PrintedFact)


def read_published(home: Home) -> Published:
    """Return the figures that articles published.

    Raises WordsError if a line is not a figure, or names a source that has no title.
    """
    written = read_toml(home.published / "alike.toml", "published", home=home).data
    sources = written["sources"]
    return Published(
        sources,
        _lines(home, MEASUREMENTS, Figure, sources),
        tuple(typed(each, Alike) for each in written["alike"]),
        tuple(typed(each, Unlike) for each in written.get("unlike", ())),
        _lines(home, COMPUTED, Computed, sources),
        _lines(home, FACTS, PrintedFact, sources),
        tuple(typed(each, Gain) for each in written.get("gain", ())),
        tuple(typed(each, PrintedCard) for each in written.get("card", ())),
        {source: tuple(titles) for source, titles in written.get("articles", {}).items()},
    )


def _lines(home: Home, name: str, kind: type[_Line], sources: Collection[str]) -> tuple[_Line, ...]:
    path = home.published / name
    place = Place(home.shown(path))
    with path.open(encoding="utf-8", newline="") as file:
        found = tuple(_typed(row, kind, number, place) for number, row in enumerate(csv.DictReader(file), start=2))
    for each in found:
        if each.source not in sources:
            raise place.unknown("source", each.source, known=sources, owner="alike.toml")
    return found


def _typed(row: Mapping[str, str], kind: type[_Line], number: int, place: Place) -> _Line:
    try:
        return typed(row, kind)
    except (CattrsError, KeyError, TypeError, ValueError) as error:
        raise place.wrong(
            f"line {number} is not a figure",
            why=f"{type(error).__name__}: {error}.",
            remedy="Write the line in the columns that the first line names.",
        ) from error
