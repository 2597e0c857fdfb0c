"""Our statistics held against libraries that others keep: pragmastat and statsmodels (scipy: the tests of each)."""

import math

import numpy as np
import pytest
from pragmastat import Sample, center, center_bounds
from statsmodels.stats.power import TTestPower
from statsmodels.stats.weightstats import ttost_paired

from headtohead.analyze.statistics.paired import Floats, center_and_half_width, detectable
from headtohead.analyze.statistics.robust_ratio_by_ranks import hodges_lehmann, ranks_cut
from headtohead.analyze.statistics.verdict import ruling_on
from headtohead.plan.forecast.duration import detectable as forecast

SEEDS = range(12)


def logs(seed: int, *, n: int, middle: float = 0.02, spread: float = 0.03) -> Floats:
    return np.asarray(np.random.default_rng(seed).normal(middle, spread, size=n), dtype=np.float64)


def held(n: int, alpha: float) -> float:
    """Return the error that signed ranks of n blocks really have where ``alpha`` is allowed: ranks are whole."""
    ways = [1, *[0] * (n * (n + 1) // 2)]
    for rank in range(1, n + 1):
        ways = [count + (ways[total - rank] if total >= rank else 0) for total, count in enumerate(ways)]
    return 2 * sum(ways[: ranks_cut(n, alpha=alpha) + 1]) / float(1 << n)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("n", "alpha"), [(12, 0.05), (16, 0.028), (24, 0.0158)])
def test_hodges_lehmann_and_its_interval_are_those_of_pragmastat(n: int, alpha: float, seed: int) -> None:
    """Of a level between two ranks pragmastat takes the first that breaks it, and ours the last that keeps it."""
    told = logs(seed, n=n)
    found = hodges_lehmann(told, alpha=alpha)
    assert found is not None
    assert found.interval is not None
    assert held(n, alpha) <= alpha
    bounds = center_bounds(Sample(list(told)), held(n, alpha))
    assert math.log(found.value) == pytest.approx(center(Sample(list(told))).value, abs=1e-12)
    assert math.log(found.interval.low) == pytest.approx(bounds.lower, abs=1e-12)
    assert math.log(found.interval.high) == pytest.approx(bounds.upper, abs=1e-12)


@pytest.mark.parametrize("seed", range(60))
def test_the_same_within_the_margin_is_what_two_one_sided_tests_of_statsmodels_show(seed: int) -> None:
    alpha, matters = 0.028, 1.03
    told = logs(seed, n=10, middle=0.01 * (seed % 4), spread=0.004 * (1 + seed % 5))
    center_, half = (float(each) for each in center_and_half_width(told, alpha=alpha))
    ours = ruling_on(math.exp(center_ - half), math.exp(center_ + half), matters=matters, better="higher")
    baseline = np.full(10, 100.0)
    p, _, _ = ttost_paired(baseline * np.exp(told), baseline, 1 / matters, matters, transform=np.log)
    assert (ours.verdict == "same") == (p < alpha / 2)


def test_margins_are_kept_and_missed_in_that_test() -> None:
    """The one above would hold of verdicts that are never "same"."""
    told = [ruling_on(0.99, 1.01, matters=1.03, better="higher"), ruling_on(0.99, 1.04, matters=1.03, better="higher")]
    assert [each.verdict for each in told] == ["same", "inconclusive"]


@pytest.mark.parametrize(("n", "alpha"), [(6, 0.028), (10, 0.028), (24, 0.0158), (60, 0.05)])
def test_the_detectable_difference_is_that_of_statsmodels_power(n: int, alpha: float) -> None:
    told = logs(1, n=n)
    spread = float(told.std(ddof=1))
    effect = TTestPower().solve_power(nobs=n, alpha=alpha, power=0.8, alternative="two-sided")
    assert math.log(detectable(told, alpha=alpha)) == pytest.approx(effect * spread, rel=0.03)
    planned = forecast(n, spread=spread, alpha=alpha)
    assert planned is not None
    assert math.log(planned) == pytest.approx(effect * spread, rel=0.03)
