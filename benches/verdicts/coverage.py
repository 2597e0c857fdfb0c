"""What a report claims of its intervals and its winners, simulated: experiments that stop as real ones do.

Runs of both arms have normal noise and their blocks differ, which is what the t interval assumes: what remains is the
effect of stopping at an interim analysis because of what it shows. Other noise is in ``tails``. The worst case is equal
arms without a margin: an experiment then stops early only where its interval does not hold. There 95.3 % of
300,000 hold at looks after 6, 10, 16 and 24 blocks, and 95.2 % after 6 and 10.
"""

import math

import numpy as np

from benches.verdicts.tails import MARGIN, SHAPES, Found, ended
from headtohead.model.rules import ERROR

CLAIMED = 1 - ERROR
"""Share of experiments of which every interval holds ("at least 95 % confidence")."""
EXPERIMENTS = 3
"""Of the first study."""
CLAIMED_OF_STUDIES = EXPERIMENTS * ERROR
"""Share of studies with that number of experiments that name any false winner, at most."""

NOISY = SHAPES["both noisy (5 %)"]


def by_chance(share: float, *, size: int) -> float:
    """Return by how much a simulated share of this many may be off by chance: three standard errors."""
    return 3 * math.sqrt(share * (1 - share) / size)


def printed(
    *, size: int, seed: int, looks: tuple[int, ...], others: int = 1, truth: float = 0.0, margin: float = MARGIN
) -> Found:
    """Return how experiments end whose other arms are this much faster (a log)."""
    return ended(NOISY, size=size, seed=seed, looks=looks, others=others, truth=truth, margin=margin)


def false_studies(*, size: int, seed: int, looks: tuple[int, ...], margin: float = MARGIN) -> float:
    """Return the share of studies of ``EXPERIMENTS`` with equal arms of which any names a winner."""
    told = printed(size=size * EXPERIMENTS, seed=seed, looks=looks, margin=margin)
    return float(np.asarray(told.named).reshape(size, EXPERIMENTS).any(axis=1).mean())
