"""Two treatments compared: ratio, verdict, and the exploratory ratios next to it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.sweeps import Scaling
from headtohead.model.case import Case
from headtohead.model.quantity import Scalar

Verdict = Literal["better", "worse", "same", "inconclusive", "not-measured"]
Outcome = Literal["winner", "same"]


@dataclass(frozen=True)
class Exploratory:
    """A ratio that decides nothing: a single case or another metric.

    The intervals of all of a comparison share its alpha: each at alpha / (their number), or, from 12 blocks on, by
    max-T; then their confidence is that of all together. ``unadjusted_p`` is the sign-flip p of this ratio alone: of
    many, some are small by chance.
    """

    case: Case
    metric: str
    ratio: Estimate
    unadjusted_p: float | None


@dataclass(frozen=True)
class Shift:
    """The ratio of the response times of two treatments at one quantile of one case; it decides nothing.

    The intervals of all quantiles and cases of a comparison share its alpha. A quantile that is an exploratory metric
    as well has one interval, the wider of the two.
    """

    case: Case
    quantile: str
    """As in a metric's name: p10, p99."""
    ratio: Estimate


@dataclass(frozen=True)
class ComparisonResult:
    """Two treatments, compared within blocks, on the primary summary.

    ``ratio`` is other over baseline as measured (1.13 is 13 % more, whatever the metric's direction); ``blocks`` the
    ratio of each block used, in order. ``look`` is the planned look at which it was decided or stopped. Verdicts are
    of ``other``: better, worse, same (within ``matters``), inconclusive, not-measured. ``detectable`` is the smallest
    ratio above 1 that this many blocks of this spread would have shown in 8 of 10 studies; ``blocks_needed`` is given
    when inconclusive. ``blocking_gain`` is the variance of the unpaired over that of the paired comparison.
    """

    factor: str
    baseline: str
    other: str
    fixed: Mapping[str, Scalar]
    verdict: Verdict
    because: str
    ratio: Estimate | None
    blocks: tuple[float, ...]
    look: int | None
    alpha: float | None
    sign_flip_p: float | None
    at_least_margin: bool
    negligible: bool
    detectable: float | None
    blocks_needed: int | None
    blocking_gain: float | None
    scaling: Scaling | None
    exploratory: tuple[Exploratory, ...]
    robust: Estimate | None = None
    """The ratio by ranks (Hodges-Lehmann) at the same alpha, from 12 blocks on: it is shown and never decides."""
    shifts: tuple[Shift, ...] = ()
    """Where along the response times the two differ, in the first and the last case."""
    blocks_needed_for: Outcome | None = None
    """What ``blocks_needed`` would show if center and spread stayed the same; None without such a number."""
    without_repeats: Estimate | None = None
    """The ratio over the blocks in which neither run had a case measured again; it decides nothing. None, and absent
    from analysis.json, if no run had, or fewer than two such blocks are left."""
    without_outliers: Estimate | None = None
    """The ratio over the blocks in which neither run is far from the median of its treatment; it decides nothing. None,
    and absent from analysis.json, if no run is, or fewer than two such blocks are left."""
