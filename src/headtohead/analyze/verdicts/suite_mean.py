"""A comparison over named cases in detail: the mean with both intervals, and the ratio of each case.

The interval *for these cases* is the uncertainty from the runs about the mean of exactly these cases; more blocks
narrow it. The interval *for cases like these* treats them as a random sample; only more cases narrow it (METHOD.md
3.5).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from headtohead.analyze.samples.summary_over_cases import cases_of
from headtohead.analyze.samples.valid_values import Samples
from headtohead.analyze.statistics.estimate import Center, of_logs
from headtohead.analyze.statistics.mean_skew_and_tail_of_cases import (
    LEAST,
    is_skewed,
    like_these,
    means,
    skew,
    tail,
    unlike_others_p,
)
from headtohead.analyze.statistics.paired import Floats, ratio_of
from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.estimates import Estimate, Interval, Key
from headtohead.model.analysis.suite import Suite, SuiteCase
from headtohead.model.case import Case
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import Better


@dataclass(frozen=True)
class SuiteCases:
    """The cases of a suite: the field in which they differ, and each case, in the order of the plan."""

    field: str
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class SuitePair:
    """Which treatment is compared with which, and the error of both intervals of the mean."""

    treatment: str
    against: str
    reference: bool
    alpha: float


def suite_of(experiment: PlannedExperiment) -> SuiteCases | None:
    """Return the cases that the primary summary is a geometric mean over; None if they are no suite.

    A suite has eight or more cases that differ in one field whose levels are names. Levels of a number, such as
    connections, are no random sample of anything.
    """
    cases = cases_of(experiment.primary, experiment)
    if experiment.primary.by != "geometric-mean" or experiment.load.searches or len(set(cases)) < LEAST:
        return None
    fields = dict.fromkeys(name for case in cases for name in case)
    varying = [name for name in fields if len({case.get(name) for case in cases}) > 1]
    if len(varying) != 1 or not all(isinstance(case.get(varying[0]), str) for case in cases):
        return None
    return SuiteCases(varying[0], cases)


def logs_by_run(samples: Samples, label: str, *, cases: SuiteCases) -> dict[int, Floats]:
    """Return the logarithms of all cases by block, for the blocks whose run has every case."""
    columns = [samples.of(label, Key(case, samples.experiment.primary.of)) for case in cases.cases]
    whole = [block for block in columns[0] if all(column.get(block, 0.0) > 0 for column in columns)]
    return {block: np.log(np.asarray([column[block] for column in columns], dtype=np.float64)) for block in whole}


def suites(samples: Samples, comparisons: Sequence[ComparisonResult]) -> Iterator[Suite]:
    """Yield the details of each comparison that has a ratio, at the error of the interim analysis that judged it."""
    cases = suite_of(samples.experiment)
    for each in comparisons if cases else ():
        if cases is None or each.ratio is None or each.alpha is None:
            continue
        baseline, other = (logs_by_run(samples, label, cases=cases) for label in (each.baseline, each.other))
        shared = [block for block in baseline if block in other]
        if shared:
            table = np.column_stack([other[block] - baseline[block] for block in shared])
            pair = SuitePair(each.other, each.baseline, reference=False, alpha=each.alpha)
            alone = [of_logs(row, alpha=each.alpha / max(len(each.exploratory), 1)) for row in table]
            suite = broken_down(pair, cases, alone, center=means(table), better=better_of(samples.experiment))
            unlike = dict(zip(cases.cases, unlike_others_p(table), strict=True))
            yield replace(
                suite,
                ratio=each.ratio,
                like_these=_around(suite.like_these, each.ratio.interval),
                cases=tuple(replace(one, unlike_p=unlike[one.case]) for one in suite.cases),
            )


def _around(wide: Interval | None, own: Interval | None) -> Interval | None:
    """Return the interval for cases like these, no narrower than that of the comparison for these cases."""
    if wide is None or own is None:
        return wide
    return replace(wide, low=min(wide.low, own.low), high=max(wide.high, own.high))


def better_of(experiment: PlannedExperiment) -> Better:
    """Return the direction in which the primary metric is better."""
    return experiment.metrics[experiment.primary.of].better


def broken_down(
    pair: SuitePair, cases: SuiteCases, alone: Sequence[Estimate], *, center: Center | None, better: Better
) -> Suite:
    """Return a suite from the ratio of each case and the mean over the runs; the best case first."""
    logs = np.log(np.asarray([each.value for each in alone], dtype=np.float64))
    apart = tail(logs, alone)
    listed = [SuiteCase(case, each, bool(far)) for case, each, far in zip(cases.cases, alone, apart, strict=True)]
    sign = 1 if better == "lower" else -1
    skewness, p = skew(logs)
    rest = logs[~apart]
    without = skew(rest)[1] if apart.any() and len(rest) >= LEAST else None
    ratio = center.estimate(alpha=pair.alpha) if center else Estimate(ratio_of(float(logs.mean())), None, 1)
    return Suite(
        treatment=pair.treatment,
        against=pair.against,
        reference=pair.reference,
        ratio=ratio,
        like_these=like_these(logs, center, alpha=pair.alpha) if center else None,
        spread=ratio_of(float(logs.std(ddof=1))),
        skewness=skewness,
        skew_p=p,
        skewed=is_skewed(p),
        skewed_without_tail=None if without is None else is_skewed(without),
        cases=tuple(sorted(listed, key=lambda each: sign * each.ratio.value)),
    )
