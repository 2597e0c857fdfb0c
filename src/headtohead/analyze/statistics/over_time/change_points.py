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
SOON: Final = 5
"""A step is found soon if the points of its new level are no more than these."""
IN_9_OF_10: Final = 1.65
"""Above the quantile of the normal distribution at 0.9, 1.28: the place that is found must be that of the step too."""
FEW: Final = 3.5
"""Few points show their own spread badly: with 12 a third more is needed (ADR 57)."""
ROUNDED: Final = 1e-9
"""Less than this is left of segments without noise by rounding alone, in variances; its correlation means nothing."""


def change_points(logs: Sequence[float], *, least: float = LEAST_LOG) -> tuple[int, ...]:
    """Return the places at which a new level begins, each at least ``least`` (a log) away from the one before it.

    The variance is that of differences from point to point, which a few changes do not enlarge. What is left of
    correlation inside the segments raises the penalty, as neighbors that are alike look like a level.
    """
    values = np.asarray(logs, dtype=np.float64)
    spread = _spread(values)
    if not spread:
        return ()
    places = _ends(values / spread, penalty=PENALTY)
    if places:
        places = _ends(values / spread, penalty=_raised(values / spread, places))
    return _far_apart(values, places, least=least)


def step_found_soon(logs: Sequence[float], *, least: float = LEAST_LOG) -> float | None:
    """Return the step (a log) that 9 of 10 series like this one show when ``SOON`` points have the new level.

    None if the points are too few to show how much they vary, or do not vary. Means of ``SOON`` and of all other points
    differ by the step, with an error of ``spread`` for each point; what that explains has to exceed the penalty.
    """
    values = np.asarray(logs, dtype=np.float64)
    spread = _spread(values)
    if not spread:
        return None
    penalty = _raised(values / spread, _ends(values / spread, penalty=PENALTY))
    error = spread * math.sqrt(1 / SOON + 1 / len(values))
    return max(least, error * (math.sqrt(penalty) + IN_9_OF_10 * (1 + FEW / len(values))))


def _spread(values: Floats) -> float:
    """Return the standard deviation without changes; 0 if the points are too few for it."""
    steps = np.diff(values)
    if len(values) < FEWEST_POINTS or not np.any(steps):
        return 0.0
    return float(np.std(steps, ddof=1)) / math.sqrt(2)


def _raised(scaled: Floats, places: Sequence[int]) -> float:
    """Return the penalty, raised by what is left of correlation inside the segments."""
    alike = min(max(0.0, _correlation(scaled, places)), MOST_CORRELATED) if places else 0.0
    return PENALTY * (1 + alike) / (1 - alike) ** 2


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
