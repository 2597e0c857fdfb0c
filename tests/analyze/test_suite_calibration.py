"""How often both intervals of a geometric mean hold the truth, in the noise of runs and in the chance of kernels.

A replicate is 34 kernels in 6 blocks: each kernel has an effect of its own (drawn once for the kernel), each block one
that all its kernels share, and each value one of its own.
"""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from benches.verdicts.suites import covered as skewed_covered
from headtohead.analyze.statistics.estimate import paired_center
from headtohead.analyze.statistics.mean_skew_and_tail_of_cases import like_these, means
from headtohead.analyze.statistics.paired import center_and_half_width, t_quantile

Floats = NDArray[np.float64]

REPLICATES, KERNELS, BLOCKS = 10_000, 34, 6
ALPHA = 0.05
TRUTH = math.log(1.1)
OWN = 0.01
"""What a value differs by from run to run by itself."""


def replicates(*, size: int, kernels: float, shared: float, truth: float = TRUTH) -> tuple[Floats, Floats]:
    """Return log ratios (replicate, kernel, block), and the mean of the effects of each replicate's kernels."""
    chance = np.random.default_rng(20261120)
    effects = truth + kernels * chance.standard_normal((size, KERNELS, 1))
    noise = shared * chance.standard_normal((size, 1, BLOCKS)) + OWN * chance.standard_normal((size, KERNELS, BLOCKS))
    return effects + noise, effects.mean(axis=(1, 2))


@pytest.mark.parametrize("kernels", [0.0, 0.15])
@pytest.mark.parametrize("shared", [0.0, 0.02])
def test_for_these_kernels_holds_the_mean_of_these_at_its_level(kernels: float, shared: float) -> None:
    logs, truth = replicates(size=REPLICATES, kernels=kernels, shared=shared)
    center, half = center_and_half_width(logs.mean(axis=1), alpha=ALPHA)
    assert np.mean(np.abs(center - truth) <= half) == pytest.approx(1 - ALPHA, abs=0.01)


def test_of_a_subject_against_itself_it_names_a_false_difference_as_often_as_it_says() -> None:
    logs, _ = replicates(size=REPLICATES, kernels=0.0, shared=0.02, truth=0.0)
    center, half = center_and_half_width(logs.mean(axis=1), alpha=ALPHA)
    assert np.mean(np.abs(center) > half) == pytest.approx(ALPHA, abs=0.01)


def test_it_is_the_interval_that_a_suite_has() -> None:
    logs, _ = replicates(size=3, kernels=0.15, shared=0.02)
    center, half = center_and_half_width(logs.mean(axis=1), alpha=ALPHA)
    for table, middle, width in zip(logs, center, half, strict=True):
        found = means(table)
        assert found is not None
        assert (found.value, found.half_width(alpha=ALPHA)) == pytest.approx((middle, width))


def test_for_these_kernels_does_not_hold_the_mean_of_their_like() -> None:
    logs, _ = replicates(size=REPLICATES, kernels=0.15, shared=0.0)
    center, half = center_and_half_width(logs.mean(axis=1), alpha=ALPHA)
    assert np.mean(np.abs(center - TRUTH) <= half) < 0.5


def covered(logs: Floats) -> float:
    """Return how often the interval for kernels like these holds the mean of all that there are."""
    found = [like_these(table.mean(axis=1), paired_center(table.mean(axis=0)), alpha=ALPHA) for table in logs]
    return float(np.mean([each.low <= math.exp(TRUTH) <= each.high for each in found]))


@pytest.mark.parametrize(("kernels", "shared"), [(0.15, 0.0), (0.15, 0.02), (0.15, 0.1), (0.02, 0.02), (0.0, 0.02)])
def test_for_kernels_like_these_holds_the_mean_of_their_like(kernels: float, shared: float) -> None:
    logs, _ = replicates(size=2000, kernels=kernels, shared=shared)
    assert 0.935 <= covered(logs) <= 0.99


def test_of_a_subject_against_itself_no_difference_of_its_like_is_named_more_often_than_that() -> None:
    logs, _ = replicates(size=2000, kernels=0.0, shared=0.02, truth=0.0)
    found = [like_these(table.mean(axis=1), paired_center(table.mean(axis=0)), alpha=ALPHA) for table in logs]
    assert np.mean([each.low > 1 or each.high < 1 for each in found]) <= 0.065


def test_a_t_over_the_kernels_alone_would_cry_wolf_where_runs_move_all_of_them() -> None:
    logs, _ = replicates(size=REPLICATES, kernels=0.0, shared=0.02)
    each = logs.mean(axis=2)
    half = t_quantile(1 - ALPHA / 2, KERNELS - 1) * each.std(axis=1, ddof=1) / math.sqrt(KERNELS)
    assert np.mean(np.abs(each.mean(axis=1) - TRUTH) <= half) < 0.5


@pytest.mark.parametrize("kernels", [8, 12, 34])
@pytest.mark.parametrize(("shape", "sign"), [(0.0, 1.0), (0.5, 1.0), (1.0, 1.0), (1.0, -1.0)])
def test_skewed_kernels_are_covered_from_eight_on(kernels: int, shape: float, sign: float) -> None:
    assert skewed_covered(kernels=kernels, shape=shape, sign=sign, size=1500, seed=20261123) >= 0.93
