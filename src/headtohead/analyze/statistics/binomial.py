"""How likely counts are by chance, and the share behind a count."""

import math

import numpy as np

from headtohead.model.rules import ERROR


def by_chance(more: int, fewer: int) -> float:
    """Return the probability of at least this difference if both are equally likely (exact, two-sided).

    >>> by_chance(6, 0), by_chance(4, 0)
    (0.03125, 0.125)
    """
    n = more + fewer
    ways: int = sum(math.comb(n, k) for k in range(fewer + 1))
    return min(1.0, 2.0 * ways / math.pow(2, n))


def shares_held(count: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of the share behind ``count`` of ``of`` draws.

    Assumes:    draws that do not depend on each other; from 0 to ``of`` of them count.
    Invariant:  the rest of the draws gives the rest of the share.
    Reference:  Clopper and Pearson (1934), Biometrika 26.
    """
    from scipy.special import betaincinv  # noqa: PLC0415  importing scipy takes longer than most commands

    low = float(betaincinv(count, of - count + 1, 0.025)) if count else 0.0
    high = float(betaincinv(count + 1, of - count, 0.975)) if count < of else 1.0
    return low, high


def most_by_chance(comparisons: int) -> int:
    """Return how many comparisons name a winner at most, in 39 of 40 cases, if each does so at 5 %.

    Reference:  METHOD.md 1.5: 16 of 200, 64 of 1000.
    """
    from scipy.special import bdtr  # noqa: PLC0415

    held = bdtr(np.arange(comparisons + 1), comparisons, ERROR)
    return int(np.searchsorted(held, 0.975))
