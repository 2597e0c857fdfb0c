"""Suites of a few kernels whose gains are skewed: how often the interval for kernels like these holds their mean."""

import math

import numpy as np

from headtohead.analyze.statistics.estimate import paired_center
from headtohead.analyze.statistics.mean_skew_and_tail_of_cases import like_these

BLOCKS, OWN, SHARED = 6, 0.01, 0.01
SCALE = 0.15
ALPHA = 0.05


def covered(*, kernels: int, shape: float, size: int, seed: int, sign: float = 1.0) -> float:
    """Return the coverage of suites whose log gains are lognormal of this shape (normal for 0), long upward or down."""
    chance = np.random.default_rng(seed)
    held = 0
    for _ in range(size):
        drawn = chance.standard_normal(kernels)
        gains = np.exp(shape * drawn) - math.exp(shape**2 / 2) if shape else drawn
        noise = SHARED * chance.standard_normal(BLOCKS) + OWN * chance.standard_normal((kernels, BLOCKS))
        table = sign * SCALE * gains[:, np.newaxis] + noise
        found = like_these(table.mean(axis=1), paired_center(table.mean(axis=0)), alpha=ALPHA)
        held += found.low <= 1 <= found.high
    return held / size
