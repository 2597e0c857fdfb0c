import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from headtohead.analyze.paired import Floats
from headtohead.analyze.ranks import LEAST_BLOCKS, hodges_lehmann, ranks_cut

LOGS = st.lists(st.floats(-0.5, 0.5).map(lambda x: round(x, 6)), min_size=LEAST_BLOCKS, max_size=18, unique=True)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("n", [12, 13, 20])
def test_the_interval_holds_what_the_test_of_signed_ranks_does_not_refuse(n: int, seed: int) -> None:
    logs = np.random.default_rng(seed).normal(0.02, 0.05, size=n)
    found = hodges_lehmann(logs, alpha=0.05)
    assert found is not None
    assert found.interval is not None
    low, high = math.log(found.interval.low), math.log(found.interval.high)
    for inside, at in ((True, low + 1e-9), (False, low - 1e-9), (True, high - 1e-9), (False, high + 1e-9)):
        assert (stats.wilcoxon(logs - at, method="exact").pvalue > 0.05) == inside


@given(logs=LOGS, shift=st.floats(-1, 1), seed=st.integers(0, 100))
def test_a_common_factor_moves_all_three_and_the_order_does_not_matter(
    logs: list[float], shift: float, seed: int
) -> None:
    found = hodges_lehmann(np.array(logs), alpha=0.028)
    shuffled = np.random.default_rng(seed).permutation(np.array(logs)) + shift
    moved = hodges_lehmann(shuffled, alpha=0.028)
    assert found is not None
    assert found.interval is not None
    assert moved is not None
    assert moved.interval is not None
    assert math.log(moved.value) == pytest.approx(math.log(found.value) + shift, abs=1e-9)
    assert math.log(moved.interval.low) == pytest.approx(math.log(found.interval.low) + shift, abs=1e-9)
    assert math.log(moved.interval.high) == pytest.approx(math.log(found.interval.high) + shift, abs=1e-9)


def test_one_run_far_from_the_rest_hardly_moves_it() -> None:
    logs = np.array([0.09, 0.10, 0.11, 0.10, 0.09, 0.11, 0.10, 0.10, 0.105, 0.095, 0.10, -2.0])
    found = hodges_lehmann(logs, alpha=0.05)
    assert found is not None
    assert found.value == pytest.approx(math.exp(0.10), rel=0.01)
    assert math.exp(logs.mean()) < 0.95


def test_below_twelve_blocks_there_is_none() -> None:
    assert hodges_lehmann(np.linspace(0, 1, LEAST_BLOCKS - 1), alpha=0.05) is None


@pytest.mark.parametrize(("n", "largest"), [(12, 13), (16, 29), (24, 81)])
def test_the_cut_is_the_one_of_the_printed_tables(n: int, largest: int) -> None:
    """The largest sums that tables of Wilcoxon's signed ranks give as refused at 5 %, two-sided."""
    assert ranks_cut(n, alpha=0.05) == largest


def white(chance: np.random.Generator) -> Floats:
    return np.asarray(0.05 * chance.standard_normal(LEAST_BLOCKS), dtype=np.float64)


def spiky(chance: np.random.Generator) -> Floats:
    """15 % of the runs of either arm lose about 12 %, and white noise of 2 %."""
    lost = 0.12 * chance.exponential(1.0, (2, LEAST_BLOCKS)) * (chance.random((2, LEAST_BLOCKS)) < 0.15)
    return np.asarray(lost[0] - lost[1] + 0.02 * chance.standard_normal(LEAST_BLOCKS), dtype=np.float64)


@pytest.mark.parametrize("noise", [white, spiky])
def test_of_equal_arms_few_intervals_leave_1_out(noise: Callable[[np.random.Generator], Floats]) -> None:
    chance = np.random.default_rng(20261122)
    intervals = [found.interval for _ in range(4000) if (found := hodges_lehmann(noise(chance), alpha=0.05))]
    assert len(intervals) == 4000
    false = sum(not each.low <= 1 <= each.high for each in intervals if each)
    assert 0.02 <= false / 4000 <= 0.065
