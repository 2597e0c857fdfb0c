"""Servers that differ in more than their mean: few false winners, intervals that hold, power (ADR 23, 38, 51, 59)."""

import math

import numpy as np
import pytest
from scipy import stats

from benches.verdicts.tails import LONG, MIDDLE, SHAPES, SHORT, added, ended
from headtohead.analyze.statistics.between_runs.equal_spread import unlike_spreads_p
from headtohead.analyze.statistics.paired import blocks_needed, center_and_half_width
from headtohead.analyze.statistics.skewed_interval import reach, skewness
from headtohead.analyze.study import analyze
from headtohead.analyze.verdicts.winner import least_blocks, ordered_alike, unlike_below, verdict_of
from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.plan import Comparison
from headtohead.model.rules import enough_blocks
from tests.analyze.building import blocks_of, experiment, plan, recording, steady
from tests.analyze.seeding import with_run

SIZE, SEED = 2000, 20261123
AT_MOST = 0.065
STALLS = SHAPES["stalls of 12 % in 15 % of runs"]
NOISY = SHAPES["both noisy (5 %)"]


HELD = {
    "stalls of 12 % in 15 % of runs": (0.93, 0.93, 0.84),
    "stalls of 12 % on average, exponential": (0.86, 0.85, 0.76),
    "stalls of 20 % in 15 % of runs": (0.93, 0.92, 0.80),
    "skewed by 5 %": (0.93, 0.93, 0.90),
}
"""The shares of intervals that hold the truth with 24, 16 and 10 blocks, where the last is below 93 % (ADR 51)."""


@pytest.mark.parametrize("looks", [LONG, MIDDLE, SHORT])
@pytest.mark.parametrize("name", SHAPES)
def test_servers_of_equal_mean_name_few_winners_and_intervals_hold(name: str, looks: tuple[int, ...]) -> None:
    found = ended(SHAPES[name], size=SIZE, seed=SEED, looks=looks)
    held = HELD.get(name, (0.93, 0.93, 0.925))[(LONG, MIDDLE, SHORT).index(looks)]
    assert found.winners <= AT_MOST
    assert found.covered >= held - 3 * math.sqrt(held * (1 - held) / SIZE)


@pytest.mark.parametrize("looks", [LONG, MIDDLE])
@pytest.mark.parametrize("name", [each for each in SHAPES if "stall" in each])
def test_several_servers_that_stall_name_few_winners_too(name: str, looks: tuple[int, ...]) -> None:
    """Each of them may be the one whose blocks hold no stall."""
    assert ended(SHAPES[name], size=600, seed=SEED, looks=looks, others=4).winners <= AT_MOST


@pytest.mark.parametrize("name", ["skewed by 5 %", "stalls of 20 % in 15 % of runs"])
def test_blocks_added_three_times_name_few_winners_more(name: str) -> None:
    """The two worst shapes; `make bench-verdicts` has all of them, and all interim analyses (ADR 56)."""
    assert ended(SHAPES[name], size=SIZE, seed=SEED, **added(MIDDLE)).winners <= AT_MOST


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


@pytest.mark.parametrize("n", [6, 24])
def test_skewness_is_that_of_scipy(n: int) -> None:
    values = np.random.default_rng(n).exponential(size=(5, n))
    assert skewness(values).tolist() == pytest.approx(stats.skew(values, axis=-1))


def test_an_interval_is_wider_on_the_side_of_a_long_tail_if_the_two_vary_unlike_each_other() -> None:
    logs = np.array([0.0, 0.01, -0.01, 0.0, 0.01, -0.2])
    center, half = center_and_half_width(logs, alpha=0.05)
    told, turned, alike = (
        reach(each, alpha=0.05, unlike=unlike) for each, unlike in ((logs, True), (-logs, True), (logs, False))
    )
    assert float(told.below) == pytest.approx(float(half) * (1 - 2 * float(stats.skew(logs)) / math.sqrt(6)))
    assert (float(told.above), float(turned.above)) == (float(half), float(told.below))
    assert (float(alike.below), float(alike.above)) == (float(half), float(half))
    interval = told.estimate(alpha=0.05, n=6).interval
    assert interval is not None
    assert interval.low == pytest.approx(math.exp(float(center) - float(told.below)))


