"""How much error each interim analysis may spend, so that all together spend 5 %."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from headtohead.model.rules import ERROR

_SAFETY: Final = 0.95
"""METHOD.md section 2.3: 5 % less than simulated, since real noise is not quite normal."""

_TABLE: Final = {
    (6, 10): 0.0280,
    (12, 24): 0.0272,
    (6, 12, 24): 0.0185,
    (6, 10, 16): 0.0200,
    (6, 10, 16, 24): 0.0158,
    (6, 10, 16, 24, 36): 0.0130,
    (6, 10, 16, 24, 36, 54): 0.0115,
    (6, 10, 16, 24, 36, 54, 80): 0.0099,
    (6, 10, 16, 24, 36, 54, 80, 120): 0.0088,
}
"""METHOD.md section 2.3, less the 5 % for safety; and what `headtohead new`, many of our studies and races write."""

_SERIES: Final = 400_000
_SEED: Final = 20261120


def alpha_per_look(looks: Sequence[int]) -> tuple[float, ...]:
    """Return the nominal two-sided level of the paired t at each interim analysis, the same at all of them.

    Assumes:    looks increase; each is a number of blocks, at least 1.
    Invariant:  without a difference, some p is below its level in at most 5 % of the experiments.
    Method:     a single look spends it all; the sequences of METHOD.md section 2.3 are in a table, any other is
                simulated (the level is the 5 % quantile of the smallest p over the looks, less 5 %), always with the
                same numbers.

    >>> alpha_per_look([6, 10])
    (0.028, 0.028)
    """
    key = tuple(looks)
    return (_level(key),) * len(key)


@lru_cache(maxsize=64)
def _level(looks: tuple[int, ...]) -> float:
    if len(looks) == 1:
        return ERROR
    return _TABLE[looks] if looks in _TABLE else round(_SAFETY * simulated(looks), 4)


def simulated(looks: tuple[int, ...], *, series: int = _SERIES, seed: int = _SEED) -> float:
    """Return the 5 % quantile of the smallest p over the looks, of ``series`` simulated experiments without difference.

    Only sums are drawn: the blocks between two looks enter by their sum (normal) and the squares about their own mean
    (chi-squared). An interim analysis of one block has no p and decides nothing.
    """
    from scipy.special import stdtr  # noqa: PLC0415  importing scipy takes longer than most commands

    # NEP 19 freezes the numbers of RandomState forever; those of Generator may change with numpy's version.
    chance = np.random.RandomState(seed)
    total = np.zeros(series)
    squares = np.zeros(series)
    smallest = np.ones(series)
    before = 0
    for look in looks:
        more = look - before
        part = np.sqrt(more) * chance.standard_normal(series)
        total += part
        squares += part**2 / more
        if more > 1:
            squares += chance.chisquare(more - 1, series)
        if look > 1:
            error = np.sqrt(np.maximum(squares - total**2 / look, 1e-300) / (look - 1) / look)
            p = 2 * stdtr(look - 1, -np.abs(total / look) / error)
            smallest = np.minimum(smallest, p)
        before = look
    return float(np.quantile(smallest, ERROR))
