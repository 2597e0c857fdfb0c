"""The figures of a study alone: read without its workloads and subjects, which the reader's machine may lack."""

from collections.abc import Mapping
from typing import Any

from headtohead.describe.home import Home
from headtohead.describe.study.experiment import LOOKS, MATTERS
from headtohead.describe.toml.document import toml_in
from headtohead.describe.toml.position import Place
from headtohead.model.study.figures import ExperimentFigures, StudyFigures


def figures_in(content: bytes, *, home: Home, place: Place) -> StudyFigures:
    """Return the figures in the bytes of a study; raises WordsError if they are not of the form of a study."""
    data = toml_in(content, "study", home=home, place=place).data
    return StudyFigures(
        title=data["title"],
        seed=data["seed"],
        within_min=data.get("within_min"),
        experiments=tuple(_of_experiment(table) for table in data["experiment"]),
    )


def _of_experiment(table: Mapping[str, Any]) -> ExperimentFigures:
    return ExperimentFigures(
        name=table["name"],
        looks=tuple(table.get("looks", LOOKS)),
        matters=float(table.get("matters", MATTERS)),
        within_min=table.get("within_min"),
        share_driver=table.get("share_driver", False),
        orders=table.get("orders", "random"),
        compare=table.get("compare"),
        primary=table.get("primary"),
    )