def test_an_interval_within_the_margin_that_excludes_1_waits_for_enough_blocks() -> None:
    """Most "same" of ten blocks without a stall had such an interval, and three of four of them missed the truth."""
    assert [told(0.015, n=n) for n in (6, 15, 16)] == ["inconclusive", "inconclusive", "same"]
    assert told(0.005, n=6) == "same"


def test_spreads_that_do_not_change_are_alike() -> None:
    assert float(unlike_spreads_p(np.zeros(6), np.zeros(6))) == 1.0


def told(center: float, *, n: int, half: float = 0.01, unlike: bool = False, comparisons: int = 1) -> str:
    """Return the verdict with a margin of 3 % (a log of 0.0296)."""
    return verdict_of(center, half, n=n, matters=1.03, better="higher", unlike=unlike, comparisons=comparisons).verdict


@pytest.mark.parametrize(
    ("n", "comparisons", "nearest"),
    [(6, 1, 0.0592), (15, 1, 0.0592), (16, 1, 0.0296), (23, 1, 0.0296), (24, 1, 0.0222)],
)
def test_a_winner_whose_interval_reaches_into_the_margin_is_so_far_away(
    n: int, comparisons: int, nearest: float
) -> None:
    half = nearest - 0.001  # excludes 1, and reaches below the margin
    assert told(nearest - 0.0002, n=n, half=half, comparisons=comparisons) == "inconclusive"
    assert told(nearest + 0.0002, n=n, half=half, comparisons=comparisons) == "better"


def test_the_blocks_that_are_enough_grow_with_the_comparisons() -> None:
    """All of them hold a stall of one run in seven in at least 11 of 12 studies."""
    for comparisons in range(1, 20):
        enough = enough_blocks(comparisons)
        assert comparisons * 0.85**enough <= 1 / 12 < comparisons * 0.85 ** (enough - 1)
    assert told(0.035, n=16, half=0.02) == "better"
    assert told(0.035, n=16, half=0.02, comparisons=4) == "inconclusive"
    assert told(0.035, n=24, half=0.02, comparisons=4) == "better"


def test_a_winner_of_more_than_three_comparisons_is_at_least_the_margin_away() -> None:
    assert [told(0.025, n=24, half=0.02, comparisons=each) for each in (3, 4)] == ["better", "inconclusive"]


def test_a_winner_beyond_the_margin_needs_nothing_else() -> None:
    assert told(0.055, n=6) == "better"
    assert told(-0.10, n=24, unlike=True, comparisons=9) == "worse"
    wide = verdict_of(0.07, 0.05, n=6, matters=1.03, better="higher")
    assert (wide.verdict, wide.at_least_margin) == ("better", False)


def test_a_winner_near_the_margin_needs_like_spreads() -> None:
    assert told(0.035, n=16, unlike=True) == "inconclusive"
    assert unlike_below(1) < unlike_below(2) == unlike_below(9)


@pytest.mark.parametrize(
    ("half", "one", "several"),
    [((0.02, 0.03), "better", "inconclusive"), ((0.03, 0.02), "inconclusive", "inconclusive")],
)
def test_the_long_tail_of_a_winner_near_the_margin_points_away_from_1(
    half: tuple[float, float], one: str, several: str
) -> None:
    for center, sides, turned in ((0.035, half, {}), (-0.035, half[::-1], {"better": "worse"})):
        for comparisons, verdict in ((1, one), (4, several)):
            found = verdict_of(
                center, sides, n=24, matters=1.03, better="higher", unlike=True, comparisons=comparisons
            ).verdict
            assert found == turned.get(verdict, verdict)


