"""Which runs are far from the median of their treatment."""

import statistics

from headtohead.analyze.statistics.estimate import SCALED_MAD
from headtohead.analyze.statistics.over_time.residual import Residual

FAR = 5.0
"""Scaled median absolute deviations from the median: chance flags 6 % of samples of 6 normal values, 3 % of 10."""
SMALL = 0.01
"""A value within 1 % of its median is no outlier, however small the spread is."""


def far_from_median(residuals: list[Residual]) -> list[tuple[Residual, float]]:
    """Return the runs of a treatment that are far from their median, each with its distance (a log)."""
    middle = statistics.median(each.log for each in residuals)
    spread = SCALED_MAD * statistics.median(abs(each.log - middle) for each in residuals)
    away = [(each, each.log - middle) for each in residuals]
    return [(each, log) for each, log in away if abs(log) > max(FAR * spread, SMALL)]
