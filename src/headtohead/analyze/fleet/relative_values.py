"""Values as multiples of those of one treatment, block by block: what a day does to both then cancels.

So does the speed of the machine. What is compared is how much better a setup does than that treatment, here and there.
"""

from collections.abc import Sequence
from dataclasses import replace

from headtohead.analyze.fleet.same_test import arms_of
from headtohead.model.analysis.systems import ArmKey, SystemResults
from headtohead.model.plan import Plan, PlannedExperiment


def labels_of(systems: Sequence[SystemResults]) -> list[str]:
    """Return the labels of the treatments of all plans, and those with count words for numbers ("all")."""
    plans = {id(each.plan): each.plan for each in systems}
    arms = [arm for plan in plans.values() for arm in arms_of(plan)]
    return list(dict.fromkeys(label for arm in arms for label in (arm.treatment.label, arm.label)))


def relative_to(systems: Sequence[SystemResults], label: str) -> list[SystemResults]:
    """Return the systems with the ratio of each run to the run of treatment ``label`` in the same block.

    Blocks without a positive value of both are left out, and so are experiments without that treatment, and the
    treatment itself. Prices, given power and recorded spreads are about absolute values: they are left out.

    Assumes:    ``blocks`` was read for each system.
    Invariant:  a factor on all values of a block, or of a day, changes nothing.
    Reference:  docs/adr/0050; calibrated in tests/analyze/test_relative_values.py.
    """
    plans: dict[int, tuple[Plan, dict[str, str]]] = {}
    found = []
    for each in systems:
        if id(each.plan) not in plans:
            plans[id(each.plan)] = _without(each.plan, label)
        plan, divisors = plans[id(each.plan)]
        values = {
            key: ratios
            for key in each.blocks
            if key.experiment in divisors and key.treatment != divisors[key.experiment]
            if (ratios := _ratios(each, key, ArmKey(key.experiment, divisors[key.experiment])))
        }
        found.append(replace(each, plan=plan, values=values, cases={}, spreads=None, price=None, power=None))
    return found


def _without(plan: Plan, label: str) -> tuple[Plan, dict[str, str]]:
    """Return a plan of the experiments with that treatment, less it; and its own label in each of them."""
    own = {
        arm.experiment.name: arm.treatment.label for arm in arms_of(plan) if label in (arm.label, arm.treatment.label)
    }
    kept = tuple(_in_multiples(each, own[each.name], label) for each in plan.experiments if each.name in own)
    return replace(plan, experiments=kept), own


def _in_multiples(experiment: PlannedExperiment, own: str, label: str) -> PlannedExperiment:
    name = experiment.primary.of
    metrics = {**experiment.metrics, name: replace(experiment.metrics[name], unit=f"times {label}")}
    treatments = tuple(each for each in experiment.treatments if each.label != own)
    return replace(experiment, metrics=metrics, treatments=treatments)


def _ratios(system: SystemResults, key: ArmKey, divisor: ArmKey) -> tuple[float, ...]:
    own, other = system.blocks[key], system.blocks.get(divisor, {})
    return tuple(value / other[block] for block, value in own.items() if value > 0 and other.get(block, 0.0) > 0)
