import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from headtohead.analyze.statistics.estimate import geometric, typical_error, welch_center
from headtohead.analyze.statistics.paired import (
    Floats,
    blocking_gain,
    blocks_needed,
    center_and_half_width,
    detectable,
    sign_flip_p,
    t_quantile,
    t_tail,
)

LOGS = st.lists(st.floats(-0.5, 0.5).map(lambda x: round(x, 6)), min_size=2, max_size=12)
POSITIVE = st.lists(st.floats(0.1, 1e6), min_size=2, max_size=12)


@given(logs=LOGS, alpha=st.sampled_from([0.05, 0.028, 0.0158]))
def test_the_interval_is_the_one_that_scipy_gives(logs: list[float], alpha: float) -> None:
    table = np.array(logs)
    center, half = center_and_half_width(table, alpha=alpha)
    if np.ptp(table) < 1e-6:
        return  # scipy warns of values that are nearly equal
    oracle = stats.ttest_1samp(table, 0).confidence_interval(1 - alpha)
    assert float(center - half) == pytest.approx(oracle.low, rel=1e-9, abs=1e-12)
    assert float(center + half) == pytest.approx(oracle.high, rel=1e-9, abs=1e-12)


def test_many_comparisons_at_once_are_as_each_by_itself() -> None:
    table = np.random.default_rng(1).normal(size=(50, 10))
    centers, halves = center_and_half_width(table, alpha=0.028)
    for row, center, half in zip(table, centers, halves, strict=True):
        assert [float(each) for each in center_and_half_width(row, alpha=0.028)] == pytest.approx([center, half])


@given(logs=LOGS, shift=st.floats(-1, 1))
def test_a_common_factor_moves_the_center_and_leaves_the_width(logs: list[float], shift: float) -> None:
    center, half = center_and_half_width(np.array(logs), alpha=0.05)
    moved, same = center_and_half_width(np.array(logs) + shift, alpha=0.05)
    assert float(moved) == pytest.approx(float(center) + shift, abs=1e-12)
    assert float(same) == pytest.approx(float(half), abs=1e-12)


def scipys_p(table: Floats) -> float:
    """Return what scipy counts over all flips, all at once."""
    told = stats.permutation_test((table,), np.sum, permutation_type="samples", n_resamples=math.inf, vectorized=True)
    return float(told.pvalue)


@given(logs=LOGS)
def test_the_sign_flip_p_is_the_one_that_scipy_counts(logs: list[float]) -> None:
    table = np.array(logs)
    assert sign_flip_p(table) == pytest.approx(scipys_p(table), abs=1e-12)


@given(logs=LOGS, seed=st.integers(0, 1000))
def test_neither_the_order_of_blocks_nor_a_swap_of_arms_changes_the_sign_flip_p(logs: list[float], seed: int) -> None:
    table = np.array(logs)
    shuffled = np.random.default_rng(seed).permutation(table)
    assert sign_flip_p(shuffled) == sign_flip_p(table) == sign_flip_p(-table)


def test_beyond_16_blocks_drawn_flips_come_near_the_exact_p() -> None:
    table = np.random.default_rng(3).normal(0.3, 1, size=17)
    drawn, exact = sign_flip_p(table), scipys_p(table)
    # 200,000 draws of a share p have the standard deviation sqrt(p (1 - p) / 200,000)
    assert drawn == pytest.approx(exact, abs=5 * math.sqrt(exact * (1 - exact) / 200_000))
    assert sign_flip_p(table) == drawn


def test_six_blocks_of_one_sign_have_the_smallest_p_that_six_can_have() -> None:
    assert sign_flip_p(np.full(6, 0.1)) == 2 / 2**6


def test_quantiles_and_tails_are_those_of_student() -> None:
    assert t_quantile(0.986, 5) == pytest.approx(stats.t.ppf(0.986, 5))
    assert t_tail(-2.5, 9) == pytest.approx(2 * stats.t.sf(2.5, 9))


