"""When a difference names a winner: an interval that excludes 1 is not enough if rare slow runs may explain it.

Runs without a stall look like those of a steady server, and their mean is off by about the margin. So a winner near the
margin needs more blocks, a larger difference, and two treatments that vary alike (docs/adr/0023, 0038).
"""

import math

from headtohead.analyze.statistics.paired import ratio_of
from headtohead.analyze.statistics.verdict import MINIMUM, Ruling, ruling_on
from headtohead.model.quantity import Better
from headtohead.model.rules import enough_blocks

FAR = 2.0
"""With few blocks a winner is this many times the margin away, or its whole interval is beyond the margin."""
NEAR, NEAREST, LONG, FEW = 1.0, 0.75, 24, 3
"""With enough blocks a winner is this many times the margin away: the first, or the second from 24 blocks on.

Of more than ``FEW`` comparisons it is always the first: 24 blocks are just enough for four (docs/adr/0059).
"""
UNLIKE, UNLIKE_AMONG = 0.10, 0.20
"""Below this p two treatments vary unlike each other; the second is for several comparisons."""
ORDERED, ORDERS_P = 10, 0.022
"""From this number of blocks on, orders as much alike as only this share of plans has are too much alike."""


def unlike_below(comparisons: int) -> float:
    """Return the p of equal variances below which two treatments vary unlike each other."""
    return UNLIKE if comparisons <= 1 else UNLIKE_AMONG


def ordered_alike(firsts: int, *, of: int) -> bool:
    """Return whether one of two treatments came first in nearly all blocks, so that its place may be what differs.

    ``firsts`` counts the blocks in which one of them came first: 9 of 10 are too many, and so are 13 of 16 and 19 of 24
    (two-sided sign test). Of fewer than 10 blocks too many plans have such orders.
    """
    rarer = sum(math.comb(of, each) for each in range(max(firsts, of - firsts), of + 1))
    return of >= ORDERED and 2 * rarer <= ORDERS_P * 2**of


def verdict_of(
    center: float,
    half: float | tuple[float, float],
    *,
    n: int,
    matters: float,
    better: Better,
    unlike: bool = False,
    comparisons: int = 1,
) -> Ruling:
    """Return the verdict on n log ratios with this mean, whose interval reaches ``half`` to both sides of it.

    ``half`` may be two: below and above. ``matters`` is the margin as a ratio. An interval within the margin that
    excludes 1 needs 16 blocks to be "same": without a stall, runs are off their mean by about as much. A winner whose
    interval reaches into the margin has a limit for its ratio, see ``least_log``; with enough blocks its two treatments
    must vary alike, or the long tail point away from 1. ``unlike`` is whether they do not vary alike, ``comparisons``
    the number of comparisons of the experiment.
    """
    if n < MINIMUM:
        return Ruling(
            "inconclusive",
            f"too few blocks: {n} {'has' if n == 1 else 'have'} valid runs of both, a verdict needs {MINIMUM}",
        )
    below, above = half if isinstance(half, tuple) else (half, half)
    ruled = ruling_on(ratio_of(center - below), ratio_of(center + above), matters=matters, better=better)
    enough = enough_blocks(comparisons)
    if ruled.negligible and n < enough:
        because = (
            f"the interval lies within the margin and excludes 1: fewer than {enough} blocks may miss rare slow runs"
        )
        return Ruling("inconclusive", because)
    if ruled.at_least_margin or ruled.verdict not in ("better", "worse"):
        return ruled
    if abs(center) < least_log(n, matters=matters, comparisons=comparisons):
        if n < enough:
            because = (
                f"{n} blocks may miss rare slow runs; with fewer than {enough}, a winner needs a difference of twice "
                "the margin, or an interval wholly past the margin"
            )
        elif n < LONG and comparisons <= FEW:
            because = f"a difference of less than the margin needs {LONG} blocks: fewer may miss rare slow runs"
        else:
            part = "" if comparisons > FEW else "three quarters of "
            because = f"the interval excludes 1, but the difference is less than {part}the margin"
        return Ruling("inconclusive", because)
    if n >= enough and unlike and (comparisons > 1 or _reaches_back(center, below=below, above=above)):
        return Ruling(
            "inconclusive", "one of the two varies more than the other, and the difference may be less than the margin"
        )
    return ruled


def _reaches_back(center: float, *, below: float, above: float) -> bool:
    """Return whether the interval reaches at least as far toward 1 as away from it: its long tail may explain it.

    A tail that points away from 1 makes a winner less likely, not more (docs/adr/0059). Among several comparisons some
    tail is short by chance, so there it does not matter where it points.
    """
    toward, away = (below, above) if center > 0 else (above, below)
    return toward >= away


def least_log(n: int, *, matters: float, comparisons: int) -> float:
    """Return how far (a log) a winner's ratio is from 1 if its interval reaches into the margin."""
    if n < enough_blocks(comparisons):
        return FAR * math.log(matters)
    return (NEAR if n < LONG or comparisons > FEW else NEAREST) * math.log(matters)


def least_blocks(center: float, *, matters: float, comparisons: int) -> int | None:
    """Return the number of blocks that a winner of this ratio (a log) needs; None if it is too near at any number."""
    steps = (MINIMUM, enough_blocks(comparisons), LONG)
    far = (n for n in sorted(steps) if abs(center) >= least_log(n, matters=matters, comparisons=comparisons))
    return next(far, None)
