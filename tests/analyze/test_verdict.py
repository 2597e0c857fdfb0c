import math
import sys
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headtohead.analyze.samples.valid_values import LEAST, MOST
from headtohead.analyze.statistics.verdict import ruling_on
from headtohead.analyze.study import analyze
from headtohead.analyze.verdicts.winner import verdict_of
from headtohead.model.analysis.comparison import Verdict
from headtohead.model.errors import RecordError
from tests.analyze.building import blocks_of, experiment, plan, recording

RATIOS = st.floats(0.5, 2.0)
EXTREME = (5e-324, 2.3e-308, 1e-90, 1e-20, 1.0, 1e20, 1e90, sys.float_info.max)


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.99, 1.02, "same"),
        (1.005, 1.02, "same"),
        (1.04, 1.08, "better"),
        (1.01, 1.08, "better"),
        (0.90, 0.99, "worse"),
        (0.98, 1.05, "inconclusive"),
        (0.90, 1.10, "inconclusive"),
        (1.0, 1.05, "inconclusive"),
    ],
)
def test_one_interval_and_a_margin_give_one_of_four_verdicts(low: float, high: float, verdict: str) -> None:
    assert ruling_on(low, high, matters=1.03, better="higher").verdict == verdict


def test_a_small_ratio_that_is_no_chance_is_same_and_called_negligible() -> None:
    assert ruling_on(1.005, 1.02, matters=1.03, better="higher").negligible
    assert not ruling_on(0.995, 1.02, matters=1.03, better="higher").negligible


def test_an_interval_beyond_the_margin_says_at_least() -> None:
    assert ruling_on(1.04, 1.08, matters=1.03, better="higher").at_least_margin
    assert not ruling_on(1.01, 1.08, matters=1.03, better="higher").at_least_margin
    assert ruling_on(0.90, 0.95, matters=1.03, better="higher").at_least_margin


@given(low=RATIOS, width=st.floats(0, 0.5), matters=st.sampled_from([1.0, 1.01, 1.03, 1.1]))
def test_swapping_the_arms_turns_better_into_worse_and_leaves_the_rest(
    low: float, width: float, matters: float
) -> None:
    high = low * (1 + width)
    turned = {"better": "worse", "worse": "better"}
    mine = ruling_on(low, high, matters=matters, better="higher")
    swapped = ruling_on(1 / high, 1 / low, matters=matters, better="higher")
    # at the very edge of the margin 1 / (1 / x) may round to the other side
    if min(abs(x - e) for x in (low, high) for e in (1.0, matters, 1 / matters)) > 1e-9:
        assert swapped.verdict == turned.get(mine.verdict, mine.verdict)


@given(low=RATIOS, width=st.floats(0, 0.5))
def test_a_metric_of_which_less_is_better_turns_the_verdict(low: float, width: float) -> None:
    high = low * (1 + width)
    turned = {"better": "worse", "worse": "better"}
    mine = ruling_on(low, high, matters=1.03, better="higher")
    assert ruling_on(low, high, matters=1.03, better="lower").verdict == turned.get(mine.verdict, mine.verdict)


def test_a_metric_that_is_only_shown_is_never_judged() -> None:
    assert ruling_on(2.0, 3.0, matters=1.03, better="neither").verdict == "inconclusive"


POSITIVE = st.floats(0, sys.float_info.max, exclude_min=True)
"""Every positive finite number, the least and the greatest ones included."""


@given(low=POSITIVE, high=POSITIVE, matters=st.floats(1, sys.float_info.max))
def test_any_positive_interval_has_a_verdict(low: float, high: float, matters: float) -> None:
    low, high = sorted((low, high))
    found = ruling_on(low, high, matters=matters, better="higher").verdict
    assert found == "inconclusive" if low <= 1 <= high and high >= matters else found in get_args(Verdict)


def _is_possible(value: float) -> bool:
    return all(LEAST <= each <= MOST for each in (value, 1e9 / value))  # with the p99


@settings(max_examples=60)
@given(data=st.data())
def test_extreme_values_are_analyzed_or_refused_in_plain_words(data: st.DataObject) -> None:
    blocks = data.draw(st.sampled_from([2, 6, 10]))
    runs = st.lists(st.sampled_from(EXTREME) | POSITIVE, min_size=blocks, max_size=blocks)
    alike = st.sampled_from(EXTREME).map(lambda each: [each] * blocks)
    values = {label: data.draw(runs | alike, label) for label in ("apache", "nginx")}
    told = recording(blocks_of(values))
    possible = [all(map(_is_possible, of_block)) for of_block in zip(*values.values(), strict=True)]
    try:
        (result,) = analyze(told).experiments
    except RecordError:
        assert not all(possible)
        return
    assert all(possible[:6])  # blocks after the look that ends an experiment are not analyzed
    (pair,) = result.comparisons
    ends = pair.ratio.interval if pair.ratio else None
    assert ends is None or all(map(math.isfinite, (ends.low, ends.high)))


def test_a_margin_below_1_is_refused() -> None:
    of = experiment(matters=0.0)
    with pytest.raises(RecordError, match="cannot be analyzed"):
        analyze(recording(blocks_of({"apache": [1.0] * 10, "nginx": [2.0] * 10}, of=of), of=plan(of)))


def test_fewer_than_six_blocks_carry_no_verdict() -> None:
    ruling = verdict_of(0.5, 0.01, n=5, matters=1.03, better="higher")
    assert ruling.verdict == "inconclusive"
    assert ruling.because.startswith("too few blocks")
    assert verdict_of(0.5, 0.01, n=6, matters=1.03, better="higher").verdict == "better"
