"""A geometric mean over named cases, taken apart: both intervals, the spread and the skew of the ratios, the tail.

The interval *for these cases* says what the runs leave open of the mean of exactly these; more blocks narrow it. That
*for cases like these* takes them as drawn at random from their like; only more cases narrow it (METHOD.md 3.5).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from headtohead.analyze.samples.samples import Samples
from headtohead.analyze.samples.summarize import cases_of
from headtohead.analyze.statistics.estimate import Center, around, of_logs, paired_center
from headtohead.analyze.statistics.paired import Floats, t_quantile
from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.estimates import Estimate, Interval, Key
from headtohead.model.analysis.suite import Suite, SuiteCase
from headtohead.model.case import Case
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import Better

LEAST = 8
"""Fewer cases are no suite: D'Agostino's test of the skew needs as many."""

TAIL = 3.0
"""So many scaled MADs from the median of the log ratios a case stands apart: of normal ones, 3 in 1000 do."""

SCALED = 1.4826
"""What makes the MAD of a normal sample its standard deviation."""

SKEW_ALPHA = 0.05
"""A skew is called one where D'Agostino's test shows it at this level."""

EQUAL = 1e-9
"""Ratios that differ by less are equal: what is left is the rounding of the arithmetic."""


@dataclass(frozen=True)
class Cases:
    """The cases of a suite: the field that tells them apart, and each case, in the order of the plan."""

    field: str
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class Pair:
    """What is set against what: labels, and at which error both intervals of the mean are taken."""

    treatment: str
    against: str
    reference: bool
    alpha: float


def suite_of(experiment: PlannedExperiment) -> Cases | None:
    """Return the cases that the primary summary is a geometric mean over, where they make a suite; else None.

    They do where they are eight or more and differ in one field, whose levels are names: over rising numbers, as of
    connections, nothing is drawn at random.
    """
    cases = cases_of(experiment.primary, experiment)
    if experiment.primary.by != "geometric-mean" or experiment.load.searches or len(set(cases)) < LEAST:
        return None
    fields = dict.fromkeys(name for case in cases for name in case)
    varying = [name for name in fields if len({case.get(name) for case in cases}) > 1]
    if len(varying) != 1 or not all(isinstance(case.get(varying[0]), str) for case in cases):
        return None
    return Cases(varying[0], cases)


def logs_by_run(samples: Samples, label: str, *, cases: Cases) -> dict[int, Floats]:
    """Return the logarithms of all cases by block, of the blocks whose run has every case."""
    columns = [samples.of(label, Key(case, samples.experiment.primary.of)) for case in cases.cases]
    whole = [block for block in columns[0] if all(column.get(block, 0.0) > 0 for column in columns)]
    return {block: np.log(np.asarray([column[block] for column in columns], dtype=np.float64)) for block in whole}


def suites(samples: Samples, comparisons: Sequence[ComparisonResult]) -> Iterator[Suite]:
    """Yield each comparison that has a ratio, taken apart; at the error of the look at which it was judged."""
    cases = suite_of(samples.experiment)
    for each in comparisons if cases else ():
        if cases is None or each.ratio is None or each.alpha is None:
            continue
        baseline, other = (logs_by_run(samples, label, cases=cases) for label in (each.baseline, each.other))
        shared = [block for block in baseline if block in other]
        if shared:
            table = np.column_stack([other[block] - baseline[block] for block in shared])
            pair = Pair(each.other, each.baseline, reference=False, alpha=each.alpha)
            alone = [of_logs(row, alpha=each.alpha / max(len(each.exploratory), 1)) for row in table]
            yield taken_apart(pair, cases, alone, center=means(table), better=better_of(samples.experiment))


def means(table: Floats) -> Center | None:
    """Return the mean of log ratios, a row a case and a column a block, from the mean of each block; None of one."""
    return paired_center(table.mean(axis=0)) if table.shape[1] > 1 else None


def better_of(experiment: PlannedExperiment) -> Better:
    """Return which way the primary metric is better."""
    return experiment.metrics[experiment.primary.of].better


def taken_apart(pair: Pair, cases: Cases, alone: Sequence[Estimate], *, center: Center | None, better: Better) -> Suite:
    """Return a suite from the ratio of each case and the mean that the runs give; the best case first."""
    logs = np.log(np.asarray([each.value for each in alone], dtype=np.float64))
    apart = tail(logs, alone)
    told = [SuiteCase(case, each, bool(far)) for case, each, far in zip(cases.cases, alone, apart, strict=True)]
    sign = 1 if better == "lower" else -1
    skewness, p = skew(logs)
    rest = logs[~apart]
    without = skew(rest)[1] if apart.any() and len(rest) >= LEAST else None
    ratio = center.estimate(alpha=pair.alpha) if center else Estimate(math.exp(float(logs.mean())), None, 1)
    return Suite(
        treatment=pair.treatment,
        against=pair.against,
        reference=pair.reference,
        ratio=ratio,
        like_these=like_these(logs, center, alpha=pair.alpha) if center else None,
        spread=math.exp(float(logs.std(ddof=1))),
        skewness=skewness,
        skew_p=p,
        skewed=_shown(p),
        skewed_without_tail=None if without is None else _shown(without),
        cases=tuple(sorted(told, key=lambda each: sign * each.ratio.value)),
    )


def like_these(logs: Floats, center: Center, *, alpha: float) -> Interval:
    """Return where the mean of cases like these lies, from the log ratio of each, and the mean that the runs give.

    It is the t interval over the K cases, K - 1 degrees of freedom, where the runs agree. What a run does to all of its
    cases alike moves their mean and not their spread, so the variance of the mean between runs is added to that between
    cases, with the degrees of freedom of Welch and Satterthwaite.

    Assumes:    two or more cases, drawn independently; all finite.
    Invariant:  adding a constant to all moves it; it holds the interval for these cases.
    Reference:  METHOD.md 3.5; docs/adr/0010; calibrated in tests/analyze/test_suite_calibration.py.
    """
    between = float(logs.var(ddof=1)) / len(logs)
    both = between + center.variance
    half = center.half_width(alpha=alpha)
    if both > 0:
        df = both**2 / (between**2 / (len(logs) - 1) + center.variance**2 / center.df)
        half = max(half, t_quantile(1 - alpha / 2, df) * math.sqrt(both))
    return around(center.value, half, alpha=alpha)


def skew(logs: Floats) -> tuple[float | None, float | None]:
    """Return the skewness of log ratios and the p of D'Agostino's test of it; None where all are equal.

    Assumes:    eight or more values.
    Invariant:  turning their signs turns its sign and leaves p; adding a constant leaves both.
    Reference:  D'Agostino (1970), Biometrika 57.
    """
    if float(logs.std()) < EQUAL:
        return None, None
    from scipy import stats  # noqa: PLC0415  importing it takes longer than most commands

    return float(stats.skew(logs)), float(stats.skewtest(logs).pvalue)


def tail(logs: Floats, alone: Sequence[Estimate]) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Return which cases stand apart: three scaled MADs or more from the median, and their interval leaves it out.

    The second keeps a case that is but noisy out of the tail. Of cases half of which are equal, none stands apart.
    """
    middle = float(np.median(logs))
    mad = SCALED * float(np.median(np.abs(logs - middle)))
    far = np.abs(logs - middle) >= TAIL * mad if mad > EQUAL else np.zeros(len(logs), dtype=np.bool_)
    ends = [each.interval for each in alone]
    sure = [end is None or math.exp(middle) < end.low or math.exp(middle) > end.high for end in ends]
    return np.asarray(far & np.asarray(sure, dtype=np.bool_))


def _shown(p: float | None) -> bool:
    return p is not None and p < SKEW_ALPHA
