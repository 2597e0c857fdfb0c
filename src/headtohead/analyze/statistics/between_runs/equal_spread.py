"""Whether two treatments vary alike from run to run."""

import numpy as np

from headtohead.analyze.statistics.paired import Floats, t_tails


def unlike_spreads_p(baseline: Floats, other: Floats) -> Floats:
    """Return the two-sided p of equal variances of paired values, along the last axis.

    Two series vary alike if and only if their sum and their difference are uncorrelated; what a block does to both is
    in the sum alone. 1 if neither of the two changes.

    Assumes:    three or more pairs; all finite.
    Invariant:  exchanging the two, or adding a constant to one, changes nothing.
    Reference:  Pitman (1939), Biometrika 31; Morgan (1939), the same volume.

    >>> float(unlike_spreads_p(np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.0, 1.0, 4.0, 3.0])))
    1.0
    """
    n = baseline.shape[-1]
    together, apart = baseline + other, other - baseline
    together = together - together.mean(axis=-1, keepdims=True)
    apart = apart - apart.mean(axis=-1, keepdims=True)
    scale = np.sqrt((together**2).sum(axis=-1) * (apart**2).sum(axis=-1))
    r = np.divide((together * apart).sum(axis=-1), scale, out=np.zeros_like(scale), where=scale > 0)
    t = r * np.sqrt((n - 2) / np.maximum(1 - r**2, np.finfo(float).eps))
    return t_tails(t, n - 2)
