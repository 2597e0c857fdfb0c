"""A sweep: cases that differ in one number alone, such as connections; and at which level a metric is highest."""

import itertools
from dataclasses import dataclass

import numpy as np

from headtohead.analyze import scale
from headtohead.analyze.estimate import CONFIDENCE
from headtohead.analyze.records import planned_cases
from headtohead.analyze.samples import Samples
from headtohead.analyze.summarize import cases_of, levels_of
from headtohead.model.analysis import Estimate
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import Summary, case_text

LEAST = 3
"""Two levels are a pair; with three there is a shape."""


@dataclass(frozen=True)
class Sweep:
    """The levels of the one case field that varies, rising, and the text of each level's case."""

    field: str
    levels: tuple[float, ...]
    cases: tuple[str, ...]


def sweep_of(experiment: PlannedExperiment) -> Sweep | None:
    """Return the sweep that an experiment's cases are; None of a search, and where they differ in anything else."""
    cases = () if experiment.load.searches else planned_cases(experiment)
    varying = [name for name in dict.fromkeys(itertools.chain(*cases)) if len({case.get(name) for case in cases}) > 1]
    if len(varying) != 1 or len(cases) < LEAST:
        return None
    levels = [case.get(varying[0]) for case in cases]
    numbers = [float(each) for each in levels if isinstance(each, int | float) and not isinstance(each, bool)]
    if len(set(numbers)) < len(cases):
        return None
    rising = sorted(zip(numbers, map(case_text, cases), strict=True))
    return Sweep(varying[0], tuple(level for level, _ in rising), tuple(text for _, text in rising))


def highest(samples: Samples, label: str, *, summary: Summary) -> Estimate | None:
    """Return at which level of its case field a treatment's metric is highest, over its valid runs; None of none."""
    levels, cases = levels_of(summary, samples.experiment), cases_of(summary, samples.experiment)
    values = [samples.of(label, (case, summary.of)) for case in cases]
    if levels is None or not values:
        return None
    blocks = [block for block in values[0] if all(each.get(block, 0.0) > 0 for each in values)]
    if not blocks:
        return None
    table = np.asarray([[each[block] for each in values] for block in blocks], dtype=np.float64)
    return scale.highest(levels, np.log(table), alpha=1 - CONFIDENCE)
