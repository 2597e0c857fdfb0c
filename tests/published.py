"""The figures that the articles printed (``reference/published``), as tables."""

import csv
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "reference" / "published"

Row = dict[str, str]


def rows(name: str) -> list[Row]:
    """Return the lines of ``measurements``, ``derived`` or ``facts``."""
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def levels(source: str) -> dict[tuple[str, str], dict[int, float]]:
    """Return what an article printed over connections: from (benchmark, system) to the rate at each number of them."""
    told: dict[tuple[str, str], dict[int, float]] = {}
    for row in rows("measurements"):
        if row["source"] == source and row["level_kind"] == "connections":
            told.setdefault((row["benchmark"], row["system"]), {})[int(row["level"])] = float(row["value"])
    return told
