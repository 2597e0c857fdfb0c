"""How far runs at later places of a block are from those at its first."""

import math
from collections.abc import Sequence

import numpy as np

from headtohead.analyze.statistics.error_of_checks import ENOUGH
from headtohead.analyze.statistics.over_time.residual import Residual
from headtohead.analyze.statistics.paired import t_tail

ROUNDING = 1e-9
"""Logarithms that differ by less are equal."""


def effect(residuals: Sequence[Residual], *, first: int) -> tuple[float, float, int] | None:
    """Return the difference of later places from the first (a log), its two-sided p, and the number of blocks.

    Least squares with a mean for each treatment and each block. None for fewer than 6 blocks with both places, if every
    block began with the same treatment, and if there is no difference.

    Assumes:    the noise of runs within a block is alike and independent.
    Invariant:  a factor on all runs of a block, or of a treatment, changes nothing.
    Reference:  Frisch and Waugh (1933), Econometrica 1; calibrated in tests/analyze/test_alarms.py.
    """
    places: dict[int, set[bool]] = {}
    for each in residuals:
        places.setdefault(each.block, set()).add(each.place != first)
    kept = [each for each in residuals if len(places[each.block]) > 1]
    blocks = list(dict.fromkeys(each.block for each in kept))
    if len(blocks) < ENOUGH:
        return None
    labels = list(dict.fromkeys(each.label for each in kept))
    others = np.array(
        [[each.label == label for label in labels] + [each.block == block for block in blocks] for each in kept], float
    )
    table = np.array([[each.log, each.place != first] for each in kept], float)
    fitted, _, rank, _ = np.linalg.lstsq(others, table, rcond=None)
    logs, later = (table - others @ fitted).T
    spread = float(later @ later)
    if spread < ROUNDING:
        return None
    log = float(logs @ later) / spread
    if abs(log) < ROUNDING or len(kept) < rank + 2:
        return None
    left, df = logs - log * later, len(kept) - int(rank) - 1
    error = math.sqrt(float(left @ left) / df / spread)
    return log, (t_tail(log / error, df) if error > ROUNDING else 0.0), len(blocks)
