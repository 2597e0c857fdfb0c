"""A board over a store that holds prepared data, and one that needs nothing: on a machine that is not there."""

from pathlib import Path

from tests.execute.laboratory import Laboratory

NEEDS = """format = 1
title = "On a fake machine"
seed = 1

[[experiment]]
name = "tiny"
question = "Which?"
workload = "tiny"
looks = [6]

[experiment.factors]
subject = [{ name = "board", database = "own" }, { name = "board", database = "store" }]
cpus = [1]

[experiment.load]
connections = 10
"""


def with_store(place: Laboratory) -> int:
    """Return the number of the first planned run whose board needs the store."""
    experiment = place.plan.experiments[0]
    runs = [bool(experiment.treatment(each.treatment).parts) for each in experiment.runs]
    return 1 + runs.index(True)


def without(place: Laboratory, number: int) -> bool:
    """Return whether the board of that planned run needs nothing."""
    experiment = place.plan.experiments[0]
    return not experiment.treatment(experiment.runs[number - 1].treatment).parts


def pristine(place: Laboratory) -> Path:
    """Return the only prepared copy."""
    (found,) = [each for each in (place.folder / "cache" / "prepared").glob("store-*") if each.is_dir()]
    return found
