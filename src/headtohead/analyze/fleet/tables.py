"""The table of one test from its samples, and the geometric mean over all tables."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from headtohead.analyze.fleet.same_test import ComparedTreatment
from headtohead.analyze.statistics.estimate import CONFIDENCE, geometric
from headtohead.analyze.statistics.paired import Floats
from headtohead.analyze.statistics.ranking import LogMeans, against, log_means, mean_of, ranks_of
from headtohead.analyze.statistics.verdict import MINIMUM, Ruling, ruling_on
from headtohead.analyze.verdicts.compare import metric_of
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.analysis.systems import Overall, OverallStanding, Standing
from headtohead.model.quantity import Better, Metric
from headtohead.model.rules import ERROR

SIGNS: dict[Better, float] = {"higher": 1.0, "lower": -1.0}


@dataclass(frozen=True)
class Column:
    """The samples of one test: ``places`` are those of its systems, rising; 0 is the baseline.

    ``ratios`` is the number of ratios that share one error.
    """

    arm: ComparedTreatment
    places: Sequence[int]
    samples: Sequence[Sequence[float]]
    ratios: int

    @cached_property
    def metric(self) -> Metric:
        """The metric of the primary summary."""
        return metric_of(self.arm.experiment)

    @cached_property
    def logs(self) -> LogMeans:
        """The mean logarithms of the samples."""
        return log_means(self.samples)


def standings_of(column: Column, names: Sequence[str]) -> Iterator[Standing]:
    """Yield the result of each system, the best first; in the order of the systems if no direction is better."""
    better, alpha = column.metric.better, (1 - CONFIDENCE) / len(column.places)
    estimates = _estimates(column, alpha=alpha)
    ends = [each.interval or Interval(math.nan, math.nan, 1 - alpha) for each in estimates]
    low, high = (np.asarray([getattr(each, end) for each in ends]) for end in ("low", "high"))
    ranks = ranks_of(low, high, better=better)
    ratios = _ratios(column)
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
        )


def overall_of(columns: Sequence[Column], names: Sequence[str]) -> Overall:
    """Return the geometric mean over the tables that every system has, of metrics with a direction.

    A system without any value is left out of "every": each table lists it as not measured. Intervals of the ratios are
    simultaneous over all systems. Ranks rest on the systems' own means, so they do not depend on the baseline.
    """
    judged = [each for each in columns if each.metric.better in SIGNS]
    usable = [_usable(each) for each in judged]
    there = sorted({place for each in columns for place in each.places})
    common = [column for column, own in zip(judged, usable, strict=True) if own.issuperset(there)]
    counts = {place: sum(place in own for own in usable) for place in there}
    lacking = sorted((place for place in there if counts[place] < len(judged)), key=counts.__getitem__)
    told = Overall(len(common), len(judged), (), tuple(names[place] for place in lacking))
    if not common or there[0] != 0:
        return told
    own = mean_of([each.logs for each in common], signs=[SIGNS[each.metric.better] for each in common])
    half = own.half_widths(alpha=(1 - CONFIDENCE) / len(there))
    ranks = ranks_of(own.center - half, own.center + half, better="higher")
    among = max(1, len(there) - 1)
    ratios = _from_logs(against(own, 0, among=among), alpha=ERROR / among)
    order = sorted(range(len(there)), key=lambda place: -float(own.center[place]))
    standings = [
        OverallStanding(names[there[place]], ratios[place] if place else None, rank)
        for place in order
        if (rank := ranks[place]) is not None
    ]
    return replace(told, standings=tuple(standings))


def _usable(column: Column) -> frozenset[int]:
    """Return the places of the systems that have a ratio: two or more runs, all values positive."""
    known = np.isfinite(column.logs.variance).tolist()
    return frozenset(place for place, each in zip(column.places, known, strict=True) if each)


def _estimates(column: Column, *, alpha: float) -> list[Estimate]:
    """Return geometric means with t intervals; arithmetic means if a value is not positive."""
    told = _from_logs(column.logs, alpha=alpha)
    return [each or _alone(column.samples[place], alpha=alpha) for place, each in enumerate(told)]


def _alone(sample: Sequence[float], *, alpha: float) -> Estimate:
    estimate = geometric(sample, alpha=alpha)
    if estimate is None:
        raise ValueError("a sample holds at least one value")
    return estimate


def _ratios(column: Column) -> list[Estimate | None]:
    if column.places[0] != 0:
        return [None] * len(column.places)
    return [None, *_from_logs(against(column.logs, 0, among=column.ratios), alpha=ERROR / column.ratios)[1:]]


def _from_logs(logs: LogMeans, *, alpha: float) -> list[Estimate | None]:
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
    fewest, ends = int(min(column.logs.n[0], column.logs.n[place])), ratio.interval
    if fewest < MINIMUM:
        return Ruling("inconclusive", f"too few valid runs: one of the two has {fewest}, {MINIMUM} are needed")
    if ends is None:
        return Ruling("inconclusive", "the interval has no upper bound")
    return ruling_on(ends.low, ends.high, matters=column.arm.experiment.matters, better=column.metric.better)
