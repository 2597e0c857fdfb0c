"""The mean of log ratios over named cases: its interval for cases like these, the skew and the tail."""

import math
from collections.abc import Sequence

import numpy as np

from headtohead.analyze.statistics.estimate import SCALED_MAD, Center, paired_center
from headtohead.analyze.statistics.paired import Floats, ratio_of, sign_flip_p, t_quantile
from headtohead.analyze.statistics.skewed_interval import EQUAL, skewness
from headtohead.model.analysis.estimates import Estimate, Interval

LEAST = 8
"""Fewer cases are no suite: D'Agostino's test of the skew needs this many."""
TAIL = 3.0
"""A case is in the tail from this many scaled MADs from the median log ratio on: 3 of 1000 normal values are."""
SKEW_ALPHA = 0.05
"""The level of D'Agostino's test at which ratios are called skewed."""
STRETCH = 12.0
"""Chosen so that lognormal cases are covered at 93 % from 8 cases on; normal ones are then covered at 97 %."""


def means(table: Floats) -> Center | None:
    """Return the mean of log ratios (a row for each case, a column for each block); None for a single block."""
    return paired_center(table.mean(axis=0)) if table.shape[1] > 1 else None


def like_these(logs: Floats, center: Center, *, alpha: float) -> Interval:
    """Return the interval of the mean of cases like these, from the log ratio of each case and the mean over the runs.

    If the runs agree, it is the t interval over the K cases with K - 1 degrees of freedom. An effect of a run on all of
    its cases moves their mean and not their spread. So the variance of the mean between runs is added to that between
    cases, with the degrees of freedom of Welch and Satterthwaite. The side of a long tail is stretched by ``STRETCH``
    times the skewness over K: a few cases rarely include one far out, and then both mean and spread are too small.

    Assumes:    two or more cases, drawn independently; all finite.
    Invariant:  adding a constant to all moves it; turning all signs turns it; it holds the interval for these cases.
    Reference:  METHOD.md 3.5; docs/adr/0010 and 0023; calibrated in tests/analyze/test_suite_calibration.py.
    """
    between = float(logs.var(ddof=1)) / len(logs)
    both = between + center.variance
    half = center.half_width(alpha=alpha)
    below = above = half
    if both > 0:
        df = both**2 / (between**2 / (len(logs) - 1) + center.variance**2 / center.df)
        wide = t_quantile(1 - alpha / 2, df) * math.sqrt(both)
        stretch = STRETCH * float(skewness(logs)) / len(logs)
        below, above = (max(half, wide * (1 + max(0.0, side * stretch))) for side in (-1, 1))
    return Interval(ratio_of(center.value - below), ratio_of(center.value + above), 1 - alpha)


def unlike_others_p(table: Floats) -> list[float]:
    """Return for each case the sign-flip p, over blocks, that its log ratio is the mean of the others'.

    The table has a row for each case and a column for each block. What a block does to all cases cancels.

    Assumes:    two or more cases; the order of treatments was drawn for each block.
    Invariant:  a factor on all ratios of a block changes nothing; nor does a common effect.
    Reference:  METHOD.md 3.2.
    """
    return [sign_flip_p(row) for row in table - table.mean(axis=0)]


def skew(logs: Floats) -> tuple[float | None, float | None]:
    """Return the skewness of log ratios and the p of D'Agostino's test of it; None if all are equal.

    Assumes:    eight or more values.
    Invariant:  turning their signs turns its sign and leaves p; adding a constant leaves both.
    Reference:  D'Agostino (1970), Biometrika 57.
    """
    if float(logs.std()) < EQUAL:
        return None, None
    from scipy import stats  # noqa: PLC0415  importing it takes longer than most commands

    return float(stats.skew(logs)), float(stats.skewtest(logs).pvalue)


def tail(logs: Floats, alone: Sequence[Estimate]) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Return which cases are in the tail: three scaled MADs or more from the median, and their interval excludes it.

    The second condition keeps merely noisy cases out. If half of the cases are equal, none is in the tail.
    """
    middle = float(np.median(logs))
    mad = SCALED_MAD * float(np.median(np.abs(logs - middle)))
    far = np.abs(logs - middle) >= TAIL * mad if mad > EQUAL else np.zeros(len(logs), dtype=np.bool_)
    ends = [each.interval for each in alone]
    sure = [end is None or ratio_of(middle) < end.low or ratio_of(middle) > end.high for end in ends]
    return np.asarray(far & np.asarray(sure, dtype=np.bool_))


def is_skewed(p: float | None) -> bool:
    """Return whether ratios are called skewed at this p of D'Agostino's test."""
    return p is not None and p < SKEW_ALPHA
