"""The statistics of log ratios within blocks: interval, sign-flip p, smallest detectable difference.

All take the last axis as the blocks, so that one function serves one comparison and ten thousand simulated ones.
"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

EXACT_UP_TO = 16
"""Up to this many blocks all 2^n flips are counted; beyond, DRAWN of them."""

DRAWN = 200_000
AT_ONCE = 10_000
"""The number of flips drawn at once."""
SEED = 20261120
POWER = 0.8


FARTHEST = 700.0
"""The farthest logarithm of a ratio: beyond it are infinity and 0, which has no inverse."""


def ratio_of(log: float) -> float:
    """Return the ratio of a logarithm, finite and positive: two blocks far apart have an almost endless interval.

    >>> ratio_of(0.0), ratio_of(-1e6) > 0, math.isfinite(ratio_of(1e6))
    (1.0, True, True)
    """
    return math.exp(max(-FARTHEST, min(FARTHEST, log)))


@lru_cache(maxsize=1024)
def t_quantile(probability: float, df: float) -> float:
    """Return the quantile of Student's t with ``df`` degrees of freedom."""
    from scipy.special import stdtrit  # noqa: PLC0415  importing scipy takes longer than most commands

    return float(stdtrit(df, probability))


def t_tails(statistics: Floats, df: float) -> Floats:
    """Return the two-sided p of each t statistic."""
    from scipy.special import stdtr  # noqa: PLC0415

    return np.asarray(2 * stdtr(df, -np.abs(statistics)))


def t_tail(statistic: float, df: float) -> float:
    """Return the two-sided p of a t statistic."""
    return float(t_tails(np.asarray(statistic), df))


def center_and_half_width(logs: Floats, *, alpha: float) -> tuple[Floats, Floats]:
    """Return the mean of the values and the half-width of its t interval at 1 - alpha, along the last axis.

    Assumes:    at least two values; all finite.
    Invariant:  adding a constant moves the center by it and leaves the half-width.
    Reference:  METHOD.md 3.2; calibrated in tests/analyze/test_calibration.py.
    """
    n = logs.shape[-1]
    half = t_quantile(1 - alpha / 2, n - 1) * logs.std(axis=-1, ddof=1) / math.sqrt(n)
    return np.asarray(logs.mean(axis=-1)), np.asarray(half)


def sign_flip_p(logs: Floats) -> float:
    """Return the share of sign flips whose sum is at least as far from 0 as the one observed.

    Exact up to 16 blocks; beyond, 200,000 seeded flips, one added above and below so that it is never 0. It needs no
    distribution: the signs are those of our own randomization.

    Assumes:    one axis; at least one value.
    Reference:  METHOD.md 3.2.

    >>> sign_flip_p(np.array([0.1, 0.2, 0.3]))
    0.25
    """
    n = len(logs)
    # rounding must not part flips that tie with the observed sum
    reached = abs(math.fsum(logs)) - 1e-9 * float(np.abs(logs).sum())
    if n <= EXACT_UP_TO:
        sums = np.zeros(1)
        for value in logs:
            sums = np.concatenate([sums + value, sums - value])
        return float(np.mean(np.abs(sums) >= reached))
    sums = np.full(DRAWN, -math.fsum(logs))
    for place, flips in enumerate(_drawn(n)):
        of_eight = np.zeros(256)
        for bit, value in enumerate(logs[8 * place : 8 * place + 8]):
            of_eight[_BYTES >> (7 - bit) & 1 == 1] += 2 * value
        sums += of_eight[flips]
    far = int(np.count_nonzero(np.abs(sums) >= reached))
    return float((far + 1) / (DRAWN + 1))


_BYTES = np.arange(256)


@lru_cache(maxsize=4)
def _drawn(n: int) -> NDArray[np.uint8]:
    """Return the seeded flips of ``n`` blocks, eight blocks in a byte: a row for each eight, a column for each flip.

    All comparisons of this many blocks share them, as they have one seed. Drawing takes far longer than using them.
    """
    chance = np.random.Generator(np.random.PCG64(SEED))
    drawn = [
        np.packbits(chance.integers(0, 2, size=(AT_ONCE, n), dtype=np.int8), axis=1) for _ in range(DRAWN // AT_ONCE)
    ]
    return np.ascontiguousarray(np.concatenate(drawn).T)


def detectable(logs: Floats, *, alpha: float) -> float:
    """Return the smallest ratio above 1 that this many blocks of this spread would show in 8 of 10 studies."""
    n = len(logs)
    reach = t_quantile(1 - alpha / 2, n - 1) + t_quantile(POWER, n - 1)
    return ratio_of(reach * float(logs.std(ddof=1)) / math.sqrt(n))


def blocks_needed(
    center: float, half: float, *, n: int, matters: float, wins: bool = True, alpha: tuple[float, float] | None = None
) -> int | None:
    """Return about how many blocks would decide if center and spread stayed the same: n (half / needed half)^2.

    The half-width needed is the one that excludes 1, or the one within the margin, whichever is larger. Only the second
    counts if ``wins`` is False: this ratio names no winner. None if no number of blocks would do. ``alpha`` holds that
    of ``half``, and that of the analysis which shall decide, if they may differ.
    """
    needed = max(abs(center) if wins else 0.0, math.log(matters) - abs(center))
    if needed <= 0:
        return None
    blocks = n * (half / needed) ** 2
    if alpha and alpha[0] != alpha[1]:
        blocks = _blocks_at(blocks, n=n, alpha=alpha)
    return max(n + 1, math.ceil(blocks))


def _blocks_at(blocks: float, *, n: int, alpha: tuple[float, float]) -> float:
    """Return the blocks whose interval at the second alpha is as wide as ``blocks`` make it at the first, of n blocks.

    The quantile of t depends on the number of blocks: a few steps find the number that agrees with itself.
    """
    now, found = t_quantile(1 - alpha[0] / 2, n - 1), max(blocks, float(n))
    for _ in range(_STEPS):
        found = max(float(n), blocks * (t_quantile(1 - alpha[1] / 2, found - 1) / now) ** 2)
    return found


_STEPS = 8
"""After this many steps the number of blocks changes by less than one."""


def blocking_gain(baseline: Floats, other: Floats) -> float | None:
    """Return the variance of the unpaired over that of the paired comparison, of logs in the same order of blocks."""
    paired = float((other - baseline).var(ddof=1))
    return float(baseline.var(ddof=1) + other.var(ddof=1)) / paired if paired > 0 else None
