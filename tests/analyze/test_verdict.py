import pytest
from hypothesis import given
from hypothesis import strategies as st

from headtohead.analyze.statistics.verdict import ruling_on
from headtohead.analyze.verdicts.winner import verdict_of

RATIOS = st.floats(0.5, 2.0)


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


def test_fewer_than_six_blocks_carry_no_verdict() -> None:
    ruling = verdict_of(0.5, 0.01, n=5, matters=1.03, better="higher")
    assert ruling.verdict == "inconclusive"
    assert ruling.because.startswith("too few blocks")
    assert verdict_of(0.5, 0.01, n=6, matters=1.03, better="higher").verdict == "better"
