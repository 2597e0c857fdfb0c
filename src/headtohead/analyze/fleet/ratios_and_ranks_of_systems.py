"""The table of one test from its samples: values, ratios, verdicts and ranks, each with what it rests on."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np

from headtohead.analyze.fleet.same_test import ComparedTreatment
from headtohead.analyze.statistics.estimate import CONFIDENCE, geometric
from headtohead.analyze.statistics.paired import Floats
from headtohead.analyze.statistics.ratios_and_ranks import LogMeans, against, ranks_of
from headtohead.analyze.statistics.session_means import SessionMeans, session_means
from headtohead.analyze.statistics.verdict import Ruling, ruling_on
from headtohead.analyze.verdicts.compare import metric_of
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.analysis.systems import Basis, Standing
from headtohead.model.machine.sessions import RecordedSpread
from headtohead.model.quantity import Better, Metric
from headtohead.model.rules import ERROR

SIGNS: dict[Better, float] = {"higher": 1.0, "lower": -1.0}


@dataclass(frozen=True)
class Column:
    """The samples of one test: ``places`` are those of its systems, rising; 0 is the baseline.

    ``sessions`` holds the values of the runs of each session of each system, ``spreads`` what was recorded between its
    sessions, ``cpus`` the numbers of CPUs of its subject. ``ratios`` is the number of ratios that share one error.
    """

    arm: ComparedTreatment
    places: Sequence[int]
    sessions: Sequence[Mapping[str, tuple[float, ...]]]
    ratios: int
    spreads: Sequence[RecordedSpread | None]
    cpus: Sequence[tuple[int, ...]] = ()

    @cached_property
    def metric(self) -> Metric:
        """The metric of the primary summary."""
        return metric_of(self.arm.experiment)

    @cached_property
    def means(self) -> SessionMeans:
        """The mean logarithms of the systems."""
        return session_means([list(each.values()) for each in self.sessions], self.spreads)

    @cached_property
    def logs(self) -> LogMeans:
        """The mean logarithms with the variance that is shown: between sessions if it is known, else within one."""
        return self.means.shown


def standings_of(column: Column, names: Sequence[str]) -> Iterator[Standing]:
    """Yield the result of each system, the best first; in the order of the systems if no direction is better."""
    better, alpha = column.metric.better, (1 - CONFIDENCE) / len(column.places)
    estimates = _estimates(column, alpha=alpha)
    ends = [each.interval or Interval(math.nan, math.nan, 1 - alpha) for each in estimates]
    low, high = (np.asarray([getattr(each, end) for each in ends]) for end in ("low", "high"))
    known = np.isfinite(column.means.across.variance)
    ranks = ranks_of(np.where(known, low, math.nan), np.where(known, high, math.nan), better=better)
    ratios, basis = ratios_of(column), column.means.basis
    order: Sequence[int] = range(len(estimates))
    if better != "neither":
        order = sorted(order, key=lambda place: -SIGNS[better] * estimates[place].value)
    for place in order:
        ruling = _ruling(column, place, ratio=ratios[place])
        yield Standing(
            system=names[column.places[place]],
            estimate=estimates[place],
            ratio=ratios[place],
            verdict=ruling.verdict if ruling else None,
            because=ruling.because if ruling else "it is the baseline",
            rank=ranks[place],
            sessions=len(column.sessions[place]),
            basis=basis[place],
            ratio_basis=weaker(basis[0], basis[place]) if ratios[place] else None,
            cpus=column.cpus[place] if column.cpus else (),
        )


def weaker(one: Basis, other: Basis) -> Basis:
    """Return what a ratio rests on, from what the intervals of its two systems rest on."""
    order: tuple[Basis, ...] = ("within-session", "recorded-spread", "between-sessions")
    return min(one, other, key=order.index)


def _estimates(column: Column, *, alpha: float) -> list[Estimate]:
    """Return geometric means with t intervals; arithmetic means if a value is not positive."""
    found = from_logs(column.logs, alpha=alpha)
    return [each or _alone([*chain(*column.sessions[place].values())], alpha=alpha) for place, each in enumerate(found)]


def _alone(sample: Sequence[float], *, alpha: float) -> Estimate:
    estimate = geometric(sample, alpha=alpha)
    if estimate is None:
        raise ValueError("a sample holds at least one value")
    return estimate


def ratios_of(column: Column) -> list[Estimate | None]:
    """Return the ratio of each system to the baseline; None for the baseline itself, and where there is none."""
    if column.places[0] != 0:
        return [None] * len(column.places)
    return [None, *from_logs(against(column.logs, 0, among=column.ratios), alpha=ERROR / column.ratios)[1:]]


def from_logs(logs: LogMeans, *, alpha: float) -> list[Estimate | None]:
    """Return the estimate of each system with its t interval; None if there is none.

    An interval without an upper bound (two runs far apart, a high confidence) is left out.
    """
    half = logs.half_widths(alpha=alpha)
    columns: list[list[float]] = [_exp(each) for each in (logs.center, logs.center - half, logs.center + half)]
    return [
        Estimate(value, Interval(low, high, 1 - alpha) if math.isfinite(high) else None, n)
        if math.isfinite(low)
        else None
        for value, low, high, n in zip(*columns, logs.n.tolist(), strict=True)
    ]


def _exp(logs: Floats) -> list[float]:
    with np.errstate(over="ignore"):
        return list(np.exp(logs).tolist())


def _ruling(column: Column, place: int, *, ratio: Estimate | None) -> Ruling | None:
    """Return the verdict on a system against the baseline; None for the baseline itself."""
    if column.places[place] == 0:
        return None
    if column.places[0] != 0:
        return Ruling("not-measured", "the baseline has no values of it")
    if ratio is None:
        return Ruling("not-measured", "one of the two has fewer than two valid runs of it, or values not above zero")
    once = [where for where, of in (("the baseline", 0), ("it", place)) if column.means.basis[of] == "within-session"]
    if once:
        return Ruling("inconclusive", f"{_EACH if len(once) > 1 else once[0]} was measured once")
    if ratio.interval is None:
        return Ruling("inconclusive", "the interval has no upper bound")
    ends = ratio.interval
    return ruling_on(ends.low, ends.high, matters=column.arm.experiment.matters, better=column.metric.better)


_EACH = "each machine"
