"""How far marked runs are from the others, adjusted for treatments and blocks, which also differ.

Taking the mean of each block away leaves little of a mark that whole blocks tend to share. If blocks hardly differ,
their means hold information too: they are taken away in part, by how much blocks differ beyond their runs.
"""

import math
from dataclasses import dataclass

import numpy as np

from headtohead.analyze.statistics.paired import Floats, t_tail
from headtohead.analyze.statistics.ratios_and_ranks import Ints

ROUNDING = 1e-9
"""Logarithms that differ by less are equal."""


@dataclass(frozen=True)
class Runs:
    """The logarithms of runs, the treatment and the block of each (counted from 0), and which of them are marked."""

    logs: Floats
    treatments: Ints
    blocks: Ints
    marked: Floats


def adjusted_difference(runs: Runs) -> tuple[float, float] | None:
    """Return how far marked runs are from the others (a log), and its two-sided p; None if it cannot be estimated.

    Least squares with a mean for each treatment and random blocks. The degrees of freedom are those within blocks, as
    how much blocks differ is itself an estimate.

    Assumes:    the noise of runs within a block is alike and independent.
    Invariant:  a factor on all runs of a treatment changes nothing.
    Reference:  Swamy and Arora (1972), Econometrica 40; calibrated in tests/analyze/test_carry_over.py.
    """
    count = np.bincount(runs.blocks)
    arms = (runs.treatments[:, np.newaxis] == np.arange(runs.treatments.max() + 1)).astype(float)
    table = np.column_stack([arms, runs.marked, runs.logs])
    means = np.zeros((len(count), table.shape[1]))
    np.add.at(means, runs.blocks, table)
    means /= count[:, np.newaxis]
    inside = table - means[runs.blocks]
    fitted, _, rank, _ = np.linalg.lstsq(inside[:, :-1], inside[:, -1], rcond=None)
    df = len(table) - len(count) - int(rank)
    if df < 1:
        return None
    within = float(np.square(inside[:, -1] - inside[:, :-1] @ fitted).sum()) / df
    apart = means[:, -1] - means[:, :-1] @ fitted
    between = len(table) / len(count) * float(apart.var(ddof=1))
    kept = math.sqrt(within / between) if between > within else 1.0
    rest = table - (1 - kept) * means[runs.blocks]
    return _last(rest[:, :-1], rest[:, -1], df=df)


def _last(columns: Floats, logs: Floats, *, df: int) -> tuple[float, float] | None:
    """Return the coefficient of the last column, and its p; None if the others determine it."""
    others, mark = columns[:, :-1], columns[:, -1]
    fitted, _, rank, _ = np.linalg.lstsq(others, np.column_stack([mark, logs]), rcond=None)
    own, rest = (np.column_stack([mark, logs]) - others @ fitted).T
    spread = float(own @ own)
    if spread < ROUNDING or len(logs) < int(rank) + 2:
        return None
    log = float(rest @ own) / spread
    if abs(log) < ROUNDING:
        return None
    left = rest - log * own
    error = math.sqrt(float(left @ left) / (len(logs) - int(rank) - 1) / spread)
    return log, (t_tail(log / error, df) if error > ROUNDING else 0.0)
