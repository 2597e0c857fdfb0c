"""Which quantiles a number of requests can carry."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headtohead.model.quantiles import BEYOND, carries, needed, quantile_of


@pytest.mark.parametrize(
    ("metric", "sent", "carried"),
    [
        ("response_time_p99_ns", 9_999, False),
        ("response_time_p99_ns", 10_000, True),
        ("response_time_p999_ns", 99_999, False),
        ("response_time_p999_ns", 100_000, True),
        ("response_time_p10_ns", 111, False),
        ("response_time_p10_ns", 112, True),
        ("goodput_per_s", 0, True),
        ("response_time_p99_ns", 0, False),
    ],
)
def test_a_quantile_needs_a_hundred_requests_beyond_it(metric: str, sent: int, *, carried: bool) -> None:
    assert carries(sent, metric) is carried


@given(st.integers(1, 4).flatmap(lambda n: st.integers(0, 10**n - 1).map(lambda each: f"{each:0{n + 1}d}")))
def test_what_is_needed_is_the_least_that_leaves_a_hundred_beyond(digits: str) -> None:
    quantile = quantile_of(f"time_p{digits}_ns")
    assert quantile is not None
    least = needed(f"time_p{digits}_ns")
    assert least * (1 - quantile) >= BEYOND - 1e-6
    assert (least - 1) * (1 - quantile) < BEYOND
