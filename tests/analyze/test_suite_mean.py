"""A geometric mean taken apart: the arithmetic against scipy, and what may not change it."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from headtohead.analyze.statistics.mean_skew_and_tail_of_cases import LEAST, STRETCH, unlike_others_p
from headtohead.analyze.verdicts.suite_mean import suite_of
from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.suite import Suite
from headtohead.model.quantity import Summary
from headtohead.model.study.workload import Load
from tests.analyze.building import OPERATIONS, treatment
from tests.analyze.suites import KERNELS, result, scaled, suiting

RATES = [100.0, 2000.0, 350.0, 80.0, 900.0, 410.0, 77.0, 1200.0, 55.0, 640.0]
FACTORS = [1.10, 0.98, 1.05, 1.21, 1.02, 0.93, 1.08, 1.15, 0.99, 1.04]
ONE_FAR = [1.01, 0.99, 1.02, 0.98, 1.00, 1.01, 0.99, 1.03, 2.50, 1.00]

factors = st.lists(st.floats(0.2, 5.0), min_size=len(KERNELS), max_size=len(KERNELS))


def ends(ratio: Estimate) -> tuple[float, float, float, float]:
    assert ratio.interval is not None
    return ratio.interval.low, ratio.value, ratio.interval.high, ratio.interval.confidence


def suite(told: list[float], *, step: float = 0.002, blocks: int = 6) -> Suite:
    return result({"gcc": RATES, "clang": scaled(RATES, told)}, step=step, blocks=blocks).suites[0]


def test_the_mean_for_these_kernels_is_the_primary_ratio_itself() -> None:
    found = result({"gcc": RATES, "clang": scaled(RATES, FACTORS)})
    decides = found.comparisons[0].ratio
    assert decides is not None
    assert ends(found.suites[0].ratio) == pytest.approx(ends(decides))


def test_every_kernel_is_there_with_its_exploratory_ratio_the_best_first() -> None:
    found = result({"gcc": RATES, "clang": scaled(RATES, FACTORS)})
    told = {each.case: each.ratio for each in found.comparisons[0].exploratory}
    cases = found.suites[0].cases
    assert len(cases) == len(told) == len(KERNELS)
    assert [ends(each.ratio) for each in cases] == [pytest.approx(ends(told[each.case])) for each in cases]
    assert [each.case.text for each in cases][:2] == ["kernel=lu", "kernel=stencil"]
    assert cases[-1].case.text == "kernel=n-body"


def test_where_less_is_better_the_lowest_ratio_is_the_best() -> None:
    lower = suiting(metrics={OPERATIONS.name: replace(OPERATIONS, better="lower")})
    found = result({"gcc": RATES, "clang": scaled(RATES, FACTORS)}, of=lower)
    assert found.suites[0].cases[0].case.text == "kernel=n-body"


def test_for_kernels_like_these_is_a_t_over_the_kernels_stretched_toward_their_tail() -> None:
    taken = suite(FACTORS, step=0.0)
    logs = np.log(FACTORS)
    level = 0.972
    alone = stats.ttest_1samp(logs, 0.0).confidence_interval(level)
    assert taken.like_these is not None
    assert taken.like_these.confidence == pytest.approx(level)
    stretch = 1 + STRETCH * float(stats.skew(logs)) / len(logs)
    high = logs.mean() + (alone.high - logs.mean()) * stretch
    assert stretch > 1
    assert (taken.like_these.low, taken.like_these.high) == pytest.approx((math.exp(alone.low), math.exp(high)))


def test_for_kernels_like_these_is_never_narrower_than_for_these() -> None:
    alike = suite([1.1] * len(KERNELS), step=0.05)
    assert alike.like_these is not None
    assert alike.ratio.interval is not None
    assert alike.like_these.low <= alike.ratio.interval.low
    assert alike.like_these.high >= alike.ratio.interval.high


def test_spread_and_skew_are_those_of_scipy() -> None:
    taken = suite(FACTORS, step=0.0)
    assert taken.spread == pytest.approx(stats.gstd(FACTORS))
    assert taken.skewness == pytest.approx(stats.skew(np.log(FACTORS)))
    assert taken.skew_p == pytest.approx(stats.skewtest(np.log(FACTORS)).pvalue)
    assert not taken.skewed


def test_a_kernel_far_from_the_others_is_named_and_kept() -> None:
    taken = suite(ONE_FAR)
    assert [each.case.text for each in taken.cases if each.tail] == ["kernel=triad"]
    assert taken.skewed
    assert taken.skewed_without_tail is False
    assert taken.ratio.value == pytest.approx(stats.gmean(ONE_FAR), rel=0.01)
    assert len(taken.cases) == len(KERNELS)


def test_a_kernel_that_is_but_noisy_makes_no_tail() -> None:
    noisy = suite(ONE_FAR, step=0.6)
    assert not any(each.tail for each in noisy.cases)


def test_a_kernel_has_the_p_that_it_changes_as_the_others_do_and_not_that_it_does_not_change() -> None:
    slower = [0.8] * len(KERNELS)
    slower[KERNELS.index("lu")] = 1.0
    found = result({"gcc": RATES, "clang": scaled(RATES, slower)})
    p = {each.case.text: each.unlike_p for each in found.suites[0].cases}
    assert p["kernel=lu"] == pytest.approx(2**-5), "it alone does not change, in each of six blocks"
    told = {each.case.text: each.unadjusted_p for each in found.comparisons[0].exploratory if each.case}
    alike = suite([0.8] * len(KERNELS), step=0.02)
    assert told["kernel=fft"] == pytest.approx(2**-5), "it changes"
    assert all(each.unlike_p is not None and each.unlike_p > 0.1 for each in alike.cases), "as all do"


def test_what_a_block_does_to_all_kernels_leaves_the_p_that_one_is_unlike_the_others() -> None:
    chance = np.random.default_rng(8)
    table = chance.normal(0.0, 0.05, (10, 12))
    assert unlike_others_p(table + chance.normal(0.0, 1.0, 12)) == pytest.approx(unlike_others_p(table))


def test_a_kernel_that_is_like_the_others_has_a_small_p_in_few_studies() -> None:
    chance = np.random.default_rng(9)
    p = [unlike_others_p(chance.normal(-0.1, 0.05, (10, 10)) + chance.normal(0.0, 0.1, 10)) for _ in range(400)]
    assert np.mean(np.asarray(p) < 0.05) <= 0.06
    assert np.mean(np.min(p, axis=1) * 10 < 0.05) <= 0.075


def test_equal_ratios_have_no_skew_and_no_tail() -> None:
    taken = suite([1.25] * len(KERNELS), step=0.0)
    assert (taken.skewness, taken.skew_p, taken.skewed) == (None, None, False)
    assert taken.spread == pytest.approx(1.0)
    assert not any(each.tail for each in taken.cases)
    assert taken.like_these is not None
    assert taken.like_these.low == pytest.approx(1.25)


def test_of_one_block_there_is_no_interval() -> None:
    taken = suite(FACTORS, blocks=1)
    assert (taken.ratio.interval, taken.like_these, taken.ratio.n) == (None, None, 1)


@settings(max_examples=10)
@given(factors)
def test_swapping_the_baseline_inverts_every_ratio_and_turns_the_skew(told: list[float]) -> None:
    rates = {"gcc": RATES, "clang": scaled(RATES, told)}
    there, back = (result(rates, of=of).suites[0] for of in (suiting(), suiting(treatment("clang"), treatment("gcc"))))
    assert there.like_these is not None
    assert back.like_these is not None
    assert back.ratio.value == pytest.approx(1 / there.ratio.value)
    assert back.like_these.high == pytest.approx(1 / there.like_these.low)
    assert back.spread == pytest.approx(there.spread)
    assert {each.case for each in back.cases if each.tail} == {each.case for each in there.cases if each.tail}
    if there.skewness is not None:
        assert back.skewness == pytest.approx(-there.skewness, abs=1e-6)


@settings(max_examples=10)
@given(factors, st.floats(0.25, 4.0))
def test_scaling_all_kernels_alike_moves_the_mean_and_neither_spread_nor_skew(told: list[float], by: float) -> None:
    plain, moved = suite(told), suite(scaled(told, by))
    assert plain.like_these is not None
    assert moved.like_these is not None
    assert moved.ratio.value == pytest.approx(by * plain.ratio.value)
    assert moved.like_these.high == pytest.approx(by * plain.like_these.high)
    assert moved.spread == pytest.approx(plain.spread)
    assert moved.skewness == pytest.approx(plain.skewness)
    assert {each.case for each in moved.cases if each.tail} == {each.case for each in plain.cases if each.tail}


def test_a_run_without_one_kernel_counts_for_none() -> None:
    found = result({"gcc": RATES, "clang": [*scaled(RATES, FACTORS)[:-1], 0.0]})
    assert found.suites == ()


def test_only_eight_or_more_names_under_a_geometric_mean_are_a_suite() -> None:
    few = KERNELS[: LEAST - 1]
    mean = Summary("overall", OPERATIONS.name, "mean", {})
    some = Summary("overall", OPERATIONS.name, "geometric-mean", {"kernel": few})
    sizes = tuple({"kib": 2**k} for k in range(10))
    numbers = suiting(cases=sizes, load=Load("batch", {"kib": tuple(range(10))}, {}))
    twice = tuple({"kernel": name, "copies": copies} for name in KERNELS for copies in (1, 2))

    assert suite_of(suiting()) is not None
    assert suite_of(suiting(kernels=KERNELS[:LEAST])) is not None
    assert suite_of(suiting(kernels=few)) is None
    assert suite_of(suiting(primary=mean)) is None
    assert suite_of(suiting(primary=some)) is None
    assert suite_of(numbers) is None
    assert suite_of(suiting(cases=twice)) is None


def test_what_is_no_suite_has_none() -> None:
    few = suiting(treatment("gcc"), treatment("clang"), kernels=KERNELS[:3])
    found = result({"gcc": RATES[:3], "clang": RATES[:3]}, of=few)
    assert (found.suite, found.suites, found.yardstick) == ("", (), None)
