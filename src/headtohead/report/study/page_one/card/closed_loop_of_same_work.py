"""The line on the higher rate of users who wait, where a study has it and a capacity of the same work."""

from collections.abc import Iterator

from headtohead.model.analysis.results import TreatmentResult
from headtohead.model.case import WHOLE_RUN
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.report.context import ExperimentContext
from headtohead.report.text.numbers.values_with_units import scale_for
from headtohead.report.text.wording import listed

CONNECTIONS = "connections"
ABOVE = 1.1
"""A rate that is less than this many times the capacity needs no word."""


def closed_loop(context: ExperimentContext) -> str:
    """Return the rates of another question whose users wait, and why a capacity is below; empty if there is none."""
    for other in context.study.experiments:
        if not _same_work(context.planned, other.planned):
            continue
        level = context.planned.load.settings.get(CONNECTIONS) if context.planned else None
        if level is not None and _has(context, other, level=level):
            alike = _rates(context, other, level=level)
            has = f"has {alike} with {scalar_text(level)} connections too" if alike else ""
        else:
            best = _rates(context, other)
            has = f"has up to {best}" if best else ""
        if has:
            return (
                f"Question {other.number} {has}, from users who wait for each response; here requests arrive at random "
                "times, and queue: the objective breaks at a lower rate."
            )
    return ""


def _same_work(own: PlannedExperiment | None, other: PlannedExperiment | None) -> bool:
    """Return whether the other has the same work in a closed loop, and this one searches for a capacity."""
    if own is None or other is None or not own.load.searches or own.load.loop != "open":
        return False
    return other.load.loop == "closed" and (own.workload, own.data) == (other.workload, other.data)


def _has(context: ExperimentContext, other: ExperimentContext, *, level: Scalar) -> bool:
    """Return whether the other question has each setup with that number of connections: no other number compares."""
    found = [each for _, _, each in _pairs(context, other)]
    return all(each and _highest(each, other.result.primary.of, level=level) for each in found)


def _rates(context: ExperimentContext, other: ExperimentContext, *, level: Scalar | None = None) -> str:
    """Return the rate of each setup with that number of connections, or its highest; empty if one is hardly higher.

    It is empty too if the other question lacks one.
    """
    pairs = list(_pairs(context, other))
    metric = other.result.primary.of
    rates = [_highest(each, metric, level=level) if each else 0.0 for _, _, each in pairs]
    low = any(rate < ABOVE * capacity for rate, (_, capacity, _) in zip(rates, pairs, strict=True))
    if not pairs or low or other.result.metric.unit != context.result.metric.unit:
        return ""
    scale = scale_for(other.result.metric.unit, rates)
    return listed([f"{scale.full(rate)} ({label})" for rate, (label, _, _) in zip(rates, pairs, strict=True)])


def _pairs(context: ExperimentContext, other: ExperimentContext) -> Iterator[tuple[str, float, TreatmentResult | None]]:
    """Yield the name and capacity of each setup, and the same setup of the other question, None if it has none.

    Names of setups hold what varies in their own question alone, so the setups themselves are compared.
    """
    plain = context.study.experiments[context.number - 1].result
    setups = {each.label: each for each in context.planned.treatments} if context.planned else {}
    others = {each.label: each for each in other.planned.treatments} if other.planned else {}
    for named, own in zip(context.result.treatments, plain.treatments, strict=True):
        if own.primary is None or own.label not in setups:
            continue
        alike = [label for label, each in others.items() if setups[own.label].alike(each)]
        same = next((each for each in other.result.treatments if each.label in alike), None)
        yield named.label, own.primary.value, same


def _highest(treatment: TreatmentResult, metric: str, *, level: Scalar | None) -> float:
    cells = [each for each in treatment.cells if each.metric == metric and each.case != WHOLE_RUN]
    kept = [each for each in cells if level is None or each.case.levels.get(CONNECTIONS) == scalar_text(level)]
    rates = [each.estimate.value for each in kept]
    return max(rates, default=0.0)
