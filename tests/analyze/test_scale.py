import dataclasses

import pytest

from headtohead.analyze.scale import scaling, serial_share
from headtohead.model.analysis import Estimate, Interval
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


def test_a_serial_share_has_no_meaning_where_more_is_slower_or_more_than_ideal() -> None:
    assert serial_share(0.9, low=1, high=2) is None
    assert serial_share(2.1, low=1, high=2) is None
    assert serial_share(2.0, low=1, high=2) == 0
