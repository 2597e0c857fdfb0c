"""When a bar for a rate is kept: by the interval of the rounds' ratios, not by their median alone."""

from collections.abc import Sequence

import pytest

from benches.costs import Cost, rows
from benches.median_interval import interval

WRK_PER_S = 40_000.0


def costs(client: str, rates_per_s: Sequence[float]) -> list[Cost]:
    return [
        Cost(client, "nginx", number, 1000, 20.0, rate, 0.0, quiet=True)
        for number, rate in enumerate(rates_per_s, start=1)
    ]


@pytest.mark.parametrize(
    ("ratios", "keeps"),
    [
        ([1.0, 1.02, 1.1, 1.05, 0.99, 1.03, 1.2], "kept"),
        ([0.7, 1.02, 1.1, 1.05, 0.99, 1.03, 0.8], "open"),
        ([0.7, 0.9, 0.95, 0.97, 0.8, 0.91, 0.85], "MISSED"),
    ],
)
def test_a_bar_for_a_rate_is_kept_missed_or_open(ratios: Sequence[float], keeps: str) -> None:
    ours = costs("h2h-load", [each * WRK_PER_S for each in ratios])

    _, row = rows([*ours, *costs("wrk", [WRK_PER_S] * len(ratios))], ours="h2h-load", bars={}, rates={"wrk": 0.98})

    assert row.keeps_rate == keeps
    assert row.rate_bar == 0.98


def test_ours_is_compared_in_the_rounds_that_the_other_had() -> None:
    ours = costs("h2h-load", [40_000.0, 40_000.0, 90_000.0])

    _, row = rows([*ours, *costs("ab", [20_000.0, 20_000.0])], ours="h2h-load", bars={"ab": 0.9})

    assert (row.rate_ratio, row.ratio, row.keeps, row.keeps_rate) == (2.0, 1.0, False, None)


def test_an_interval_of_the_median_leaves_out_ends_as_rounds_become_more() -> None:
    assert interval([3.0, 1.0, 2.0]) == (1.0, 3.0)
    assert interval([float(each) for each in range(1, 41)]) == (14.0, 27.0)
