"""Many systems at once: Welch's interval as scipy has it, sums of means, and the ranks that intervals allow."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from headtohead.analyze.statistics.estimate import geometric, welch_center
from headtohead.analyze.statistics.ratios_and_ranks import (
    LogMeans,
    against,
    log_means,
    mean_of,
    ranks_of,
    summed,
    t_quantiles,
)

TRIALS = 2000
SYSTEMS, RUNS = 8, 10

spans = st.tuples(st.floats(1, 100), st.floats(0, 20)).map(lambda each: (each[0], each[0] + each[1]))


def logs(n: int, center: float, variance: float, df: float) -> LogMeans:
    return LogMeans(np.array([n]), np.array([center]), np.array([variance]), np.array([df]))


def test_logarithms_of_one_and_four_have_the_mean_of_two() -> None:
    told = log_means([(1.0, 4.0), (8.0,), (2.0, 0.0)])
    assert told.n.tolist() == [2, 1, 2]
    assert told.center[0] == pytest.approx(math.log(2))
    # deviations of -ln 2 and ln 2: a variance of 2 (ln 2)^2 over 2 runs
    assert told.variance[0] == pytest.approx(math.log(2) ** 2)
    assert told.df[0] == 1
    assert told.center[1] == pytest.approx(math.log(8))
    assert np.isnan(told.variance[1:]).all()
    assert np.isnan(told.center[2])


def test_ratio_and_interval_are_welchs_by_scipy_and_those_of_a_pair_alone() -> None:
    chance = np.random.default_rng(1)
    samples = [np.exp(chance.normal(5 + place, 0.1 * (place + 1), size)) for place, size in enumerate((10, 7, 4, 12))]
    told = against(log_means([each.tolist() for each in samples]), 0)
    half = told.half_widths(alpha=0.01)
    for place in (1, 2, 3):
        found = stats.ttest_ind(np.log(samples[place]), np.log(samples[0]), equal_var=False)
        ends = found.confidence_interval(0.99)
        assert told.df[place] == pytest.approx(found.df)
        assert told.center[place] - half[place] == pytest.approx(ends.low)
        assert told.center[place] + half[place] == pytest.approx(ends.high)
        pair = welch_center(np.log(samples[0]), np.log(samples[place])).estimate(alpha=0.01)
        assert pair.interval is not None
        assert math.exp(ends.high) == pytest.approx(pair.interval.high)


def test_a_system_of_three_runs_beside_one_of_ten_has_the_degrees_of_freedom_of_the_smaller() -> None:
    chance = np.random.default_rng(1)
    samples = [np.exp(chance.normal(5, 0.1, size)).tolist() for size in (10, 3)]
    assert against(log_means(samples), 0).df[1] == 2


def test_one_system_alone_has_the_interval_that_reports_give_it() -> None:
    sample = [100.0, 104.0, 99.0, 101.0]
    told = log_means([sample, [1.0, 2.0]])
    half = told.half_widths(alpha=0.05)
    alone = geometric(sample)
    assert alone is not None
    assert alone.interval is not None
    assert math.exp(told.center[0] + half[0]) == pytest.approx(alone.interval.high)


def test_runs_that_do_not_differ_leave_nothing_open() -> None:
    told = against(log_means([[100.0] * 6, [120.0] * 4]), 0)
    assert math.exp(told.center[1]) == pytest.approx(1.2)
    assert told.half_widths(alpha=0.05)[1] == pytest.approx(0, abs=1e-12)
    exactly = against(log_means([[1.0] * 6, [1.0] * 4]), 0)
    assert (exactly.variance[1], exactly.df[1]) == (0.0, 8.0)


def test_a_mean_of_two_ratios_has_the_degrees_of_freedom_of_satterthwaite() -> None:
    told = mean_of([logs(4, math.log(2), 4.0, 3.0), logs(10, math.log(8), 9.0, 9.0)], signs=(1.0, 1.0))
    assert math.exp(told.center[0]) == pytest.approx(4.0)
    assert told.variance[0] == pytest.approx((4 + 9) / 4)
    # (4 + 9)^2 / (4^2 / 3 + 9^2 / 9)
    assert told.df[0] == pytest.approx(169 / (16 / 3 + 9))
    turned = summed([logs(4, math.log(2), 4.0, 3.0), logs(10, math.log(8), 9.0, 9.0)], signs=(1.0, -1.0))
    assert math.exp(turned.center[0]) == pytest.approx(0.25)


def test_quantiles_are_the_same_one_by_one_and_together() -> None:
    few = t_quantiles(0.975, np.array([9.0, 9.0, 9.0, np.nan]))
    many = t_quantiles(0.975, np.array([9.0, 3.0, 4.5]))
    # of tables of Student's t
    assert few[:3] == pytest.approx([2.262157] * 3)
    assert np.isnan(few[3])
    assert many == pytest.approx([2.262157, 3.182446, stats.t.ppf(0.975, 4.5)])


def test_a_chain_of_overlaps_shares_ranks_by_pairs_alone() -> None:
    low, high = np.array([10.0, 10.8, 11.6, 20.0]), np.array([11.0, 11.8, 12.6, 21.0])
    assert ranks_of(low, high, better="higher") == [(3, 4), (2, 4), (2, 3), (1, 1)]
    assert ranks_of(low, high, better="lower") == [(1, 2), (1, 3), (2, 3), (4, 4)]
    assert ranks_of(low, high, better="neither") == [None] * 4


def test_one_without_an_interval_has_no_rank_and_takes_none() -> None:
    low, high = np.array([10.0, np.nan, 20.0]), np.array([11.0, np.nan, 21.0])
    assert ranks_of(low, high, better="higher") == [(2, 2), None, (1, 1)]


@given(st.lists(spans, min_size=2, max_size=12))
def test_overlapping_intervals_share_a_rank_and_others_are_in_order(ends: list[tuple[float, float]]) -> None:
    low, high = (np.array(each) for each in zip(*ends, strict=True))
    told = ranks_of(low, high, better="higher")
    for one, mine in zip(ends, told, strict=True):
        for other, theirs in zip(ends, told, strict=True):
            assert mine is not None
            assert theirs is not None
            if one[0] > other[1]:
                assert mine[0] < theirs[0]
                assert mine[1] < theirs[1]
            elif one[1] >= other[0]:
                assert mine[0] <= theirs[1]
                assert theirs[0] <= mine[1]


def test_equal_systems_are_told_apart_in_at_most_6_5_percent_of_comparisons() -> None:
    chance = np.random.default_rng(20261120)
    by_rank = by_ratio = 0
    for _ in range(TRIALS):
        told = log_means(np.exp(chance.normal(0, 0.02, (SYSTEMS, RUNS))).tolist())
        half = told.half_widths(alpha=0.05 / SYSTEMS)
        ranks = ranks_of(told.center - half, told.center + half, better="higher")
        by_rank += any(each != (1, SYSTEMS) for each in ranks)
        ratios = against(told, 0, among=SYSTEMS - 1)
        reach = ratios.half_widths(alpha=0.05 / (SYSTEMS - 1))
        by_ratio += bool((np.abs(ratios.center[1:]) > reach[1:]).any())
    assert by_rank <= 0.065 * TRIALS
    assert by_ratio <= 0.065 * TRIALS
    # and the ratios' error is spent, not hoarded: a test that could not fail would be none
    assert by_ratio >= 0.005 * TRIALS
