"""Servers with a queue, and a limit on their p99: does the interval of one search hold the true capacity?

A server answers one request after another. Its limit is the p99 of a long simulation at a known utilization, so the
capacity is known: the mean rate at which it serves, times that utilization. A token bucket is the fixed service.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benches.bench_search import planned
from headtohead.analyze.capacity.next_trial import next_trial
from headtohead.analyze.capacity.search_result import search_of
from headtohead.model.record import LoadRecord
from headtohead.model.study.trials import Trial

Floats = NDArray[np.float64]
Service = Callable[[np.random.Generator, int], Floats]
"""Service times of consecutive requests, with a mean of 1."""

HEAVY = 1.0
"""The shape of the lognormal service times: their squared coefficient of variation is e - 1 = 1.7."""
PAUSE_EVERY, PAUSE = 400, 20.0
"""A server that collects garbage stops after this many requests, for this many service times."""


def markovian(chance: np.random.Generator, count: int) -> Floats:
    """Return exponential service times (M/M/1)."""
    return chance.standard_exponential(count)


def fixed(chance: np.random.Generator, count: int) -> Floats:  # noqa: ARG001  a service draws
    """Return equal service times (M/D/1)."""
    return np.ones(count)


def heavy_tailed(chance: np.random.Generator, count: int) -> Floats:
    """Return lognormal service times (M/G/1)."""
    return np.exp(HEAVY * chance.standard_normal(count) - HEAVY**2 / 2)


def collecting(chance: np.random.Generator, count: int) -> Floats:
    """Return exponential service times with a pause after every 400 requests."""
    times = chance.standard_exponential(count)
    times[chance.integers(PAUSE_EVERY) :: PAUSE_EVERY] += PAUSE
    return np.asarray(times / (1 + PAUSE / PAUSE_EVERY))


SERVERS: dict[str, tuple[Service, dict[float, float]]] = {
    "M/M/1": (markovian, {0.5: 9.19, 0.8: 22.92, 0.95: 90.3}),
    "M/D/1": (fixed, {0.5: 4.33, 0.8: 11.33, 0.95: 45.29}),
    "M/G/1, lognormal": (heavy_tailed, {0.5: 15.23, 0.8: 35.51, 0.95: 126.1}),
    "garbage collector": (collecting, {0.5: 19.36, 0.8: 30.38, 0.95: 90.5}),
}
"""The servers, and the p99 of the response time at each utilization, in service times (``late_after``)."""


def responded(arrived: Floats, service: Floats) -> Floats:
    """Return when each request is done, in order of arrival."""
    total = np.cumsum(service)
    return np.asarray(total + np.maximum.accumulate(arrived - total + service))


def late_after(service: Service, utilization: float, *, size: int = 16_000_000, seed: int = 1) -> float:
    """Return the p99 of the response time at this utilization, in service times, by a long simulation."""
    chance = np.random.default_rng(seed)
    arrived = np.cumsum(chance.standard_exponential(size)) / utilization
    times = responded(arrived, service(chance, size)) - arrived
    return float(np.quantile(times[size // 20 :], 0.99))


@dataclass
class Queue:
    """A server that serves ``rate_per_s`` on average, and counts requests as late after ``limit_s``."""

    service: Service
    rate_per_s: float
    limit_s: float
    rng: np.random.Generator

    def serve(self, trial: Trial) -> LoadRecord:
        """Return what the driver would record: Poisson arrivals, or users who wait for their responses."""
        if trial.loop == "closed":
            return self._saturated(trial)
        ends = trial.warm_up_s + trial.measure_s
        count = self.rng.poisson(float(trial.case["rate_per_s"]) * ends)
        arrived = np.sort(self.rng.uniform(0, ends, count))
        done = responded(arrived, self.service(self.rng, count) / self.rate_per_s)
        own = arrived >= trial.warm_up_s
        times = (done - arrived)[own]
        completed = int(((done >= trial.warm_up_s) & (done < ends)).sum())
        values: dict[str, float | None] = {
            "goodput_per_s": completed / trial.measure_s,
            "scheduled": float(own.sum()),
            "late": float((times > self.limit_s).sum()),
            "concurrency_mean": float(times.sum()) / trial.measure_s,
        }
        return record(trial, sent=int(own.sum()), values=values)

    def _saturated(self, trial: Trial) -> LoadRecord:
        users, busy = int(trial.case["connections"]), self.rate_per_s * trial.measure_s
        work = np.cumsum(self.service(self.rng, int(2 * busy) + users)) / self.rate_per_s
        done = int(np.searchsorted(work, trial.measure_s))
        waited = float(np.quantile((work[users:] - work[:-users])[: max(done, 1)], 0.99))
        values: dict[str, float | None] = {
            "goodput_per_s": done / trial.measure_s,
            "response_time_p99_ns": 1e9 * waited,
        }
        return record(trial, sent=done, values=values)


def record(trial: Trial, *, sent: int, values: dict[str, float | None]) -> LoadRecord:
    """Return a record of the trial without errors."""
    elapsed = round(trial.measure_s * 1e9)
    return LoadRecord("local", trial.case, trial.loop, elapsed, 0, elapsed, sent, sent, {}, values)


@dataclass(frozen=True)
class Found:
    """What many searches found: the share that covers, mean error (a log), trials, and width (a log)."""

    covered: float
    bias: float
    trials: float
    width: float


def searched(name: str, utilization: float, *, size: int, seed: int, rate_per_s: float = 1000.0) -> Found:
    """Return what many searches of a server found whose limit is its p99 at this utilization."""
    service, limits = SERVERS[name]
    limit_s, true_per_s = limits[utilization] / rate_per_s, utilization * rate_per_s
    of = planned({"response_time_p99_ns": 1e9 * limit_s, "error_share": 0.005})
    errors, held, trials, widths = [], 0, [], []
    for number in range(size):
        server = Queue(service, rate_per_s, limit_s, np.random.default_rng([seed, number]))
        records = list[LoadRecord]()
        while (trial := next_trial(of, of.treatments[0], records, [])) is not None and trial.drains:
            records.append(server.serve(trial))
        found = search_of(records, of.load)
        trials.append(len(records))
        if found is None or found.capacity_per_s is None or found.interval is None:
            continue
        errors.append(math.log(found.capacity_per_s / true_per_s))
        held += found.interval.low <= true_per_s <= found.interval.high
        widths.append(math.log(found.interval.high / found.interval.low))
    return Found(held / size, float(np.mean(errors)), float(np.mean(trials)), float(np.median(widths)))
