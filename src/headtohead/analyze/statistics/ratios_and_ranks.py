"""How several systems compare in one test: values, ratios to a baseline, and the ranks that their intervals allow.

Unpaired, because runs of different machines cannot be interleaved: Welch's t on the logarithms of the runs. All systems
are computed at once, so that ten thousand take less than a second.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from headtohead.analyze.statistics.paired import Floats, t_quantile
from headtohead.model.quantity import Better

Ints = NDArray[np.int64]

LEAST_UNEQUAL = 4
"""Samples of different sizes have Satterthwaite's degrees of freedom from this size on."""


@dataclass(frozen=True)
class LogMeans:
    """The mean logarithm of the runs of each of several systems, with its variance: one entry for each system.

    ``n`` counts runs, ``center`` is their mean logarithm, ``variance`` that of this mean (NaN for one run), ``df`` its
    degrees of freedom. A system with a value that is not positive has NaN for all but ``n``.
    """

    n: Ints
    center: Floats
    variance: Floats
    df: Floats

    def half_widths(self, *, alpha: float) -> Floats:
        """Return the half-width of each t interval at 1 - alpha; NaN where there is none."""
        return t_quantiles(1 - alpha / 2, self.df) * np.sqrt(self.variance)


def log_means(samples: Sequence[Sequence[float]]) -> LogMeans:
    """Return the mean logarithm of each sample, with its variance.

    Assumes:    each sample holds at least one value; all values finite.
    """
    n = np.fromiter(map(len, samples), dtype=np.int64, count=len(samples))
    values = np.fromiter(chain.from_iterable(samples), dtype=np.float64, count=int(n.sum()))
    starts = np.concatenate([[0], np.cumsum(n)[:-1]])
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(values)
        logs[~np.isfinite(logs)] = np.nan
        center = np.add.reduceat(logs, starts) / n
        squares = np.add.reduceat((logs - np.repeat(center, n)) ** 2, starts)
        variance = squares / (n - 1) / n
    variance[n < 2] = np.nan
    df = np.where(np.isfinite(variance), n - 1.0, np.nan)
    return LogMeans(n=n, center=center, variance=variance, df=df)


def against(logs: LogMeans, place: int, *, among: int = 1) -> LogMeans:
    """Return the log ratio of every system to the one at ``place``, see ``ratios_to``; its own has no meaning."""
    return ratios_to(logs, _all_alike(logs, place), among=among)


def ratios_to(logs: LogMeans, base: LogMeans, *, among: int = 1) -> LogMeans:
    """Return the log ratios of two series of systems, entry by entry, with Welch's variance and degrees of freedom.

    ``n`` counts the runs of both. The degrees of freedom are those of the smaller sample if ``among`` several ratios
    share one error, or if the samples differ in size and the smaller has fewer than 4 values: there Satterthwaite's
    are too many if one system varies more than the other (tests/analyze/test_power.py, test_sessions.py).
    """
    ratios = summed([logs, base], signs=(1.0, -1.0))
    fewest = np.minimum(logs.df, base.df)
    return replace(ratios, df=np.where(_too_few(logs.df, base.df), fewest, ratios.df) if among == 1 else fewest)


def _too_few(one: Floats, other: Floats) -> NDArray[np.bool_]:
    return np.asarray((one != other) & (np.minimum(one, other) < LEAST_UNEQUAL - 1))


def summed(parts: Sequence[LogMeans], *, signs: Sequence[float]) -> LogMeans:
    """Return sums of independent means, entry by entry; degrees of freedom by Welch and Satterthwaite.

    If no part has any variance, the degrees of freedom are those of all runs together.
    """
    variances = np.stack([each.variance for each in parts])
    freedoms = np.stack([each.df for each in parts])
    spread = variances.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        df = spread**2 / (variances**2 / freedoms).sum(axis=0)
    return LogMeans(
        n=np.sum([each.n for each in parts], axis=0),
        center=np.sum([sign * each.center for sign, each in zip(signs, parts, strict=True)], axis=0),
        variance=spread,
        df=np.where(spread > 0, df, freedoms.sum(axis=0)),
    )


def mean_of(parts: Sequence[LogMeans], *, signs: Sequence[float]) -> LogMeans:
    """Return the means of several tables' logarithms, entry by entry: the logarithms of geometric means."""
    total = summed(parts, signs=signs)
    return LogMeans(total.n, total.center / len(parts), total.variance / len(parts) ** 2, total.df)


def t_quantiles(probability: float, df: Floats) -> Floats:
    """Return Student's quantile for each number of degrees of freedom; NaN for NaN."""
    each, back = np.unique(df, return_inverse=True)
    if len(each) > len(df) // 2:
        from scipy.special import stdtrit  # noqa: PLC0415  importing scipy takes longer than most commands

        return np.asarray(stdtrit(df, probability), dtype=np.float64)
    quantiles = [t_quantile(probability, float(one)) if np.isfinite(one) else np.nan for one in each]
    return np.asarray(quantiles, dtype=np.float64)[back]


def ranks_of(low: Floats, high: Floats, *, better: Better) -> list[tuple[int, int] | None]:
    """Return the first and the last rank that the intervals allow each system; None if it has no interval.

    The first rank is one more than the number of systems whose whole interval is better. The last is the number of
    ranked systems less those whose whole interval is worse. So two systems with overlapping intervals share a rank, and
    systems of one rank each are in order.

    Assumes:    the intervals hold together at the level that the ranks are to hold at.

    >>> ranks_of(np.array([9.0, 9.5, 12.0]), np.array([10.0, 11.0, 13.0]), better="higher")
    [(2, 3), (2, 3), (1, 1)]
    """
    if better == "neither":
        return [None] * len(low)
    worst, best = (low, high) if better == "higher" else (-high, -low)
    ranked = np.isfinite(worst) & np.isfinite(best)
    count = int(ranked.sum())
    above = count - np.searchsorted(np.sort(worst[ranked]), best, side="right")
    below = np.searchsorted(np.sort(best[ranked]), worst, side="left")
    ends = zip((above + 1).tolist(), (count - below).tolist(), ranked.tolist(), strict=True)
    return [(first, last) if known else None for first, last, known in ends]


def _all_alike(logs: LogMeans, place: int) -> LogMeans:
    shape = logs.n.shape
    return LogMeans(
        n=np.full(shape, logs.n[place]),
        center=np.full(shape, logs.center[place]),
        variance=np.full(shape, logs.variance[place]),
        df=np.full(shape, logs.df[place]),
    )
