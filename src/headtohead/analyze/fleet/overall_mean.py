"""The geometric mean of several systems over the tables that all of them have.

What a day does to a machine moves all of its tables alike. So the variance of the mean is that between sessions, each
session reduced to one value; it is not that of the tables added up.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from headtohead.analyze.fleet.ratios_and_ranks_of_systems import SIGNS, Column, from_logs, weaker
from headtohead.analyze.statistics.estimate import CONFIDENCE
from headtohead.analyze.statistics.ratios_and_ranks import LogMeans, against, mean_of, ranks_of
from headtohead.model.analysis.systems import Basis, Overall, OverallStanding
from headtohead.model.rules import ERROR


def overall_of(columns: Sequence[Column], names: Sequence[str]) -> Overall:
    """Return the geometric mean over the tables that every system has, of metrics with a direction.

    A system without any value is left out of "every": each table lists it as not measured. Intervals of the ratios are
    simultaneous over all systems. Ranks rest on the systems' own means, so they do not depend on the baseline; a
    system without two sessions that have every table has none.
    """
    judged = [each for each in columns if each.metric.better in SIGNS]
    usable = [_usable(each) for each in judged]
    there = sorted({place for each in columns for place in each.places})
    common = [column for column, own in zip(judged, usable, strict=True) if own.issuperset(there)]
    counts = {place: sum(place in own for own in usable) for place in there}
    lacking = sorted((place for place in there if counts[place] < len(judged)), key=counts.__getitem__)
    overall = Overall(len(common), len(judged), (), tuple(names[place] for place in lacking))
    if not common or there[0] != 0:
        return overall
    scores = _scores(common)
    own = scores.logs
    half = np.where(scores.known, own.half_widths(alpha=(1 - CONFIDENCE) / len(there)), math.nan)
    ranks = ranks_of(own.center - half, own.center + half, better="higher")
    among = max(1, len(there) - 1)
    ratios = from_logs(against(own, 0, among=among), alpha=ERROR / among)
    order = sorted(range(len(there)), key=lambda place: -float(own.center[place]))
    basis = scores.basis
    return replace(
        overall,
        standings=tuple(
            OverallStanding(
                names[there[place]],
                ratios[place] if place else None,
                ranks[place],
                weaker(basis[0], basis[place]) if place else None,
            )
            for place in order
        ),
    )


def _usable(column: Column) -> frozenset[int]:
    """Return the places of the systems that have a ratio: two or more runs or sessions, all values positive."""
    known = np.isfinite(column.logs.variance).tolist()
    return frozenset(place for place, each in zip(column.places, known, strict=True) if each)


@dataclass(frozen=True)
class _Scores:
    """The mean of each system over the tables; ``known``: whether its variance is that between sessions."""

    logs: LogMeans
    known: NDArray[np.bool_]

    @property
    def basis(self) -> list[Basis]:
        return ["between-sessions" if each else "within-session" for each in self.known.tolist()]


def _scores(common: Sequence[Column]) -> _Scores:
    """Return the means over tables that hold the same systems."""
    signs = [SIGNS[each.metric.better] for each in common]
    own = mean_of([each.means.within for each in common], signs=signs)
    center, variance, df = own.center.copy(), own.variance.copy(), own.df.copy()
    known = np.zeros(len(center), dtype=np.bool_)
    for place in range(len(center)):
        sessions = [each.sessions[place] for each in common]
        shared = [name for name in sessions[0] if all(name in each for each in sessions)]
        if len(shared) > 1:
            means = np.asarray([[float(np.log(each[name]).mean()) for each in sessions] for name in shared]) @ signs
            means = means / len(common)
            center[place], variance[place] = means.mean(), means.var(ddof=1) / len(shared)
            df[place], known[place] = len(shared) - 1, True
    return _Scores(LogMeans(own.n, center, variance, df), known)
