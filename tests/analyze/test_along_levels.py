"""Gains of more CPUs, the level at which a metric is highest, and where an order turns."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headtohead.analyze.statistics.along_levels.gains import blocks_for_ideal, scaling, serial_share
from headtohead.analyze.statistics.along_levels.highest_level import highest
from headtohead.analyze.statistics.along_levels.order_changes import OrderChange, order_changes
from headtohead.analyze.statistics.paired import Floats, t_quantile
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.plan import Comparison
from tests.analyze.building import ALPHA, PER_COPY, batch_experiment, experiment

RATIO = Estimate(1.6, Interval(1.55, 1.65, 0.95), 10)
UP = Comparison("cpus", "cpus=1", "cpus=2", {}, ALPHA)


def test_a_second_cpu_is_told_as_gain_ideal_efficiency_and_serial_share() -> None:
    told = scaling(UP, batch_experiment(), ratio=RATIO)
    assert told is not None
    assert (told.low, told.high, told.ideal) == (1, 2, 1)
    assert told.gain == pytest.approx(0.6)
    assert told.interval.low == pytest.approx(0.55)
    assert told.interval.high == pytest.approx(0.65)
    assert told.efficiency == pytest.approx(0.8)
    assert told.serial_share == pytest.approx(0.25)


def test_blocks_for_an_ideal_are_those_whose_interval_leaves_it_out_if_nothing_changes() -> None:
    center, spread, n = math.log(1.94), 0.04, 6
    half = t_quantile(0.986, n - 1) * spread / math.sqrt(n)
    ratio = Estimate(1.94, Interval(math.exp(center - half), math.exp(center + half), 0.972), n)
    open_one = scaling(UP, batch_experiment(), ratio=ratio)
    assert open_one is not None
    needed = blocks_for_ideal(open_one, n=n, alpha=(0.028, 0.05))
    assert needed is not None

    def reach(blocks: int) -> float:
        return t_quantile(0.975, blocks - 1) * spread / math.sqrt(blocks)

    away = math.log(2 / 1.94)
    assert reach(needed) <= away < reach(needed - 2)
    below = scaling(UP, batch_experiment(), ratio=RATIO)
    assert below is not None
    assert blocks_for_ideal(below, n=10, alpha=(0.028, 0.05)) is None, "its interval leaves the ideal out"
    exact = dataclasses.replace(open_one, gain=1.0, interval=Interval(0.9, 1.1, 0.972))
    assert blocks_for_ideal(exact, n=n, alpha=(0.028, 0.05)) is None, "no number of blocks shows equality"


def test_it_is_told_upwards_whichever_level_is_the_baseline() -> None:
    down = Comparison("cpus", "cpus=2", "cpus=1", {}, ALPHA)
    turned = Estimate(1 / 1.6, Interval(1 / 1.65, 1 / 1.55, 0.95), 10)
    there, back = scaling(UP, batch_experiment(), ratio=RATIO), scaling(down, batch_experiment(), ratio=turned)
    assert there is not None
    assert back is not None
    assert back.gain == pytest.approx(there.gain)
    assert back.interval.low == pytest.approx(there.interval.low)


def test_a_metric_per_copy_does_not_scale() -> None:
    chosen = batch_experiment()
    chosen = dataclasses.replace(
        chosen, metrics={"operations_per_s": dataclasses.replace(PER_COPY, name="operations_per_s")}
    )
    assert scaling(UP, chosen, ratio=RATIO) is None


def test_names_and_quotas_do_not_scale() -> None:
    assert scaling(Comparison("subject", "apache", "nginx", {}, ALPHA), experiment(), ratio=RATIO) is None
    assert scaling(UP, batch_experiment(), ratio=None) is None
    of = batch_experiment()
    limited = tuple(dataclasses.replace(each, cpu_quota=1.0) for each in of.treatments)
    assert scaling(UP, dataclasses.replace(of, treatments=limited), ratio=RATIO) is None, "both had one CPU in all"
    enough = tuple(dataclasses.replace(each, cpu_quota=2.0) for each in of.treatments)
    assert scaling(UP, dataclasses.replace(of, treatments=enough), ratio=RATIO) is not None


def test_a_serial_share_has_no_meaning_where_more_is_slower_or_more_than_ideal() -> None:
    assert serial_share(0.9, low=1, high=2) is None
    assert serial_share(2.1, low=1, high=2) is None
    assert serial_share(2.0, low=1, high=2) == 0


def ratio(value: float, half: float = 0.02) -> Estimate:
    """Return a ratio whose interval reaches so far to either side of it."""
    return Estimate(value, Interval(value - half, value + half, 0.99), 6)


def test_a_turn_lies_between_the_last_level_shown_on_one_side_and_the_first_on_the_other() -> None:
    told = order_changes([ratio(0.8), ratio(0.9), ratio(1.01), ratio(1.1), ratio(1.2)])
    assert told == (OrderChange(1, 3, upward=True, shown=True),)


def test_an_order_that_turns_twice_is_told_twice() -> None:
    told = order_changes([ratio(0.8), ratio(1.2), ratio(0.8)])
    assert told == (OrderChange(0, 1, upward=True, shown=True), OrderChange(1, 2, upward=False, shown=True))


def test_a_turn_of_the_estimates_alone_is_not_shown() -> None:
    told = order_changes([ratio(0.8), ratio(0.99), ratio(1.01), ratio(0.995), ratio(1.005)])
    assert told == (OrderChange(1, 4, upward=True, shown=False),)


def test_estimates_that_go_and_come_back_are_no_turn() -> None:
    assert order_changes([ratio(0.8), ratio(1.01), ratio(0.9)]) == ()
    assert order_changes([ratio(1.01), ratio(1.2)]) == ()
    assert order_changes([]) == ()


def test_without_an_interval_nothing_is_shown() -> None:
    assert order_changes([Estimate(0.5, None, 1), Estimate(2.0, None, 1)]) == (
        OrderChange(0, 1, upward=True, shown=False),
    )


LEVELS = (1, 5, 20, 50)


def rows(*centers: float, runs: int = 6, step: float = 0.002) -> Floats:
    """Return the logs of values around these centers, each run off by an amount of its own and a little more."""
    return np.asarray(
        [
            [math.log(each) + 0.1 * run + step * ((run * 7 + place * 3) % 5) for place, each in enumerate(centers)]
            for run in range(runs)
        ]
    )


def test_the_highest_level_has_an_interval_of_all_levels_above_which_none_is_shown() -> None:
    assert highest(LEVELS, rows(100, 200, 300, 250), alpha=0.05) == Estimate(20, Interval(20, 20, 0.95), 6)
    near = highest(LEVELS, rows(100, 300, 301, 250), alpha=0.05)
    assert near.value == 20
    assert near.interval == Interval(5, 20, 0.95)


def test_one_run_tells_a_level_and_no_interval() -> None:
    assert highest(LEVELS, rows(100, 300, 200, 150, runs=1), alpha=0.05) == Estimate(5, None, 1)


def test_of_equal_levels_the_first_is_told() -> None:
    assert highest(LEVELS, np.zeros((3, 4)), alpha=0.05) == Estimate(1, Interval(1, 50, 0.95), 3)


@settings(max_examples=30, deadline=None)
@given(shift=st.floats(-5, 5), seed=st.integers(0, 1000))
def test_the_highest_level_does_not_depend_on_how_fast_a_run_was(shift: float, seed: int) -> None:
    table = np.random.Generator(np.random.PCG64(seed)).normal(size=(5, 4))
    moved = table + shift * np.arange(5)[:, np.newaxis]
    there, back = highest(LEVELS, table, alpha=0.05), highest(LEVELS, moved, alpha=0.05)
    assert there.interval == back.interval


def test_the_interval_of_the_highest_level_misses_it_as_seldom_as_it_says() -> None:
    chance = np.random.Generator(np.random.PCG64(20050617))
    centers = np.log([100.0, 300.0, 303.0, 297.0])
    missed = 0
    for _ in range(1000):
        told = highest(LEVELS, centers + chance.normal(scale=0.02, size=(6, 4)), alpha=0.05).interval
        assert told is not None
        missed += not told.low <= LEVELS[2] <= told.high
    assert missed <= 65
