"""Servers that differ in more than their mean: few false winners, and power within 8 points of before (ADR 23)."""

import math

import numpy as np
import pytest
from scipy import stats

from benches.verdicts.tails import LONG, SHAPES, SHORT, ended
from headtohead.analyze.statistics.spreads import unlike_spreads_p
from headtohead.analyze.study import analyze
from headtohead.analyze.verdicts.compare import FIRST_SMALL, verdict_of
from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.plan import Comparison
from tests.analyze.building import blocks_of, experiment, plan, recording

SIZE, SEED = 2000, 20261123
AT_MOST = 0.065
STALLS = SHAPES["stalls of 12 % in 15 % of runs"]
NOISY = SHAPES["both noisy (5 %)"]


@pytest.mark.parametrize("looks", [LONG, SHORT])
@pytest.mark.parametrize("name", SHAPES)
def test_servers_of_equal_mean_name_few_winners(name: str, looks: tuple[int, ...]) -> None:
    assert ended(SHAPES[name], size=SIZE, seed=SEED, looks=looks).winners <= AT_MOST


def test_several_servers_that_stall_name_few_winners_too() -> None:
    assert ended(STALLS, size=500, seed=SEED, others=4).winners <= AT_MOST


def test_an_interval_that_excludes_1_alone_would_name_many() -> None:
    """Why a winner within the margin waits: six blocks miss a stall that comes in one run of seven in 38 %."""
    assert ended(STALLS, size=1000, seed=SEED, careful=False).winners > 0.15


@pytest.mark.parametrize("percent", [3, 5, 10])
def test_at_most_8_points_of_power_are_spent(percent: int) -> None:
    truth = math.log(1 + percent / 100)
    before, now = (ended(NOISY, size=SIZE, seed=1, truth=truth, careful=each).winners for each in (False, True))
    assert before - 0.08 <= now <= before


@pytest.mark.parametrize("seed", range(5))
def test_unlike_spreads_are_the_correlation_of_sum_and_difference_that_scipy_gives(seed: int) -> None:
    one, other = np.random.default_rng(seed).standard_normal((2, 3, 16))
    oracle = [stats.pearsonr(a + b, b - a).pvalue for a, b in zip(one, other, strict=True)]
    assert unlike_spreads_p(one, other).tolist() == pytest.approx(oracle, rel=1e-6)
    assert unlike_spreads_p(other, one).tolist() == pytest.approx(oracle, rel=1e-6)


def test_spreads_that_do_not_change_are_alike() -> None:
    assert float(unlike_spreads_p(np.zeros(6), np.zeros(6))) == 1.0


def test_a_winner_within_the_margin_needs_16_blocks_and_like_spreads() -> None:
    def told(n: int, *, center: float = 0.03, unlike: bool = False) -> str:
        return verdict_of(center, 0.01, n=n, matters=1.03, better="higher", unlike=unlike).verdict

    assert told(FIRST_SMALL - 1) == "inconclusive"
    assert told(FIRST_SMALL) == "better"
    assert told(FIRST_SMALL, unlike=True) == "inconclusive"
    assert told(6, center=0.055) == "better"  # all of it is beyond the margin
    wide = verdict_of(0.07, 0.05, n=6, matters=1.03, better="higher")
    assert (wide.verdict, wide.at_least_margin) == ("better", False)
    assert told(FIRST_SMALL, center=-0.10, unlike=True) == "worse"


def compared(spread: float, *, blocks: int) -> ComparisonResult:
    """Return a steady server compared with one that is 3 % faster and varies by ``spread`` from run to run."""
    chance = np.random.default_rng(8)
    noise = [0.004 * chance.standard_normal(blocks), spread * chance.standard_normal(blocks)]
    own = [float(each) for each in 1000 * np.exp(noise[0] - noise[0].mean())]
    other = [float(each) for each in 1030 * np.exp(noise[1] - noise[1].mean())]
    of = experiment(looks=(blocks,), comparisons=(Comparison("subject", "apache", "nginx", {}, (0.05,)),))
    runs = blocks_of({"apache": own, "nginx": other}, of=of)
    return analyze(recording(runs, of=plan(of))).experiments[0].comparisons[0]


def test_a_study_of_few_blocks_gives_the_reason_and_the_number_of_blocks() -> None:
    few = compared(0.004, blocks=6)
    assert few.verdict == "inconclusive"
    assert few.because.startswith("a difference of less than twice the margin needs 16 blocks")
    assert few.blocks_needed == FIRST_SMALL
    assert compared(0.004, blocks=16).verdict == "better"


def test_a_study_of_one_steady_and_one_unsteady_server_gives_the_reason() -> None:
    unlike = compared(0.02, blocks=16)
    assert unlike.verdict == "inconclusive"
    assert unlike.because.startswith("one of the two varies more than the other")
    assert unlike.blocks_needed is None
