"""Published figures: ``reference/published``."""

import csv
from collections.abc import Iterator
from pathlib import Path

from cattrs.errors import CattrsError

from headtohead.describe.home import Home
from headtohead.describe.toml.document import read_toml
from headtohead.describe.toml.position import Place
from headtohead.describe.toml.typed import typed
from headtohead.model.external.published import Alike, Figure, Published

MEASUREMENTS = "measurements.csv"


def read_published(home: Home) -> Published:
    """Return the figures that articles published.

    Raises WordsError if a line is not a figure, or names a source that has no title.
    """
    written = read_toml(home.published / "alike.toml", "published", home=home)
    sources = written.data["sources"]
    place = Place(home.shown(home.published / MEASUREMENTS))
    figures = tuple(_figures(home.published / MEASUREMENTS, place=place))
    for each in figures:
        if each.source not in sources:
            raise place.unknown("source", each.source, known=sources, owner="alike.toml")
    return Published(sources, figures, tuple(typed(each, Alike) for each in written.data["alike"]))


def _figures(path: Path, *, place: Place) -> Iterator[Figure]:
    with path.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            try:
                yield typed(row, Figure)
            except (CattrsError, KeyError, TypeError, ValueError) as error:
                why = f"{type(error).__name__}: {error}."
                raise place.wrong(
                    f"line {number} is not a figure",
                    why=why,
                    remedy="Write the line in the columns that the first line names.",
                ) from error
