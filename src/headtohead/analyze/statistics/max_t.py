"""Simultaneous intervals of several metrics: how far the furthest of them strays by chance, found by flipping signs.

Metrics of one study are correlated (the mean of the cases, and each case), so dividing alpha among them (Bonferroni)
makes each interval too wide. Flipping the signs of whole blocks, in all metrics together, keeps the correlation: the
quantile of the largest |t| over the flips serves all of them (Westfall and Young's max-T).
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from headtohead.analyze.statistics.estimate import of_logs, reaching
from headtohead.analyze.statistics.paired import SEED, Floats
from headtohead.model.analysis.estimates import Estimate

LEAST_BLOCKS = 12
"""Fewer blocks have too few flips for the far end of their distribution."""
BEYOND = 50
"""At least this many different flips must be beyond the quantile: with fewer its position is not known."""
FLIPS = 20_000
"""The number of flips drawn: with them the share beyond the quantile is known to 0.0015."""
AT_ONCE = 1_000


def enough(n: int, *, alpha: float) -> bool:
    """Return whether n blocks have enough different flips (2^(n - 1): all signs turned give the same |t|) for alpha."""
    return n >= LEAST_BLOCKS and alpha * 2.0 ** (n - 1) >= BEYOND


def shared(logs: Sequence[Floats], *, alpha: float) -> list[Estimate]:
    """Return the ratio of each of several rows of log ratios, with intervals that share alpha.

    From 12 blocks on, if every row has all of them, they share it by max-T; else each has alpha / (their number).
    """
    counts = {len(each) for each in logs}
    if len(logs) > 1 and len(counts) == 1 and enough(min(counts), alpha=alpha):
        reach = largest_t(np.stack(logs), alpha=alpha)
        return [reaching(each, reach, alpha=alpha) for each in logs]
    return [of_logs(each, alpha=alpha / len(logs)) for each in logs]


def largest_t(logs: Floats, *, alpha: float, flips: int = FLIPS) -> float:
    """Return the bound that the largest |t| of the metrics exceeds in ``alpha`` of the sign flips.

    ``logs`` has a row for each metric, a column for each block. The flips are drawn from a seed of their own,
    in whole thousands.

    Assumes:    at least two blocks; a sign of a block is fair (the order in it was drawn), and one for all metrics.
    Reference:  METHOD.md 3.5; Westfall and Young, 1993; calibrated in tests/analyze/test_max_t.py.
    """
    n = logs.shape[1]
    centered = logs - logs.mean(axis=1, keepdims=True)
    squares = (centered**2).mean(axis=1)
    strayed = [_largest(signs @ centered.T / n, squares, n=n) for signs in _flips(n, flips)]
    return float(np.quantile(np.concatenate(strayed), 1 - alpha, method="higher"))


def _largest(means: Floats, squares: Floats, *, n: int) -> Floats:
    """Return the largest |t| of each flip, from the metrics' means; 0 for a metric without spread."""
    errors = np.sqrt(np.maximum(squares - means**2, 0) / (n - 1))
    strayed = np.divide(np.abs(means), errors, out=np.zeros_like(means), where=errors > 0)
    return np.asarray(strayed.max(axis=1))


def _flips(n: int, flips: int) -> Iterator[Floats]:
    """Yield the signs of some flips at a time, a row each."""
    yield from (each.astype(np.float64) for each in _signs(n, flips))


@lru_cache(maxsize=2)
def _signs(n: int, flips: int) -> tuple[NDArray[np.int8], ...]:
    """Return all signs, a byte each: comparisons of as many blocks share them, and drawing them takes long."""
    chance = np.random.Generator(np.random.PCG64(SEED))
    return tuple((2 * chance.integers(0, 2, size=(AT_ONCE, n)) - 1).astype(np.int8) for _ in range(flips // AT_ONCE))
