"""Which runs are far from the median of their treatment, one by one or as the smaller of two groups."""

import math
import statistics
from collections.abc import Mapping

from headtohead.analyze.statistics.between_runs.two_groups import two_groups
from headtohead.analyze.statistics.error_of_checks import ENOUGH
from headtohead.analyze.statistics.estimate import SCALED_MAD

FAR = 5.0
"""Scaled median absolute deviations from the median: chance flags 6 % of samples of 6 normal values, 3 % of 10."""
SMALL = 0.01
"""A value within 1 % of its median is no outlier, however small the spread is."""
FEW = 1 / 3
"""The share of runs that the smaller of two groups has, at most, to be the odd one."""


def far_from_median(values: Mapping[int, float]) -> dict[int, float]:
    """Return the blocks whose value is far from the median of all, each with its distance (a log).

    If values fall in two groups, all of a group of at most ``FEW`` of them are far. ``values`` are those of one
    treatment, positive, by block. Too few values have no outlier.
    """
    if len(values) < ENOUGH:
        return {}
    logs = {block: math.log(value) for block, value in values.items()}
    middle = statistics.median(logs.values())
    spread = SCALED_MAD * statistics.median(abs(each - middle) for each in logs.values())
    away = {block: log - middle for block, log in logs.items()}
    upper = two_groups(logs)
    lower = [block for block in logs if block not in upper] if upper else []
    apart = {block for group in (upper, lower) if len(group) <= FEW * len(logs) for block in group}
    return {block: log for block, log in away.items() if block in apart or abs(log) > max(FAR * spread, SMALL)}
