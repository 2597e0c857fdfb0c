"""What reports claim holds: intervals printed after stopping, and false winners of studies of three experiments.

The short form of ``python -m benches.bench_verdicts --only coverage``, which has 30,000 experiments in each cell.
"""

import math

import pytest

from benches.verdicts.coverage import CLAIMED, CLAIMED_OF_STUDIES, NOISY, false_studies, printed
from benches.verdicts.tails import LONG, MARGIN, SHORT, ended

SEED, SIZE = 20261124, 8000


@pytest.mark.parametrize("looks", [SHORT, LONG])
@pytest.mark.parametrize(("percent", "margin"), [(0, 1.0), (0, MARGIN), (3, MARGIN)])
def test_the_interval_that_is_printed_holds_in_at_least_95_of_100(
    looks: tuple[int, ...], percent: int, margin: float
) -> None:
    told = printed(size=SIZE, seed=SEED, looks=looks, truth=math.log(1 + percent / 100), margin=margin)
    assert told.covered >= CLAIMED


def test_every_interval_of_several_comparisons_holds_in_at_least_95_of_100() -> None:
    assert printed(size=SIZE // 2, seed=SEED, looks=SHORT, others=3, margin=1.0).covered >= CLAIMED


@pytest.mark.parametrize("margin", [1.0, MARGIN])
def test_of_studies_of_three_experiments_as_few_name_a_false_winner_as_is_claimed(margin: float) -> None:
    share = false_studies(size=SIZE // 3, seed=SEED, looks=SHORT, margin=margin)
    assert share <= CLAIMED_OF_STUDIES
    if margin == 1.0:
        assert share > 0.05, "5 of 100 would be claimed for an experiment and not for the study"


def test_95_percent_at_each_look_would_hold_less_often() -> None:

    assert ended(NOISY, size=SIZE, seed=SEED, looks=SHORT, levels=(0.05, 0.05), margin=1.0).covered < 0.93
