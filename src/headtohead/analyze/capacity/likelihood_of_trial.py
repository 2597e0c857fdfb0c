"""How likely the outcome of a trial is, for each capacity on a grid and for each way in which trials may scatter.

A trial at rate r holds or not. Its chance to hold is modeled as a normal curve over ln r with the capacity as its
middle, and a small share of accidents at any rate (probit-Bayes bisection, METHOD.md 4.4). If its late requests were
counted, their number is more than whether it held, and takes its place (docs/adr/0027).
"""

import math
from functools import lru_cache

import numpy as np

from headtohead.analyze.capacity.likelihood_of_late_requests import GROUPS, SLOPES, log_likelihood, unsettled
from headtohead.analyze.capacity.trial_outcome import LateRequests, TrialOutcome
from headtohead.analyze.statistics.paired import Floats

SCATTER = ((0.01, 1.0), (0.02, 1.0), (0.03, 1.0), (0.06, 6.0))
"""Standard deviations of ln capacity between trials of one run, and the prior weight of each.

A search that believes too soon that its trials scatter little ends too soon: with the largest weighted twice, the
interval held the capacity in 90 % of the searches whose trials scatter by 5 % (docs/adr/0027).
"""

COUNTING = 1.4
"""Variance of ln rate that the Poisson arrivals of one request add: fits the simulated trials of bisection's tests."""

LAPSE = 0.01
"""Share of trials that hold or fail by accident, at any rate."""

STEP = 0.004
"""The distance of two capacities on the grid (a log)."""

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(5)


def grid(low: float, count: int) -> Floats:
    """Return this many capacities from ``low`` on (logarithms)."""
    return np.asarray(low + STEP * np.arange(count), dtype=np.float64)


def log_prior() -> Floats:
    """Return the logarithm of the prior weight by scatter, slope and group, with a last axis for the capacity."""
    weights = np.ones((len(SCATTER), len(SLOPES), len(GROUPS), 1))
    weights *= np.asarray([each for _, each in SCATTER]).reshape(-1, 1, 1, 1)
    weights *= np.asarray([each for _, each in GROUPS]).reshape(1, 1, -1, 1)
    return np.asarray(np.log(weights))


@lru_cache(maxsize=64)
def log_of_trial(trial: TrialOutcome, low: float, count: int) -> Floats:
    """Return the log-likelihood of a trial by scatter, slope, group and capacity.

    The grid has ``count`` capacities from ``low`` on (a log). Axes along which a trial does not depend have length 1.
    """
    if trial.late is not None:
        return _of_late(trial, trial.late, low, count)
    above = np.asarray(math.log(trial.rate_per_s) - grid(low, count))
    holds = [LAPSE + (1 - 2 * LAPSE) * _normal(np.asarray(-above / each)) for each in _spreads(trial)]
    logs = np.log([each if trial.holds else 1 - each for each in holds])
    return np.asarray(logs)[:, np.newaxis, np.newaxis, :]


def _of_late(trial: TrialOutcome, late: LateRequests, low: float, count: int) -> Floats:
    """Return the log-likelihood of the late requests, averaged over where the capacity was in this trial."""
    early = unsettled(late, rate_per_s=trial.rate_per_s)
    spreads = [math.hypot(each, early / math.sqrt(12)) for each in _spreads(trial)]
    beyond = math.ceil(float(_NODES[-1]) * max(spreads) / STEP) + 1
    logs = grid(low - beyond * STEP, count + 2 * beyond)
    exact = np.exp(log_likelihood(late, np.asarray(math.log(trial.rate_per_s) - early / 2 - logs)))
    likelihood = np.full((len(spreads), *exact.shape[:2], count), LAPSE / (late.of + 1))
    for place, spread in enumerate(spreads):
        for node, weight in zip(_NODES, _WEIGHTS / _WEIGHTS.sum(), strict=True):
            at = beyond + round(float(node) * spread / STEP)
            likelihood[place] += (1 - LAPSE) * weight * exact[:, :, at : at + count]
    return np.asarray(np.log(likelihood))


def _spreads(trial: TrialOutcome) -> list[float]:
    return [math.sqrt(scatter**2 + COUNTING / max(1.0, trial.requests)) for scatter, _ in SCATTER]


def _normal(values: Floats) -> Floats:
    """Return the normal distribution function at each value, from a table, within 1e-7."""
    points, shares = _table()
    return np.asarray(np.interp(values, points, shares))


@lru_cache(maxsize=1)
def _table() -> tuple[Floats, Floats]:
    points = np.linspace(-8.0, 8.0, 16_001)
    return points, np.asarray([0.5 * math.erfc(-each / math.sqrt(2)) for each in points])
