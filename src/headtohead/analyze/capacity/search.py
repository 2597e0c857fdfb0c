"""The search for a capacity, trial by trial: the result of a run's records so far, and what to try next."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from headtohead.analyze.capacity import bisection
from headtohead.analyze.capacity.bisection import Bracket
from headtohead.analyze.capacity.objective import late_requests, passes, scheduled
from headtohead.analyze.capacity.trial_outcome import TrialOutcome
from headtohead.analyze.runs.driver_schedule import driver_late
from headtohead.analyze.runs.use_by_case import RunSeen
from headtohead.model.analysis.curves import Searched
from headtohead.model.analysis.estimates import Interval, Key
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.plan import PlannedExperiment, Treatment
from headtohead.model.quantiles import quantile_of
from headtohead.model.quantity import Metric
from headtohead.model.record import CaseRecord, LoadRecord, Recorded
from headtohead.model.study import trials
from headtohead.model.study.trials import Trial, calls_of, late_after_ns
from headtohead.model.study.workload import Load

OVERLOADS_PERCENT = (110, 125, 150, 200)
"""Offered loads past the capacity at which the goodput is taken."""

USERS = (16, 64)
"""A closed-loop probe has four users a CPU, within these."""


@dataclass(frozen=True)
class SearchResult:
    """The result of one search so far: all rates in requests/s, the capacity None if no rate held."""

    bracket: Bracket
    trials: tuple[TrialOutcome, ...]
    capacity_per_s: float | None
    interval: Interval | None


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
            return _rate_trial(load, bisection.rounded(statistics.median(known)), number=1, first=True)
        return _probe(load, treatment)
    found = search_of(records, load)
    over = of_overload(records)
    if found is not None and not over:
        rate_per_s = bisection.next_rate(found.trials, bracket=found.bracket)
        if rate_per_s is not None:
            return _rate_trial(load, rate_per_s, number=1 + len(records))
    if found is None or found.capacity_per_s is None or len(over) == len(OVERLOADS_PERCENT):
        return None
    return _overload(load, found.capacity_per_s, percent=OVERLOADS_PERCENT[len(over)])


def search_of(records: Sequence[CaseRecord], load: Load) -> SearchResult | None:
    """Return the result of a run's search; None without a probe that got responses and without a trial."""
    own = [each for each in records if isinstance(each, LoadRecord) and "trial" in each.case]
    trials = tuple(_outcome(each, load) for each in own if "rate_per_s" in each.case)
    probe = next((each for each in own if "rate_per_s" not in each.case), None)
    reached_per_s = 0.0 if probe is None else probe.values.get("goodput_per_s") or 0.0
    if probe is not None and reached_per_s > 0:
        bracket = bisection.bracket_from_probe(reached_per_s, time_may_bind=_waited(probe, load))
    elif trials:
        bracket = bisection.bracket_around(trials[0].rate_per_s)
    else:
        return None
    estimate = bisection.capacity(trials, bracket=bracket)
    value, interval = (None, None) if estimate is None else estimate
    return SearchResult(bracket, trials, value, interval)


def capacity_of(recorded: Recorded, load: Load) -> float | None:
    """Return the capacity that a run found, in requests/s; None if it found none."""
    found = search_of(recorded.records, load)
    return None if found is None else found.capacity_per_s


def offered_per_s(case: Case, load: Load) -> float:
    """Return the offered load of a trial in requests/s; its case's rate counts sessions if the loop has them."""
    return float(case["rate_per_s"]) * calls_of(load)


CAPACITY, OVERLOAD = "capacity_per_s", "overload_goodput_share"


def keys(metrics: Mapping[str, Metric]) -> list[Key]:
    """Return the keys of a search: the capacity, goodput at each overload and at the worst."""
    overloads = [Key(_overloaded(each), OVERLOAD) for each in OVERLOADS_PERCENT]
    every = [Key(WHOLE_RUN, CAPACITY), Key(WHOLE_RUN, OVERLOAD), *overloads]
    return [key for key in every if key.metric in metrics]


def _overloaded(percent: int) -> Case:
    return Case({"overload_percent": percent})


