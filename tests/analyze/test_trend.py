"""Trends of one setup and of ratios over the blocks: how often they are reported for nothing, and what is reported."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from headtohead.analyze.statistics.over_time.step_change import sure_steps
from headtohead.analyze.statistics.over_time.trend import sure_trends, trend_of
from headtohead.analyze.statistics.paired import Floats, center_and_half_width
from headtohead.analyze.study import analyze
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.finding import Severity
from headtohead.report.study.intervals_and_error_rates import GROUPED
from tests.analyze.building import blocks_of, experiment, plan, recording, steady

REPLICATES = 2000
Draw = Callable[[np.random.Generator, tuple[int, int]], Floats]


def white(chance: np.random.Generator, size: tuple[int, int]) -> Floats:
    return np.asarray(0.05 * chance.standard_normal(size))


def tailed(chance: np.random.Generator, size: tuple[int, int]) -> Floats:
    return np.asarray(-0.05 * chance.exponential(size=size))


def stalling(chance: np.random.Generator, size: tuple[int, int]) -> Floats:
    """Return runs of which 15 in 100 are a fifth slower."""
    return np.asarray(0.01 * chance.standard_normal(size) - 0.2 * (chance.random(size) < 0.15))


def two_speeds(chance: np.random.Generator, size: tuple[int, int]) -> Floats:
    """Return runs of which half are 46 % faster than the others."""
    return np.asarray(0.01 * chance.standard_normal(size) + 0.38 * (chance.random(size) < 0.5))


@pytest.mark.parametrize("draw", [white, tailed, stalling, two_speeds], ids=lambda each: each.__name__)
@pytest.mark.parametrize(("blocks", "series"), [(6, 1), (6, 2), (10, 2), (10, 5), (24, 2)])
def test_a_trend_of_any_setup_is_reported_for_nothing_in_about_one_study_of_a_hundred(
    draw: Draw, blocks: int, series: int
) -> None:
    chance = np.random.default_rng(20261125)
    alarms = 0
    for _ in range(REPLICATES):
        logs = [dict(enumerate(map(float, each))) for each in draw(chance, (series, blocks))]
        alarms += any(sure_trends(logs))
    assert alarms / REPLICATES <= 0.015


@pytest.mark.parametrize(("blocks", "noise", "seen"), [(6, 0.03, 0.7), (10, 0.05, 0.9), (24, 0.1, 0.9)])
def test_a_fall_of_a_quarter_is_seen(blocks: int, noise: float, seen: float) -> None:
    chance = np.random.default_rng(20261125)
    line = -0.29 * np.arange(blocks) / (blocks - 1)
    studies = [line + noise * chance.standard_normal(blocks) for _ in range(100)]
    assert np.mean([any(sure_trends([dict(enumerate(map(float, each)))])) for each in studies]) >= seen


def test_fewer_than_six_blocks_have_no_trend() -> None:
    assert trend_of(dict.fromkeys(range(5), 0.0)) is None
    assert sure_trends([]) == []


FALLING = [1000.0, 952.0, 898.0, 851.0, 803.0, 748.0]


def result(values: dict[str, list[float]]) -> ExperimentResult:
    blocks = len(values["nginx"])
    of = experiment(looks=(6, 10) if blocks <= 10 else (blocks,))
    (found,) = analyze(recording(blocks_of(values, of=of), of=plan(of))).experiments
    return found


def test_a_setup_that_falls_alone_is_a_doubt_about_the_ratio_and_a_note_on_the_setup() -> None:
    found = result({"apache": FALLING, "nginx": steady(2000, blocks=6)})
    by_id = {each.id: each for each in found.findings}
    ratio, own = by_id["trend-of-ratio"], by_id["trend-of-setup"]
    assert (ratio.severity, ratio.of) == (Severity.DOUBT, ("apache", "nginx"))
    assert ratio.says.startswith("nginx against apache: their ratio rose by 3")
    assert "; apache fell by 25 %, nginx " in ratio.says
    assert ratio.says.endswith("): the answer may depend on when it was measured.")
    assert own.severity is Severity.NOTE
    assert own.says.startswith("apache: values fell by 25 % from the first block to the last (p ")
    assert own.evidence["treatment"] == "apache"
    assert "drift" not in by_id, "the others did not fall"
    assert found.comparisons[0].verdict == "better", "the verdict stays"


def test_what_changes_all_alike_is_a_drift_and_no_trend_of_a_setup() -> None:
    found = result({"apache": FALLING, "nginx": [2.01 * each for each in FALLING]})
    ids = [each.id for each in found.findings]
    assert "drift" in ids
    assert not {"trend-of-ratio", "trend-of-setup"} & {*ids}


SLIDING = [1000.0 * math.exp(-0.03 * block + 0.002 * (block % 3)) for block in range(16)]
STEPPED = [*steady(1000, blocks=8), *steady(900, blocks=8)]


@pytest.mark.parametrize(("values", "only"), [(SLIDING, "trend-of-setup"), (STEPPED, "step")])
def test_of_a_step_and_a_trend_of_one_setup_only_what_fits_better_is_reported(values: list[float], only: str) -> None:
    logs = [math.log(each) for each in values]
    assert sure_steps({"apache": logs, "nginx": [0.0]})
    assert any(sure_trends([dict(enumerate(logs)), {}])), "both hold"
    ids = [each.id for each in result({"apache": values, "nginx": steady(2000, blocks=16)}).findings]
    assert [each for each in ids if each in ("step", "trend-of-setup")] == [only]


def test_what_falls_with_all_others_has_no_step_of_its_own() -> None:
    ids = {each.id for each in result({"apache": SLIDING, "nginx": [2.01 * each for each in SLIDING]}).findings}
    assert "drift" in ids
    assert "step" not in ids


def test_steady_setups_have_no_trend() -> None:
    found = result({"apache": steady(1000, blocks=6), "nginx": steady(2000, blocks=6)})
    assert not {"trend-of-ratio", "trend-of-setup"} & {each.id for each in found.findings}


@pytest.mark.parametrize("blocks", [6, 10])
def test_intervals_hold_in_about_90_of_100_studies_where_a_third_of_the_runs_is_slower(blocks: int) -> None:
    chance = np.random.default_rng(20261125)
    logs = 0.02 * chance.standard_normal((20_000, blocks)) + 0.38 * (chance.random((20_000, blocks)) < 1 / 3)
    center, half = center_and_half_width(logs, alpha=0.028)
    assert GROUPED - 1 <= 100 * np.mean(np.abs(center - 0.38 / 3) <= half) < 98