def test_the_detectable_ratio_is_found_in_about_8_of_10_studies() -> None:
    rng = np.random.default_rng(5)
    n, sd, alpha = 10, 0.05, 0.05
    # a sample of exactly this standard deviation
    sample = stats.zscore(rng.normal(size=n), ddof=1) * sd
    effect = math.log(detectable(sample, alpha=alpha))
    center, half = center_and_half_width(rng.normal(effect, sd, size=(4000, n)), alpha=alpha)
    # the formula of METHOD.md 1.5 takes a central t for a noncentral one, hence the width
    assert float(np.mean(center - half > 0)) == pytest.approx(0.8, abs=0.04)


def test_blocks_needed_grow_with_the_square_of_the_half_width() -> None:
    few = blocks_needed(0.0, 0.04, n=10, matters=1.03)
    many = blocks_needed(0.0, 0.08, n=10, matters=1.03)
    assert few is not None
    assert many is not None
    assert many == pytest.approx(4 * few, abs=4)
    assert blocks_needed(0.0, 0.1, n=10, matters=1.0) is None


def test_blocks_that_are_added_are_judged_at_their_own_level() -> None:
    wanted = math.log(1.03) - 0.0212
    half = 0.0222
    planned = blocks_needed(-0.0212, half, n=10, matters=1.03, wins=False)
    added = blocks_needed(-0.0212, half, n=10, matters=1.03, wins=False, alpha=(0.028, 0.005))
    assert planned is not None
    assert added is not None
    assert added > planned
    spread = half / float(stats.t.ppf(1 - 0.014, 9)) * math.sqrt(10)
    assert float(stats.t.ppf(1 - 0.0025, added - 1)) * spread / math.sqrt(added) == pytest.approx(wanted, rel=0.01)


def test_blocking_gains_where_the_arms_move_together() -> None:
    noise = np.array([0.3, -0.1, 0.2, -0.4, 0.1, 0.0])
    small = np.array([0.01, -0.01, 0.02, 0.0, -0.02, 0.01])
    gain = blocking_gain(noise, noise + small)
    assert gain is not None
    assert gain > 100
    assert blocking_gain(noise, noise) is None


@given(values=POSITIVE, factor=st.floats(0.001, 1000))
def test_scaling_all_values_scales_the_estimate_and_its_interval(values: list[float], factor: float) -> None:
    plain, scaled = geometric(values), geometric([factor * value for value in values])
    assert plain is not None
    assert scaled is not None
    assert plain.interval is not None
    assert scaled.interval is not None
    assert scaled.value == pytest.approx(factor * plain.value)
    assert scaled.interval.low == pytest.approx(factor * plain.interval.low)


def test_an_estimate_of_one_run_has_no_interval_and_of_none_is_none() -> None:
    one = geometric([7.0])
    assert one is not None
    assert (one.value, one.interval, one.n) == (7.0, None, 1)
    assert geometric([]) is None


def test_values_with_a_zero_have_an_arithmetic_mean() -> None:
    mean = geometric([0.0, 2.0])
    assert mean is not None
    assert mean.value == 1.0


def test_the_typical_error_is_the_coefficient_of_variation() -> None:
    assert typical_error([99.0, 100.0, 101.0]) == pytest.approx(0.01)
    assert typical_error([1.0]) is None


@given(a=POSITIVE, b=POSITIVE)
def test_welch_is_the_one_that_scipy_gives(a: list[float], b: list[float]) -> None:
    logs = [np.log(each) for each in (a, b)]
    if min(np.ptp(each) for each in logs) < 1e-6:
        return  # scipy warns of values that are nearly equal
    told = welch_center(logs[0], logs[1]).estimate(alpha=0.05)
    assert told.interval is not None
    oracle = stats.ttest_ind(logs[1], logs[0], equal_var=False).confidence_interval(0.95)
    assert math.log(told.interval.low) == pytest.approx(oracle.low, rel=1e-6, abs=1e-9)
    assert math.log(told.interval.high) == pytest.approx(oracle.high, rel=1e-6, abs=1e-9)