def values(records: Sequence[CaseRecord], load: Load) -> dict[Key, float]:
    """Return a run's capacity (requests/s), and its goodput at each overload as a share of that; empty if unknown.

    The worst share is the run's, if all overloads have one. An overload at which the driver itself was late has none:
    that load was never offered.
    """
    found = search_of(records, load)
    if found is None or found.capacity_per_s is None:
        return {}
    values = {Key(WHOLE_RUN, CAPACITY): found.capacity_per_s}
    shares = {}
    for each in of_overload(records):
        goodput = each.values.get("goodput_per_s")
        if goodput is not None and not driver_late(each):
            shares[int(float(each.case["overload_percent"]))] = goodput / found.capacity_per_s
    values |= {Key(_overloaded(percent), OVERLOAD): share for percent, share in shares.items()}
    if set(OVERLOADS_PERCENT) <= set(shares):
        values[Key(WHOLE_RUN, OVERLOAD)] = min(shares.values())
    return values


def is_overload(record: LoadRecord) -> bool:
    """Return whether the record is of a load above the capacity, offered to see how much goodput remains."""
    return "overload_percent" in record.case


def did_not_hold(record: LoadRecord, load: Load) -> bool:
    """Return whether the record is of a search's load that did not hold: above the capacity, backlogs are expected."""
    if not load.searches or "rate_per_s" not in record.case:
        return False
    return is_overload(record) or not _outcome(record, load).holds


def of_overload(records: Sequence[CaseRecord]) -> list[LoadRecord]:
    """Return the records of loads above the capacity, in order."""
    return [each for each in records if isinstance(each, LoadRecord) and is_overload(each)]


def highest_held(records: Sequence[CaseRecord], load: Load) -> LoadRecord | None:
    """Return the record of the highest rate that held, None if none did."""
    own = [each for each in records if isinstance(each, LoadRecord) and {"trial", "rate_per_s"} <= set(each.case)]
    held = [each for each in own if _outcome(each, load).holds]
    return max(held, key=lambda each: offered_per_s(each.case, load), default=None)


def _outcome(record: LoadRecord, load: Load) -> TrialOutcome:
    calls = calls_of(load)
    holds = passes(record, load.objective, calls=calls)
    rate_per_s = offered_per_s(record.case, load)
    late = late_requests(record, load.objective, calls=calls) if trials.may_bind(load, rate_per_s) else None
    return TrialOutcome(rate_per_s, holds, scheduled(record) / calls, late)


def _waited(probe: LoadRecord, load: Load) -> bool:
    """Return whether users of the probe waited longer than a limit allows: half of its rate may be too much then."""
    limits = {name: each for name, each in load.objective.items() if quantile_of(name) is not None}
    seen = {name: probe.values.get(name) for name in limits}
    return late_after_ns(load.objective) is not None and any(
        value is None or value > limits[name] for name, value in seen.items()
    )


def _probe(load: Load, treatment: Treatment) -> Trial:
    users = min(USERS[1], max(4 * len(treatment.cpus), USERS[0]))
    return Trial(
        case=Case({"trial": 1, "connections": users}),
        loop="closed",
        warm_up_s=load.warm_up_s,
        measure_s=load.measure_s,
        drains=True,
    )


def _rate_trial(load: Load, rate_per_s: float, *, number: int, first: bool = False) -> Trial:
    return Trial(
        case=Case({"trial": number, "rate_per_s": bisection.rounded(rate_per_s / calls_of(load))}),
        loop=_loop(load),
        warm_up_s=trials.warm_up_s(load, rate_per_s, first=first),
        measure_s=trials.measure_s(load, rate_per_s),
        drains=True,
    )


def _overload(load: Load, capacity_per_s: float, *, percent: int) -> Trial:
    """Return a load above the capacity; its warm-up of a timeout shows whether the server works for lost clients."""
    rate_per_s = capacity_per_s * percent / 100
    return Trial(
        case=Case({"overload_percent": percent, "rate_per_s": bisection.rounded(rate_per_s / calls_of(load))}),
        loop=_loop(load),
        warm_up_s=max(load.timeout_s, trials.filling_s(load)),
        measure_s=load.measure_s,
        drains=False,
    )


def _loop(load: Load) -> Literal["open", "sessions"]:
    return "sessions" if load.loop == "sessions" else "open"


def searches(runs: Sequence[RunSeen]) -> tuple[Searched, ...]:
    """Return the result of each run's search, in order of the runs; nothing for runs in which no load held."""
    found = []
    for seen in runs:
        records = [each.record for each in seen.cases]
        each = search_of(records, seen.experiment.load) if seen.experiment.load.searches else None
        if each is not None and each.capacity_per_s is not None and each.interval is not None:
            tried = len(each.trials) + each.bracket.probed
            found.append(Searched(seen.run.run, each.capacity_per_s, each.interval, tried))
    return tuple(found)
