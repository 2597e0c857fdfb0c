"""The result of a search for a capacity so far, from the records of its trials."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from headtohead.analyze.capacity import bayesian_bisection
from headtohead.analyze.capacity.bayesian_bisection import Bracket
from headtohead.analyze.capacity.goodput_past_capacity import is_overload, of_overload, overload_keys, overload_shares
from headtohead.analyze.capacity.objective import late_requests, passes, scheduled
from headtohead.analyze.capacity.trial_outcome import TrialOutcome
from headtohead.analyze.runs.cpu_use_by_case import RunSeen
from headtohead.model.analysis.curves import Searched
from headtohead.model.analysis.estimates import Interval, Key
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.quantiles import quantile_of
from headtohead.model.quantity import Metric
from headtohead.model.record import CaseRecord, LoadRecord, Recorded
from headtohead.model.study import trials
from headtohead.model.study.trials import calls_of, late_after_ns
from headtohead.model.study.workload import Load


@dataclass(frozen=True)
class SearchResult:
    """The result of one search so far: all rates in requests/s, the capacity None if no rate held."""

    bracket: Bracket
    trials: tuple[TrialOutcome, ...]
    capacity_per_s: float | None
    interval: Interval | None


def search_of(records: Sequence[CaseRecord], load: Load) -> SearchResult | None:
    """Return the result of a run's search; None without a probe that got responses and without a trial."""
    own = [each for each in records if isinstance(each, LoadRecord) and "trial" in each.case]
    trials = tuple(_outcome(each, load) for each in own if "rate_per_s" in each.case)
    probe = next((each for each in own if "rate_per_s" not in each.case), None)
    reached_per_s = 0.0 if probe is None else probe.values.get("goodput_per_s") or 0.0
    if probe is not None and reached_per_s > 0:
        bracket = bayesian_bisection.bracket_from_probe(reached_per_s, time_may_bind=_waited(probe, load))
    elif trials:
        bracket = bayesian_bisection.bracket_around(trials[0].rate_per_s)
    else:
        return None
    estimate = bayesian_bisection.capacity(trials, bracket=bracket)
    value, interval = (None, None) if estimate is None else estimate
    return SearchResult(bracket, trials, value, interval)


def capacity_of(recorded: Recorded, load: Load) -> float | None:
    """Return the capacity that a run found, in requests/s; None if it found none."""
    found = search_of(recorded.records, load)
    return None if found is None else found.capacity_per_s


def offered_per_s(case: Case, load: Load) -> float:
    """Return the offered load of a trial in requests/s; its case's rate counts sessions if the loop has them."""
    return float(case["rate_per_s"]) * calls_of(load)


CAPACITY = "capacity_per_s"


def search_keys(metrics: Mapping[str, Metric]) -> list[Key]:
    """Return the keys of a search: the capacity, goodput at each overload and at the worst."""
    return [key for key in (Key(WHOLE_RUN, CAPACITY), *overload_keys()) if key.metric in metrics]


def search_values(records: Sequence[CaseRecord], load: Load) -> dict[Key, float]:
    """Return a run's capacity (requests/s), and its goodput at each overload as a share of that; empty if unknown."""
    found = search_of(records, load)
    if found is None or found.capacity_per_s is None:
        return {}
    capacity = {Key(WHOLE_RUN, CAPACITY): found.capacity_per_s}
    return capacity | overload_shares(of_overload(records), load, capacity_per_s=found.capacity_per_s)


def did_not_hold(record: LoadRecord, load: Load) -> bool:
    """Return whether the record is of a search's load that did not hold: above the capacity, backlogs are expected."""
    if not load.searches or "rate_per_s" not in record.case:
        return False
    return is_overload(record) or not _outcome(record, load).holds


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