def compared(spread: float, *, blocks: int) -> ComparisonResult:
    """Return a steady server compared with one that is 3.3 % faster and varies by ``spread`` from run to run."""
    chance = np.random.default_rng(8)
    noise = [0.004 * chance.standard_normal(blocks), spread * chance.standard_normal(blocks)]
    own = [float(each) for each in 1000 * np.exp(noise[0] - noise[0].mean())]
    other = [float(each) for each in 1033 * np.exp(noise[1] - noise[1].mean())]
    of = experiment(looks=(blocks,), comparisons=(Comparison("subject", "apache", "nginx", {}, (0.05,)),))
    runs = blocks_of({"apache": own, "nginx": other}, of=of)
    return analyze(recording(runs, of=plan(of))).experiments[0].comparisons[0]


def test_a_study_of_few_blocks_gives_the_reason_and_the_number_of_blocks() -> None:
    few = compared(0.004, blocks=6)
    assert few.verdict == "inconclusive"
    assert few.because.startswith(
        "6 blocks may miss rare slow runs; with fewer than 16, a winner needs a difference of twice the margin, or"
    )
    assert few.blocks_needed == enough_blocks(1)
    assert compared(0.004, blocks=16).verdict == "better"


def test_a_study_of_one_steady_and_one_unsteady_server_gives_the_reason() -> None:
    unlike = compared(0.02, blocks=16)
    assert unlike.verdict == "inconclusive"
    assert unlike.because.startswith("one of the two varies more than the other")
    assert unlike.blocks_needed is None


@pytest.mark.parametrize(("center", "blocks"), [(0.021, None), (0.023, 24), (-0.030, 16), (0.06, 6)])
def test_the_blocks_that_a_winner_needs_follow_from_its_ratio(center: float, blocks: int | None) -> None:
    assert least_blocks(center, matters=1.03, comparisons=1) == blocks


def test_two_thirds_of_the_margin_need_the_blocks_that_make_them_the_same() -> None:
    """A ratio that names no winner at any number of blocks may still be within the margin."""
    near = blocks_needed(0.02, 0.015, n=24, matters=1.03, wins=False)
    assert near == math.ceil(24 * (0.015 / (math.log(1.03) - 0.02)) ** 2)
    assert blocks_needed(0.02, 0.015, n=24, matters=1.03) == 25


@pytest.mark.parametrize(
    ("firsts", "of", "alike"),
    [
        (6, 6, False),
        (9, 10, True),
        (1, 10, True),
        (8, 10, False),
        (13, 16, True),
        (12, 16, False),
        (19, 24, True),
        (18, 24, False),
    ],
)
def test_orders_of_few_blocks_are_often_alike(firsts: int, of: int, *, alike: bool) -> None:
    assert ordered_alike(firsts, of=of) == alike


def test_one_that_ran_first_in_nine_of_ten_blocks_is_no_winner() -> None:
    of = experiment(looks=(10,), comparisons=(Comparison("subject", "apache", "nginx", {}, (0.05,)),))
    values = {"apache": steady(1000), "nginx": steady(1200)}
    verdicts = []
    for count in (8, 9):
        runs = blocks_of(values, first=["nginx"] * count + ["apache"] * (10 - count), of=of)
        verdicts.append(analyze(recording(runs, of=plan(of))).experiments[0].comparisons[0])
    assert [each.verdict for each in verdicts] == ["better", "inconclusive"]
    assert verdicts[1].because.startswith("one of the two ran before the other in nearly all blocks")
    again = blocks_of(values, first=["nginx"] * 8 + ["apache"] * 2, of=of)
    last = max(each.run.run for each in again)
    repeated = [
        with_run(each, attempt=2, run=last + 1) if (each.run.label, each.run.block) == ("apache", 9) else each
        for each in again
    ]
    found = analyze(recording(repeated, of=plan(of))).experiments[0].comparisons[0]
    assert found.verdict == "inconclusive", "its repetition ran after the other, though it was planned before it"
