"""Estimates over the runs of a treatment, each with its interval."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from headtohead.analyze.statistics.paired import Floats, center_and_half_width, ratio_of, t_quantile
from headtohead.model.analysis.estimates import Estimate, Interval

CONFIDENCE = 0.95

SCALED_MAD = 1.4826
"""The median absolute deviation of normal values times this is their standard deviation."""


def geometric(values: Sequence[float], *, alpha: float = 1 - CONFIDENCE) -> Estimate | None:
    """Return the geometric mean with a t interval on the logarithms; None for no values.

    If a value is not positive there is no geometric mean: then it is the arithmetic mean with its t interval.
    """
    if not values:
        return None
    if len(values) == 1:
        return Estimate(value=float(values[0]), interval=None, n=1)
    if min(values) > 0:
        return of_logs(np.log(np.asarray(values, dtype=np.float64)), alpha=alpha)
    return _estimate(np.asarray(values, dtype=np.float64), alpha=alpha, back=float)


def of_logs(logs: Floats, *, alpha: float) -> Estimate:
    """Return the geometric mean of one or more logarithms (for log ratios: the ratio), with its interval."""
    return _estimate(logs, alpha=alpha, back=ratio_of)


def reaching(logs: Floats, reach: float, *, alpha: float) -> Estimate:
    """Return the mean ratio of two or more log ratios, its interval ``reach`` standard errors to either side.

    ``alpha`` is the error that all intervals with this reach share.
    """
    center, half = float(logs.mean()), reach * float(logs.std(ddof=1)) / math.sqrt(len(logs))
    return Estimate(value=ratio_of(center), interval=around(center, half, alpha=alpha), n=len(logs))


def _estimate(values: Floats, *, alpha: float, back: Callable[[float], float]) -> Estimate:
    if len(values) == 1:
        return Estimate(value=back(float(values[0])), interval=None, n=1)
    center, half = (float(each) for each in center_and_half_width(values, alpha=alpha))
    interval = Interval(low=back(center - half), high=back(center + half), confidence=1 - alpha)
    return Estimate(value=back(center), interval=interval, n=len(values))


def typical_error(values: Sequence[float]) -> float | None:
    """Return the coefficient of variation (standard deviation over mean) of values; None below two, or of mean 0."""
    if len(values) < 2:
        return None
    table = np.asarray(values, dtype=np.float64)
    mean = float(table.mean())
    return float(table.std(ddof=1)) / mean if mean > 0 else None


@dataclass(frozen=True)
class Center:
    """A mean of logarithms, the variance of that mean, and its degrees of freedom."""

    value: float
    variance: float
    df: float
    n: int

    def half_width(self, *, alpha: float) -> float:
        """Return the half-width of the t interval at 1 - alpha."""
        return t_quantile(1 - alpha / 2, self.df) * math.sqrt(self.variance)

    def estimate(self, *, alpha: float) -> Estimate:
        """Return the geometric mean, with the t interval."""
        half = self.half_width(alpha=alpha)
        return Estimate(value=ratio_of(self.value), interval=around(self.value, half, alpha=alpha), n=self.n)


def around(center: float, half: float, *, alpha: float) -> Interval:
    """Return the interval of a ratio from the center and the half-width of its logarithm."""
    return Interval(low=ratio_of(center - half), high=ratio_of(center + half), confidence=1 - alpha)


def paired_center(logs: Floats) -> Center:
    """Return the mean of two or more log ratios of blocks."""
    n = len(logs)
    return Center(value=float(logs.mean()), variance=float(logs.var(ddof=1)) / n, df=n - 1, n=n)


def welch_center(a: Floats, b: Floats, *, among: int = 1) -> Center:
    """Return the mean of the logarithms b less that of a, for two or more independent runs each, with Welch's variance.

    Its degrees of freedom are Satterthwaite's. If ``among`` several intervals share one error, they are those of the
    smaller sample: that far out Satterthwaite's are too many (tests/analyze/test_power.py).
    """
    shares = [float(each.var(ddof=1)) / len(each) for each in (a, b)]
    spread = sum(shares)
    pairs = zip(shares, (a, b), strict=True)
    df = spread**2 / sum(share**2 / (len(each) - 1) for share, each in pairs) if spread > 0 else len(a) + len(b) - 2
    if among > 1:
        df = min(len(a), len(b)) - 1
    return Center(value=float(b.mean() - a.mean()), variance=spread, df=df, n=len(a) + len(b))


def over(amount: float, estimate: Estimate) -> Estimate | None:
    """Return an amount over an estimate, with the interval inverted; None if that reaches 0."""
    ends = estimate.interval
    if min(estimate.value, ends.low if ends else estimate.value) <= 0:
        return None
    turned = Interval(amount / ends.high, amount / ends.low, ends.confidence) if ends else None
    return Estimate(amount / estimate.value, turned, estimate.n)


def scaled(estimate: Estimate | None, factor: float | None) -> Estimate | None:
    """Return an estimate times a factor of at least 0; None if either is None."""
    if estimate is None or factor is None:
        return None
    ends = estimate.interval
    interval = Interval(ends.low * factor, ends.high * factor, ends.confidence) if ends else None
    return Estimate(estimate.value * factor, interval, estimate.n)
