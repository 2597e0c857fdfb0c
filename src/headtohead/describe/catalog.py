"""The metric catalog, ``schemas/metrics.toml``."""

from collections.abc import Mapping
from typing import Any

from headtohead.describe.home import Home
from headtohead.describe.toml.document import read_toml
from headtohead.describe.toml.position import Place
from headtohead.describe.toml.typed import typed
from headtohead.model.quantity import Metric


def read_metrics(home: Home) -> Mapping[str, Metric]:
    """Return every metric by its name, in the catalog's order; raises WordsError for a wrong catalog."""
    written = read_toml(home.schemas / "metrics.toml", "metrics", home=home)
    return {
        name: _read_metric(name, table, place=written.place.at(name))
        for name, table in written.data.items()
        if name != "format"
    }


def _read_metric(name: str, table: Mapping[str, Any], *, place: Place) -> Metric:
    words = table.get("words")
    if (words is None) != (table["better"] == "neither"):
        raise place.wrong(
            "direction and words do not fit",
            why='A metric that is judged needs a word for better and a word for worse; better = "neither" takes none.',
            remedy='Write words = ["faster", "slower"], or better = "neither" without words.',
        )
    if "per" in table and "work" not in table:
        raise place.wrong(
            "per without work",
            why="Only a rate, work divided by time, can be divided by a number.",
            remedy="Write work.",
        )
    if "work" in table and table["from"] != "batch":
        raise place.wrong("work without batch", why="Only batch records count work.", remedy='Write from = "batch".')
    return typed(table, Metric, name=name, words=words, source=table["from"])
