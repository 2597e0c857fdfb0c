"""Where the gain from more CPUs went: how many more were busy, and how much more CPU time a response took.

A rate is the number of busy CPUs over the CPU time of a response, so the gain is one factor over the other.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from headtohead.model.analysis.limit import AT_CAPACITY
from headtohead.model.analysis.results import ExperimentResult, TreatmentResult
from headtohead.model.analysis.sweeps import Growth
from headtohead.report.experiment.scaling import MOST_GAINS, names_of_growing
from headtohead.report.text.cases_of_primary_value import averaged_over, decides
from headtohead.report.text.numbers.ratios import factor
from headtohead.report.text.numbers.values_with_units import count
from headtohead.report.text.wording import listed

DEARER = 1.2
"""A response must take this factor of CPU time in one setup, for it to say where the gain went."""


@dataclass(frozen=True)
class Growing:
    """One setup with more CPUs: the factors of its busy CPUs and of the CPU time of a response, without intervals."""

    low: float
    high: float
    busy: float
    dearer: float


def cpu_time_with_more_cpus(result: ExperimentResult) -> str:
    """Return by what factors busy CPUs and the CPU time of a response grew with more CPUs, in the answer's cases.

    Empty if no setup was measured with two numbers of CPUs, if there are many, if something could not be read, or if
    no response took ``DEARER`` the CPU time.
    """
    grown = [
        each
        for each in result.growth
        if each.scaling.factor == "cpus" and each.summary == result.primary.name and not each.case
    ]
    found = [known for each in grown if (known := _growing(each, result))]
    steps = {(each.low, each.high) for each in found}
    dearest = max((each.dearer for each in found), default=0.0)
    if len(found) < len(grown) or len(found) > MOST_GAINS or len(steps) != 1 or dearest < DEARER:
        return ""
    ((low, high),) = steps
    over = f", averaged over {each}" if (each := averaged_over(result)) else ""
    names = names_of_growing(grown, result)
    used = _used([factor(each.busy) for each in found], names)
    took = _took([factor(each.dearer) for each in found], names)
    return (
        f"With {count(high)} CPUs rather than {count(low)}{over}, {used}, and a response took {took}. "
        "Why a response took more was not measured."
    )


def _used(factors: Sequence[str], names: Sequence[str]) -> str:
    """Return by what factor busy CPUs grew: ``each used 2x the CPUs``, ``A used 1.9x the CPUs and B 2x``."""
    if len(set(factors)) == 1:
        return f"{'the program' if len(names) == 1 else 'each'} used {factors[0]} the CPUs"
    others = [f"{name} {each}" for name, each in zip(names[1:], factors[1:], strict=True)]
    return listed([f"{names[0]} used {factors[0]} the CPUs", *others])


def _took(factors: Sequence[str], names: Sequence[str]) -> str:
    """Return by what factor the CPU time of a response grew: ``1.8x the CPU time with A and 1.2x with B``."""
    if len(names) == 1:
        return f"{factors[0]} the CPU time"
    others = [f"{each} with {name}" for name, each in zip(names[1:], factors[1:], strict=True)]
    return listed([f"{factors[0]} the CPU time with {names[0]}", *others])


def _growing(growth: Growth, result: ExperimentResult) -> Growing | None:
    arms = {each.label: each for each in result.treatments}
    low, high = (arms.get(each) for each in (growth.baseline, growth.other))
    if low is None or high is None:
        return None
    busy, cost = ([each(arm, result) for arm in (low, high)] for each in (_busy, _cost))
    if not all(busy) or not all(cost):
        return None
    return Growing(growth.scaling.low, growth.scaling.high, busy[1] / busy[0], cost[1] / cost[0])


def _busy(treatment: TreatmentResult, result: ExperimentResult) -> float:
    """Return the CPUs in use in the answer's cases, in a search at the highest load that held; 0 if one is unknown."""
    held = [each for each in treatment.limits if each.case == AT_CAPACITY]
    own = held or [each for each in treatment.limits if decides(each.case, result.primary)]
    return _mean([each.subject_cpus for each in own])


def _cost(treatment: TreatmentResult, result: ExperimentResult) -> float:
    """Return the CPU time of a response in the answer's cases, in ns; 0 if one is not known."""
    own = [each.subject_cpu_ns_per_answer for each in treatment.costs if decides(each.case, result.primary)]
    return _mean([each.value if each else None for each in own])


def _mean(values: Sequence[float | None]) -> float:
    """Return the geometric mean; 0 if one is missing."""
    known = [each for each in values if each]
    return math.exp(sum(map(math.log, known)) / len(known)) if known and len(known) == len(values) else 0.0
