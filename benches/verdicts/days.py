"""Machines that are the same, measured on different days: how often does ``compare`` name a winner?

A machine differs from one day to another by a standard deviation that its runs do not show. All replicates are computed
at once, by the functions that ``compare`` uses; tests/analyze/test_sessions.py takes some of them the whole way.
"""

import csv
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from headtohead.analyze.statistics.ratios_and_ranks import LogMeans, ratios_to
from headtohead.analyze.statistics.session_means import session_means
from headtohead.model.machine.sessions import RecordedSpread

Floats = NDArray[np.float64]
"""Logarithms of runs: replicate, session, run."""

WITHIN = 0.03
"""The standard deviation between the runs of one session."""
TRACE = Path(__file__).parents[2] / "reference" / "recorded" / "2026-11-23-nginx-against-itself.csv"
ALPHA = 0.05


@dataclass(frozen=True)
class Found:
    """In what share of the replicates a winner is named, and in what share the interval holds the true ratio."""

    winners: float
    covered: float


def days(chance: np.random.Generator, *, size: int, sessions: int, spread: float, runs: int = 6) -> Floats:
    """Return machines measured in some sessions, that differ by ``spread`` between days."""
    day = spread * chance.standard_normal((size, sessions, 1))
    return np.asarray(day + WITHIN * chance.standard_normal((size, sessions, runs)))


@lru_cache
def trace(path: Path = TRACE) -> Floats:
    """Return the logarithms of the runs of a server against itself, in the order in which they were made."""
    with path.open(encoding="utf-8", newline="") as file:
        return np.log([float(each["goodput_per_s"]) for each in csv.DictReader(file)])


def relative(
    chance: np.random.Generator, *, size: int, sessions: int, spread: float, own: float, runs: int = 6
) -> tuple[Floats, Floats]:
    """Return runs of a server, and runs relative to another one in the same blocks.

    The day moves both by ``spread``, and by ``own`` each alone.
    """
    day = spread * chance.standard_normal((size, sessions, 1))
    alone = own * chance.standard_normal((2, size, sessions, 1))
    both = day + alone + WITHIN * chance.standard_normal((2, size, sessions, runs))
    return np.asarray(both[0]), np.asarray(both[0] - both[1])


def pairs(logs: Floats) -> Floats:
    """Return each run of a session relative to the run after it, as if they were the two servers of a block."""
    return np.asarray(logs[:, :, ::2] - logs[:, :, 1::2])


def cut(chance: np.random.Generator, logs: Floats, *, size: int, sessions: int, runs: int) -> tuple[Floats, Floats]:
    """Return consecutive folders of a trace, from random places, dealt at random to two machines."""
    length = 2 * sessions * runs
    starts = chance.integers(0, len(logs) - length + 1, size=size)
    folders = logs[starts[:, None] + np.arange(length)].reshape(size, 2 * sessions, runs)
    dealt = chance.permuted(np.tile(np.arange(2 * sessions), (size, 1)), axis=1)
    folders = np.take_along_axis(folders, dealt[:, :, None], axis=1)
    return folders[:, :sessions], folders[:, sessions:]


def recorded(logs: Floats) -> list[RecordedSpread]:
    """Return what ``headtohead noise`` would keep of earlier sessions of each machine."""
    spreads = logs.mean(axis=2).std(axis=1, ddof=1).tolist()
    return [RecordedSpread("", "", "", logs.shape[1], logs.shape[2], each) for each in spreads]


def judged(
    first: Floats, second: Floats, *, earlier: tuple[Floats, Floats] | None = None, runs_only: bool = False
) -> Found:
    """Return how often equal machines are told apart, with the spread of ``earlier`` sessions if there are any.

    ``runs_only`` is what ``compare`` did before: Welch's t on the runs of one session each.
    """
    size = len(first)
    values = [list(each) for side in (first, second) for each in np.exp(side)]
    spreads = chain.from_iterable(map(recorded, earlier)) if earlier else [None] * (2 * size)
    means = session_means(values, list(spreads))
    logs = means.within if runs_only else means.across
    theirs, ours = (
        LogMeans(logs.n[part], logs.center[part], logs.variance[part], logs.df[part])
        for part in (slice(size, None), slice(0, size))
    )
    told = ratios_to(theirs, ours)
    half = told.half_widths(alpha=ALPHA)
    known = np.isfinite(half)
    apart = np.abs(told.center[known]) > half[known]
    return Found(float(apart.sum()) / size, 1 - float(apart.mean()) if known.any() else 1.0)
