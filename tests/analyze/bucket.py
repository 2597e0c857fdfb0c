"""A simulated server that answers at most so many requests a second, first come first served, and its records."""

import math
from dataclasses import dataclass

import numpy as np

from benches.verdicts.queues import record
from headtohead.analyze.capacity.next_trial import next_trial
from headtohead.analyze.capacity.search_result import search_of
from headtohead.analyze.statistics.paired import Floats
from headtohead.model.analysis.estimates import Interval
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import LoadRecord, Recorded
from headtohead.model.study.trials import Trial
from headtohead.model.study.workload import Load
from tests.analyze.building import experiment

OBJECTIVE = {"response_time_p99_ns": 200_000_000.0, "error_share": 0.005}
LOAD = Load("open", {}, {"rate_per_s": "search"}, warm_up_s=1.0, measure_s=2.0, objective=OBJECTIVE)


def searching(load: Load = LOAD) -> PlannedExperiment:
    """Return an experiment whose runs search for the capacity."""
    return experiment(load=load)


@dataclass
class Bucket:
    """A server whose capacity is ``rate_per_s``, in each trial another by ``scatter`` (a standard deviation of ln)."""

    rate_per_s: float
    rng: np.random.Generator
    scatter: float = 0.0

    def serve(self, trial: Trial, *, limit_ns: float = 200e6) -> LoadRecord:
        """Return what the driver would say of the trial: Poisson arrivals, or users who each wait for their answer."""
        capacity = self.rate_per_s * math.exp(self.rng.normal(0, self.scatter))
        if trial.loop == "closed":
            waited = float(trial.case["connections"]) / capacity
            values: dict[str, float | None] = {"goodput_per_s": capacity, "response_time_p99_ns": 1e9 * waited}
            return record(trial, sent=round(capacity * trial.measure_s), values=values)
        ends = trial.warm_up_s + trial.measure_s
        count = self.rng.poisson(float(trial.case["rate_per_s"]) * ends)
        gaps = self.rng.exponential(size=count + 1).cumsum()
        arrived = ends * gaps[:-1] / gaps[-1]  # as uniform ones in order, and sooner than by sorting
        done = answered(arrived, every_s=1 / capacity)
        own = arrived >= trial.warm_up_s
        times = 1e9 * (done - arrived)[own]
        completed = int(((done >= trial.warm_up_s) & (done < ends)).sum())
        values = {
            "goodput_per_s": completed / trial.measure_s,
            "scheduled": float(own.sum()),
            "late": float((times > limit_ns).sum()),
            "concurrency_mean": float(times.sum()) / 1e9 / trial.measure_s,
        }
        return record(trial, sent=int(own.sum()), values=values)


def answered(arrived: Floats, *, every_s: float) -> Floats:
    """Return when each request is done by a server that takes ``every_s`` for each, in order of arrival."""
    place = np.arange(len(arrived))
    return np.asarray(every_s * (place + 1) + np.maximum.accumulate(arrived - every_s * place))


@dataclass(frozen=True)
class Searched:
    """What a whole search came to: the estimate, its interval, the trials it took (probe included), all records."""

    capacity_per_s: float
    interval: Interval
    trials: int
    records: tuple[LoadRecord, ...]


def search(server: Bucket, *, of: PlannedExperiment, earlier: tuple[Recorded, ...] = ()) -> Searched:
    """Walk a search against the server, as execute does."""
    treatment, records = of.treatments[0], list[LoadRecord]()
    while (trial := next_trial(of, treatment, records, earlier)) is not None:
        records.append(server.serve(trial))
    found = search_of(records, of.load)
    assert found is not None
    assert found.capacity_per_s is not None
    assert found.interval is not None
    searches = [each for each in records if "trial" in each.case]
    return Searched(found.capacity_per_s, found.interval, len(searches), tuple(records))
