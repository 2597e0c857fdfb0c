"""Merge the loads that a treatment was offered into steps: near loads, which searches try, share a step."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from headtohead.model.analysis.curves import CurvePoint
from headtohead.model.analysis.results import TreatmentResult

NEAR = 1.03
"""Loads within this ratio of a step's lowest belong to that step."""


@dataclass(frozen=True)
class LoadStep:
    """One load (requests/s) with the results of a treatment at it: medians over the trials of this step."""

    offered_load_per_s: float
    response_rate_per_s: float | None
    goodput_per_s: float | None
    response_time_p50_ns: float | None
    response_time_p99_ns: float | None
    error_share: float | None
    trials: int
    held: int | None
    """The number of trials in which the objective held; None if it was not judged."""
    overload_percent: float | None


def load_steps(treatment: TreatmentResult) -> list[LoadStep]:
    """Return the loads of a treatment's valid runs, in rising order; then those past the capacity, by percentage."""
    tried = sorted((each for each in treatment.curve if each.overload_percent is None), key=_offered)
    groups: list[list[CurvePoint]] = []
    for each in tried:
        if groups and each.offered_load_per_s <= NEAR * groups[-1][0].offered_load_per_s:
            groups[-1].append(each)
        else:
            groups.append([each])
    past: dict[float, list[CurvePoint]] = {}
    for each in treatment.curve:
        if each.overload_percent is not None:
            past.setdefault(each.overload_percent, []).append(each)
    return [_step(group) for group in (*groups, *(past[percent] for percent in sorted(past)))]


def _step(points: Sequence[CurvePoint]) -> LoadStep:
    judged = [each.held for each in points if each.held is not None]
    return LoadStep(
        offered_load_per_s=statistics.median(map(_offered, points)),
        response_rate_per_s=_median(each.response_rate_per_s for each in points),
        goodput_per_s=_median(each.goodput_per_s for each in points),
        response_time_p50_ns=_median(each.response_time_p50_ns for each in points),
        response_time_p99_ns=_median(each.response_time_p99_ns for each in points),
        error_share=_median(each.error_share for each in points),
        trials=len(points),
        held=sum(judged) if judged else None,
        overload_percent=points[0].overload_percent,
    )


def _offered(point: CurvePoint) -> float:
    return point.offered_load_per_s


def _median(values: Iterable[float | None]) -> float | None:
    known = [each for each in values if each is not None]
    return statistics.median(known) if known else None
