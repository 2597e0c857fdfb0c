"""Two equal arms, of which whichever runs second in a block loses: how often does its place name a winner?

There is no margin, so that each interval that excludes 1 counts.
"""

import math

import numpy as np

from headtohead.analyze.statistics.paired import center_and_half_width
from headtohead.analyze.verdicts.winner import ordered_alike, verdict_of
from headtohead.plan.interim_analyses import alpha_per_look

NOISE = 0.02
"""The standard deviation of a run."""


def named(looks: tuple[int, ...], *, lost: float, size: int, seed: int, orders: bool = True) -> float:
    """Return in what share of the studies a winner is named if second runs lose this much (a log).

    ``orders`` False is the rule before: orders that are nearly all alike were not looked at.
    """
    chance = np.random.default_rng(seed)
    second = chance.integers(0, 2, size=(size, looks[-1]))
    logs = lost * (1 - 2 * second) + math.sqrt(2) * NOISE * chance.standard_normal((size, looks[-1]))
    won = np.zeros(size, dtype=bool)
    for look, alpha in zip(looks, alpha_per_look(looks), strict=True):
        center, half = (each.tolist() for each in center_and_half_width(logs[:, :look], alpha=alpha))
        firsts = second[:, :look].sum(axis=1).tolist()
        for study in np.flatnonzero(~won).tolist():
            verdict = verdict_of(center[study], half[study], n=look, matters=1.0, better="higher").verdict
            alike = orders and ordered_alike(firsts[study], of=look)
            won[study] = verdict in ("better", "worse") and not alike
    return float(won.mean())
