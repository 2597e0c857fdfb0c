"""Sweeps: cases that differ in one number alone, such as connections; and the level at which a metric is highest."""

import itertools

import numpy as np

from headtohead.analyze.runs.records_and_times_of_case import planned_cases
from headtohead.analyze.samples.summary_over_cases import cases_of, levels_of
from headtohead.analyze.samples.valid_values import Samples
from headtohead.analyze.statistics.along_levels import highest_level
from headtohead.analyze.statistics.estimate import CONFIDENCE
from headtohead.model.analysis.estimates import Estimate, Key
from headtohead.model.analysis.sweeps import Sweep
from headtohead.model.case import Case
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import Scalar, Summary

LEAST = 3
"""The fewest levels of a sweep: two are a pair, three have a shape."""


MOST = 6
"""The most sweeps of an experiment: more curves cannot be read."""


def sweep_of(experiment: PlannedExperiment) -> Sweep | None:
    """Return the sweep that an experiment's cases form; None for a search, and if they differ in anything else."""
    found = sweeps_of(experiment)
    whole = len(found) == 1 and not found[0].fixed and len(found[0].cases) == len(planned_cases(experiment))
    return found[0] if whole else None


def sweeps_of(experiment: PlannedExperiment) -> tuple[Sweep, ...]:
    """Return the sweeps over the one field with three or more numbers: one for each combination of the other fields.

    Empty for a search, if several fields have that many numbers, and if there would be too many sweeps.
    """
    cases = () if experiment.load.searches else planned_cases(experiment)
    names = list(dict.fromkeys(itertools.chain(*cases)))
    counted = [name for name in names if len({_number(case.get(name)) for case in cases} - {None}) >= LEAST]
    if len(counted) != 1:
        return ()
    (field,) = counted
    others = [name for name in names if name != field and len({case.get(name) for case in cases}) > 1]
    groups: dict[Case, list[tuple[float, Case]]] = {}
    for case in cases:
        level = _number(case.get(field))
        if level is None:
            return ()
        fixed = case.only(others)
        groups.setdefault(fixed, []).append((level, case))
    found = tuple(_sweep(field, pairs, fixed) for fixed, pairs in groups.items())
    return found if len(found) <= MOST and all(_whole(each) for each in found) else ()


def _number(level: Scalar | None) -> float | None:
    return float(level) if isinstance(level, int | float) and not isinstance(level, bool) else None


def _sweep(field: str, pairs: list[tuple[float, Case]], fixed: Case) -> Sweep:
    rising = sorted(pairs, key=lambda each: (each[0], each[1].text))
    return Sweep(field, tuple(level for level, _ in rising), tuple(case for _, case in rising), fixed)


def _whole(sweep: Sweep) -> bool:
    """Return whether there are enough levels, with one case each."""
    return len(set(sweep.levels)) == len(sweep.levels) >= LEAST


def highest(samples: Samples, label: str, *, summary: Summary) -> Estimate | None:
    """Return the level at which a treatment's metric is highest, over its valid runs; None without runs."""
    levels, cases = levels_of(summary, samples.experiment), cases_of(summary, samples.experiment)
    values = [samples.of(label, Key(case, summary.of)) for case in cases]
    if levels is None or not values:
        return None
    blocks = [block for block in values[0] if all(each.get(block, 0.0) > 0 for each in values)]
    if not blocks:
        return None
    table = np.asarray([[each[block] for each in values] for block in blocks], dtype=np.float64)
    return highest_level.highest(levels, np.log(table), alpha=1 - CONFIDENCE)
