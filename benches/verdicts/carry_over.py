"""An arm that slows whatever runs next: how often is it found, and how often is it found where it is not?"""

from dataclasses import dataclass

import numpy as np

from headtohead.analyze.statistics.over_time.carry_over import left_behind
from headtohead.analyze.statistics.over_time.residual import Residual

NOISE = 0.02
"""The standard deviation of a run."""


@dataclass(frozen=True)
class Design:
    """The number of blocks and arms, and the logarithm by which arm 0 changes the run after it."""

    blocks: int
    arms: int = 2
    carried: float = 0.0
    wandering: float = 0.0
    """The standard deviation of a block."""


def study(chance: np.random.Generator, design: Design) -> list[Residual]:
    """Return the runs of a study in random order; each carries what arm 0 left, across borders of blocks."""
    order = np.argsort(chance.random((design.blocks, design.arms)), axis=1)
    arms = order.ravel()
    before = np.concatenate([[-1], arms[:-1]])
    logs = NOISE * chance.standard_normal(arms.size) + design.carried * (before == 0)
    logs += np.repeat(design.wandering * chance.standard_normal(design.blocks), design.arms)
    means = np.array([logs[arms == arm].mean() for arm in range(design.arms)])
    return [
        Residual(
            block=at // design.arms + 1,
            place=at % design.arms + 1,
            label=str(arms[at]),
            log=float(logs[at] - means[arms[at]]),
            after=None if before[at] < 0 else str(before[at]),
        )
        for at in range(arms.size)
    ]


def found(design: Design, *, size: int, seed: int) -> float:
    """Return in what share of the studies something is found that a run leaves for the next."""
    chance = np.random.default_rng(seed)
    return sum(bool(left_behind(study(chance, design))) for _ in range(size)) / size
