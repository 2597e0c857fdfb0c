import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from headtohead.analyze.statistics.paired import Floats
from headtohead.analyze.statistics.robust_ratio_by_ranks import LEAST_BLOCKS, hodges_lehmann, ranks_cut

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


def test_a_level_that_no_signs_reach_has_no_interval() -> None:
    logs = np.arange(12.0) / 100
    assert hodges_lehmann(logs, alpha=2 * 2.0**-12) is not None
    assert hodges_lehmann(logs, alpha=1.9 * 2.0**-12) is None


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


ADDITIVE = (
    "9.516927224691715 8.49429110854656 8.742147445901901 8.682360261372322 8.492093654887572 9.74755203583697 "
    "10.32146277374498 8.797112858445278 9.552121123233606 9.754694182650157 9.408207417304974 8.876230486005934 "
    "8.25328080532063 9.397247877276866 9.834616419745377 9.689297678531283 8.900794564404086 10.379206333098217 "
    "11.33893734502592 8.295063553839562"
)
UNIFORM = (
    "0.9203805313125595 0.34350102339469746 0.07243173322918839 0.39458050181411974 0.08949692520153907 "
    "0.15634695649001407 0.5571331433884698 0.47290342153152365 0.9578935103856804 0.6422557051414516 "
    "0.2639771563106621 0.7939407194060699 0.1587240196175813 0.4134662286875538 0.23769307743879375 "
    "0.6027640805618181 0.18420057203590168 0.9820687051882052 0.6111976247090426 0.7300969608815128"
)


@pytest.mark.parametrize(
    ("sample", "alpha", "low", "high"),
    [
        (" ".join(map(str, range(-7, 8))), 0.01, -3.5, 3.5),
        (ADDITIVE, 0.05, 8.944670766082245, 9.640000448751152),
        (UNIFORM, 0.05, 0.32855199678371266, 0.6109353333481713),
    ],
)
def test_each_end_is_pragmastats_or_the_next_pairwise_mean_outwards(
    sample: str, alpha: float, low: float, high: float
) -> None:
    """Samples and bounds of pragmastat's own fixtures for ``center-bounds`` (commit fcca02d).

    Its bounds may be one pairwise mean further in: then they leave out more than ``alpha``, as scipy's test tells.
    """
    logs = np.array(list(map(float, sample.split())))
    first, second = np.triu_indices(len(logs))
    means = np.sort((logs[first] + logs[second]) / 2)
    cut = ranks_cut(len(logs), alpha=alpha)
    assert any(means[cut + step] == pytest.approx(low, abs=1e-12) for step in (0, 1))
    assert any(means[len(means) - 1 - cut - step] == pytest.approx(high, abs=1e-12) for step in (0, 1))
