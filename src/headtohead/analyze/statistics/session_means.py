"""Means over the sessions of several systems, and what the interval of each of them may rest on.

Runs of one session share its day: they differ less from each other than from those of another session. So an interval
over runs excludes other days, and n counts sessions (docs/adr/0023).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from headtohead.analyze.statistics.paired import Floats
from headtohead.analyze.statistics.ratios_and_ranks import Ints, LogMeans, log_means
from headtohead.model.analysis.systems import Basis
from headtohead.model.machine.sessions import RecordedSpread

Sessions = Sequence[Sequence[float]]
"""The values of the runs of each session of one system."""


@dataclass(frozen=True)
class SessionMeans:
    """The mean logarithm of each of several systems, one entry for each.

    ``within`` has the variance between the runs of its sessions, ``across`` that between sessions: NaN where it is not
    known. ``sessions`` counts the sessions, ``basis`` names what the interval of each system rests on.
    """

    within: LogMeans
    across: LogMeans
    sessions: Ints
    basis: tuple[Basis, ...]

    @property
    def shown(self) -> LogMeans:
        """The means with the variance between sessions where it is known, else with that between runs."""
        known = np.isfinite(self.across.variance)
        return replace(
            self.across,
            variance=np.where(known, self.across.variance, self.within.variance),
            df=np.where(known, self.across.df, self.within.df),
        )


def session_means(samples: Sequence[Sessions], spreads: Sequence[RecordedSpread | None]) -> SessionMeans:
    """Return the mean over the sessions of each system, from the values of their runs.

    Two or more sessions give a variance themselves. Of a system measured once, it is that of its recorded spread,
    unless its session has fewer runs than those of the recording had. It is never below that of the session's own mean.

    Assumes:    each system has a session, each session a value; all values finite.
    Invariant:  the number of runs of a session changes its mean only, never the number of sessions.
    Reference:  calibrated in tests/analyze/test_sessions.py.
    """
    counts = np.fromiter(map(len, samples), dtype=np.int64, count=len(samples))
    once = log_means([runs for sessions in samples for runs in sessions])
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    within = LogMeans(
        n=np.asarray(np.add.reduceat(once.n, starts), dtype=np.int64),
        center=np.add.reduceat(once.center, starts) / counts,
        variance=np.add.reduceat(once.variance, starts) / counts**2,
        df=np.add.reduceat(once.df, starts),
    )
    across = _over_sessions(once.center, counts, within)
    basis: list[Basis] = ["between-sessions" if count > 1 else "within-session" for count in counts.tolist()]
    for place, spread in enumerate(spreads):
        if spread is not None and counts[place] == 1 and across.n[place] >= spread.runs:
            across.variance[place] = np.fmax(spread.spread**2, within.variance[place])
            across.df[place] = spread.sessions - 1
            basis[place] = "recorded-spread"
    return SessionMeans(within, across, counts, tuple(basis))


def _over_sessions(centers: Floats, counts: Ints, within: LogMeans) -> LogMeans:
    """Return the means with the variance between sessions, from the mean of each session, system after system."""
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = np.add.reduceat((centers - np.repeat(within.center, counts)) ** 2, starts)
        variance = squares / (counts - 1) / counts
    variance[counts < 2] = np.nan
    return replace(within, variance=variance, df=np.where(np.isfinite(variance), counts - 1.0, np.nan))
