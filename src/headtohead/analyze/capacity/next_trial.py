"""The next trial of a run that searches: a closed-loop probe, a rate, or a load past the capacity."""

import statistics
from collections.abc import Sequence
from typing import Literal

from headtohead.analyze.capacity import bayesian_bisection
from headtohead.analyze.capacity.goodput_past_capacity import OVERLOADS_PERCENT, of_overload
from headtohead.analyze.capacity.search_result import capacity_of, search_of
from headtohead.model.case import Case
from headtohead.model.plan import PlannedExperiment, Treatment
from headtohead.model.record import LoadRecord, Recorded
from headtohead.model.study import trials
from headtohead.model.study.trials import Trial, calls_of
from headtohead.model.study.workload import Load


def next_trial(
    experiment: PlannedExperiment, treatment: Treatment, records: Sequence[LoadRecord], earlier: Sequence[Recorded]
) -> Trial | None:
    """Return the next trial of a run that searches, None if it is done.

    ``records`` are this run's so far, in order; ``earlier`` are the valid runs of the same treatment. The search begins
    at their median capacity and uses nothing else of them: the estimate rests on the run's own trials.
    """
    load = experiment.load
    if not records:
        known = [each for run in earlier if (each := capacity_of(run, load)) is not None]
        if known:
            return _rate_trial(load, bayesian_bisection.rounded(statistics.median(known)), number=1, first=True)
        return _probe(load, treatment)
    found = search_of(records, load)
    over = of_overload(records)
    if found is not None and not over:
        rate_per_s = bayesian_bisection.next_rate(found.trials, bracket=found.bracket)
        if rate_per_s is not None:
            return _rate_trial(load, rate_per_s, number=1 + len(records))
    if found is None or found.capacity_per_s is None or len(over) == len(OVERLOADS_PERCENT):
        return None
    return _overload(load, found.capacity_per_s, percent=OVERLOADS_PERCENT[len(over)])


def _probe(load: Load, treatment: Treatment) -> Trial:
    return Trial(
        case=Case({"trial": 1, "connections": trials.users_of(len(treatment.cpus))}),
        loop="closed",
        warm_up_s=load.warm_up_s,
        measure_s=load.measure_s,
        drains=True,
    )


def _rate_trial(load: Load, rate_per_s: float, *, number: int, first: bool = False) -> Trial:
    return Trial(
        case=Case({"trial": number, "rate_per_s": bayesian_bisection.rounded(rate_per_s / calls_of(load))}),
        loop=_loop(load),
        warm_up_s=trials.warm_up_s(load, rate_per_s, first=first),
        measure_s=trials.measure_s(load, rate_per_s),
        drains=True,
    )


def _overload(load: Load, capacity_per_s: float, *, percent: int) -> Trial:
    """Return a load above the capacity; its warm-up of a timeout shows whether the server works for lost clients."""
    rate_per_s = capacity_per_s * percent / 100
    return Trial(
        case=Case({"overload_percent": percent, "rate_per_s": bayesian_bisection.rounded(rate_per_s / calls_of(load))}),
        loop=_loop(load),
        warm_up_s=max(load.timeout_s, trials.filling_s(load)),
        measure_s=load.measure_s,
        drains=False,
    )


def _loop(load: Load) -> Literal["open", "sessions"]:
    return "sessions" if load.loop == "sessions" else "open"
