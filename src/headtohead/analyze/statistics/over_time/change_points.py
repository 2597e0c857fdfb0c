"""Where a series of ratios changes its level: the ends of its segments, by penalized least squares."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from headtohead.analyze.statistics.paired import Floats

FEWEST_POINTS: Final = 12
"""Fewer points do not show how much a series varies without a change."""
FEWEST_OF_A_LEVEL: Final = 3
PENALTY: Final = 13.0
"""What another segment has to explain, in variances: 1 % of 100 points without a change then have one (ADR 57)."""
LEAST_LOG: Final = math.log(1.01)
MOST_CORRELATED: Final = 0.8
ROUNDED: Final = 1e-9
"""Less than this is left of segments without noise by rounding alone, in variances; its correlation means nothing."""


def change_points(logs: Sequence[float], *, least: float = LEAST_LOG) -> tuple[int, ...]:
    """Return the places at which a new level begins, each at least ``least`` (a log) away from the one before it.

    The variance is that of differences from point to point, which a few changes do not enlarge. What is left of
    correlation inside the segments raises the penalty, as neighbors that are alike look like a level.
    """
    values = np.asarray(logs, dtype=np.float64)
    steps = np.diff(values)
    if len(values) < FEWEST_POINTS or not np.any(steps):
        return ()
    scaled = values / (float(np.std(steps, ddof=1)) / math.sqrt(2))
    places = _ends(scaled, penalty=PENALTY)
    if places:
        alike = min(max(0.0, _correlation(scaled, places)), MOST_CORRELATED)
        places = _ends(scaled, penalty=PENALTY * (1 + alike) / (1 - alike) ** 2)
    return _far_apart(values, places, least=least)


def _ends(values: Floats, *, penalty: float) -> list[int]:
    """Return the ends of all segments but the last."""
    import ruptures  # noqa: PLC0415  # of all commands history alone needs it, and its import takes half a second

    algorithm = ruptures.KernelCPD(kernel="linear", min_size=FEWEST_OF_A_LEVEL)
    found: list[int] = algorithm.fit(values.reshape(-1, 1)).predict(pen=penalty)
    return found[:-1]


def _correlation(values: Floats, places: Sequence[int]) -> float:
    """Return the correlation of neighbors, after each segment's mean is taken off."""
    rest = np.concatenate([part - part.mean() for part in np.split(values, list(places))])
    total = float(rest @ rest)
    return float(rest[1:] @ rest[:-1]) / total if total > ROUNDED else 0.0


def _far_apart(values: Floats, places: Sequence[int], *, least: float) -> tuple[int, ...]:
    """Return the places without those whose two levels are closer than ``least``, the closest one taken out first."""
    kept = list(places)
    while kept:
        means = [float(part.mean()) for part in np.split(values, kept)]
        apart = [abs(after - before) for before, after in pairwise(means)]
        nearest = min(range(len(apart)), key=apart.__getitem__)
        if apart[nearest] >= least:
            break
        del kept[nearest]
    return tuple(kept)
