"""The search for a capacity by Bayesian bisection: from outcomes of trials to the next rate or the estimate.

The posterior over the capacity is summed over the ways in which trials may scatter, which are not known beforehand
(likelihood_of_trial.py). Rates are requests/s.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from headtohead.analyze.capacity.likelihood_of_trial import STEP, grid, log_of_trial, log_prior
from headtohead.analyze.capacity.trial_outcome import TrialOutcome
from headtohead.analyze.statistics.estimate import CONFIDENCE
from headtohead.analyze.statistics.paired import Floats
from headtohead.model.analysis.estimates import Interval

MOST = 15
"""The most trials of one search, including a closed-loop probe."""

WIDTH = 0.10
"""A search ends when its credible interval is as narrow as this, as a difference of logarithms."""

OUTSIDE = 0.05
"""Outside the bracket the prior falls by e each 5 %: a search can leave the bracket, and the result is not widened."""

NEAR = 1.1
"""A first failure this close to the low end of the bracket means that the bracket is wrong."""

FIRST = 0.7
"""Quantile of the bracket tried first after a probe: a server's capacity is near what saturates it."""

HALVINGS = 5
"""The most halvings: below 1/64 of the saturating rate a search ends."""

UNSTABLE = 1.1
"""A trial that holds at this many times a rate that failed twice is not scatter."""

_BELOW, _ABOVE = 1.0, 0.6


@dataclass(frozen=True)
class Bracket:
    """Where a search starts. ``low`` is assumed to hold; if ``doubtful``, it is tried, and halved until it holds.

    ``probed`` if it comes from a closed-loop probe, which is one of the trials.
    """

    low: float
    high: float
    doubtful: bool = False
    probed: bool = False


@dataclass(frozen=True)
class Posterior:
    """The posterior of the capacity: the probability up to each point of a grid over ln rate."""

    logs: Floats
    shares: Floats

    def rate_per_s(self, share: float) -> float:
        """Return the quantile of the capacity at that share."""
        return math.exp(float(np.interp(share, self.shares, self.logs)))

    @property
    def interval(self) -> Interval:
        """Return the credible interval, with equal probability beyond either end."""
        beyond = (1 - CONFIDENCE) / 2
        return Interval(self.rate_per_s(beyond), self.rate_per_s(1 - beyond), CONFIDENCE)


def bracket_from_probe(rate_per_s: float, *, time_may_bind: bool) -> Bracket:
    """Return the bracket of a first search: 0.5 to 1.05 of the rate that a closed loop reached at saturation.

    If users waited longer than the objective allows, even half of that may be too much, so it is tried first.
    """
    return Bracket(0.5 * rate_per_s, 1.05 * rate_per_s, doubtful=time_may_bind, probed=True)


def bracket_around(first_per_s: float) -> Bracket:
    """Return the bracket of a later search: +-20 % around its first rate."""
    return Bracket(first_per_s / 1.2, first_per_s * 1.2)


def next_rate(trials: Sequence[TrialOutcome], *, bracket: Bracket) -> float | None:
    """Return the rate to try next, None if the capacity is known well enough or the trials are used up.

    Deterministic: the same outcomes lead to the same rate. Rates have four significant digits.
    """
    if len(trials) + bracket.probed >= MOST:
        return None
    if bracket.doubtful and not any(each.holds for each in trials):
        return None if len(trials) > HALVINGS else rounded(bracket.low * 0.5 ** len(trials))
    if not trials and not bracket.probed:
        return rounded(math.sqrt(bracket.low * bracket.high))
    belief = posterior(trials, bracket=bracket)
    ends = belief.interval
    if math.log(ends.high / ends.low) <= WIDTH:
        return None
    return rounded(belief.rate_per_s(0.5 if trials else FIRST))


def capacity(trials: Sequence[TrialOutcome], *, bracket: Bracket) -> tuple[float, Interval] | None:
    """Return the capacity and its credible interval, None if no trial held."""
    if not any(each.holds for each in trials):
        return None
    belief = posterior(trials, bracket=bracket)
    return belief.rate_per_s(0.5), belief.interval


def posterior(trials: Sequence[TrialOutcome], *, bracket: Bracket) -> Posterior:
    """Return the posterior of the capacity after these trials, from a prior that is flat over the bracket."""
    return _posterior(tuple(trials), bracket)


@lru_cache(maxsize=16)
def _posterior(trials: tuple[TrialOutcome, ...], bracket: Bracket) -> Posterior:
    ends = _ends(trials, bracket)
    low = ends[0] - _BELOW
    count = math.ceil((ends[1] + _ABOVE - low) / STEP)
    logs = grid(low, count)
    log_belief = log_prior() - np.maximum(0.0, np.maximum(ends[0] - logs, logs - ends[1])) / OUTSIDE
    for trial in trials:
        log_belief = log_belief + log_of_trial(trial, low, count)
    belief = np.exp(log_belief - log_belief.max()).sum(axis=(0, 1, 2))
    shares = np.cumsum(belief)
    return Posterior(logs, np.asarray(shares / shares[-1]))


def unstable(trials: Sequence[TrialOutcome]) -> Interval | None:
    """Return the region in which outcomes do not follow the rate: the objective held well above two failures.

    It is from the second lowest rate that failed to the highest that held; None if outcomes follow the rate.
    """
    failed = sorted(each.rate_per_s for each in trials if not each.holds)
    held = max((each.rate_per_s for each in trials if each.holds), default=0.0)
    if len(failed) < 2 or held < UNSTABLE * failed[1]:
        return None
    return Interval(failed[1], held, CONFIDENCE)


def rounded(rate_per_s: float) -> float:
    """Return the rate with four significant digits, as in plans, records and tables.

    >>> rounded(812.4567), rounded(12345.6)
    (812.5, 12350.0)
    """
    return float(f"{rate_per_s:.3e}")


def _ends(trials: Sequence[TrialOutcome], bracket: Bracket) -> tuple[float, float]:
    """Return the bracket as logarithms, wider if all trials point beyond it: half as low, or 1.5 times as high."""
    rates = [each.rate_per_s for each in trials]
    low, high = min([bracket.low, *rates]), max([bracket.high, *rates])
    if trials and not any(each.holds for each in trials) and min(rates) < NEAR * bracket.low:
        low = min(rates) / 2
    if trials and all(each.holds for each in trials) and max(rates) >= bracket.high:
        high = max(rates) * 1.5
    return math.log(low), math.log(high)
