"""Doubts about place, time and settling: how often they are raised for nothing, and how well they see what is there."""

import dataclasses
import math
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.over_time.settling_within_runs import change_of
from headtohead.analyze.samples.valid_values import gather
from headtohead.analyze.statistics.error_of_checks import SURE
from headtohead.analyze.statistics.over_time.place_in_block import effect
from headtohead.analyze.statistics.over_time.residual import Residual
from headtohead.analyze.statistics.over_time.step_change import step_of
from headtohead.analyze.statistics.over_time.straight_line import slope
from headtohead.analyze.statistics.paired import Floats, blocking_gain
from headtohead.analyze.study import analyze
from headtohead.model.finding import Finding, Severity
from headtohead.model.readings import Readings
from headtohead.model.record import Recorded
from headtohead.model.study.workload import Load
from tests.analyze.building import blocks_of, experiment, load_record, plan, readings, recorded, recording, run, steady

REPLICATES = 2000


def residuals(noise: Floats, order: NDArray[np.intp], *, later: float = 0.0) -> list[Residual]:
    """Return the runs of blocks of arms from their logs (block, place) and who was where (block, place)."""
    return [
        Residual(block, place + 1, str(order[block, place]), float(value) + later * (place > 0))
        for block, values in enumerate(noise)
        for place, value in enumerate(values)
    ]


def alarms(*, blocks: int, arms: int, later: float = 0.0, wandering: float = 0.05) -> float:
    """Return how often an effect of place is told of blocks in random order, that rise and fall as a whole."""
    chance = np.random.default_rng(20261122)
    told = 0
    for _ in range(REPLICATES):
        noise = 0.02 * chance.standard_normal((blocks, arms)) + wandering * chance.standard_normal((blocks, 1))
        order = np.argsort(chance.random((blocks, arms)), axis=1)
        found = effect(residuals(noise, order, later=later), first=1)
        told += found is not None and found[1] < SURE
    return told / REPLICATES


@pytest.mark.parametrize(("blocks", "arms"), [(6, 2), (10, 2), (6, 3), (10, 5)])
def test_an_effect_of_place_is_told_for_nothing_in_one_study_of_a_hundred(blocks: int, arms: int) -> None:
    assert alarms(blocks=blocks, arms=arms) <= 0.015


def test_a_repetition_has_its_place_behind_all_others_of_its_block() -> None:
    of = experiment()
    runs = blocks_of({"apache": steady(1000), "nginx": steady(1130)}, statuses={("nginx", 2): "invalid"})
    first = next(each for each in runs if (each.run.label, each.run.block) == ("nginx", 2))
    again = recorded(run("nginx", number=99, block=2, attempt=2, place=first.run.place), records=[load_record(1131.0)])
    every = [*runs, again]
    whole = Whole(of, every, samples=gather(of, every), seen=(), noticed=(), stopped="")
    places = {each.block: each.place for each in whole.residuals() if each.label == "nginx"}
    assert places[2] == first.run.place + 2
    assert {places[block] for block in places if block != 2} == {1, 2}


def test_runs_that_lose_5_percent_to_the_one_before_are_seen() -> None:
    assert alarms(blocks=10, arms=2, later=-0.05) > 0.75
    assert alarms(blocks=10, arms=4, later=-0.05) > 0.95


@pytest.mark.parametrize("seed", range(5))
def test_of_two_arms_it_is_the_regression_of_the_difference_on_who_was_first(seed: int) -> None:
    chance = np.random.default_rng(seed)
    noise, order = chance.standard_normal((9, 2)), np.argsort(chance.random((9, 2)), axis=1)
    found = effect(residuals(noise, order), first=1)
    assert found is not None
    by_arm = np.take_along_axis(noise, np.argsort(order, axis=1), axis=1)
    # arm 0 was second where order holds it in the second place: then it has the effect, else the other arm has it
    oracle = stats.linregress(np.where(order[:, 1] == 0, 1.0, -1.0), by_arm[:, 0] - by_arm[:, 1])
    assert found[:2] == pytest.approx((oracle.slope, oracle.pvalue), rel=1e-6)


def test_blocks_that_all_begin_with_the_same_arm_tell_no_effect_of_place() -> None:
    noise = np.random.default_rng(1).standard_normal((10, 2))
    assert effect(residuals(noise, np.tile([0, 1], (10, 1))), first=1) is None


@pytest.mark.parametrize("seed", range(5))
def test_the_slope_is_the_one_that_scipy_gives(seed: int) -> None:
    at, values = np.random.default_rng(seed).standard_normal((2, 12))
    oracle = stats.linregress(at, values)
    assert slope(list(at), list(values)) == pytest.approx((oracle.slope, oracle.pvalue), rel=1e-9)


@pytest.mark.parametrize("blocks", [6, 10, 24])
def test_a_drift_is_told_for_nothing_in_one_study_of_a_hundred(blocks: int) -> None:
    chance = np.random.default_rng(20261122)
    at = list(map(float, range(blocks)))
    p = [slope(at, list(chance.standard_normal(blocks)))[1] for _ in range(REPLICATES)]
    assert np.mean(np.array(p) < SURE) <= 0.015


def test_a_drift_of_a_tenth_is_seen() -> None:
    """Means of two runs a block, each with 2 % of noise."""
    chance, at = np.random.default_rng(20261122), np.arange(10.0)
    noise = 0.02 / math.sqrt(2) * chance.standard_normal((500, 10)) + 0.10 * at / 9
    assert np.mean([slope(list(at), list(each))[1] < SURE for each in noise]) > 0.95


@pytest.mark.parametrize("blocks", [6, 10, 24])
def test_a_step_is_told_for_nothing_in_one_study_of_a_hundred(blocks: int) -> None:
    chance = np.random.default_rng(20261122)
    found = [step_of(list(chance.standard_normal(blocks))) for _ in range(REPLICATES)]
    assert np.mean([each is not None and each[2] < SURE for each in found]) <= 0.015


def test_a_step_of_4_percent_after_6_of_10_runs_is_seen_and_named() -> None:
    chance = np.random.default_rng(20261122)
    noise = 0.008 * chance.standard_normal((500, 10)) - 0.04 * (np.arange(10) >= 6)
    found = [step_of(list(each)) for each in noise]
    assert np.mean([each is not None and each[2] < SURE for each in found]) > 0.8
    values = {"apache": [*steady(1000, blocks=6), *steady(960, blocks=4)], "nginx": steady(2000)}
    (result,) = analyze(
        recording(blocks_of(values, of=experiment(looks=(10,))), of=plan(experiment(looks=(10,))))
    ).experiments
    (step,) = [each for each in result.findings if each.id == "step"]
    assert step.severity is Severity.NOTE
    assert step.says.startswith("apache: the last 4 of 10 runs are 4.0 % below those before (p ")


@pytest.mark.parametrize("shared", [0.0, 0.5, 0.9])
def test_the_blocking_gain_is_what_the_variance_algebra_says(shared: float) -> None:
    """METHOD.md 1.2: two arms whose noise is common to a block by a share rho gain 1 / (1 - rho)."""
    chance = np.random.default_rng(20261122)
    common, own = chance.standard_normal((500, 1, 200)), chance.standard_normal((500, 2, 200))
    both = math.sqrt(shared) * common + math.sqrt(1 - shared) * own
    gains = [blocking_gain(one, other) for one, other in both]
    assert np.median([each for each in gains if each]) == pytest.approx(1 / (1 - shared), rel=0.03)


def settled(change: float, *, noise: float, runs: int) -> float:
    """Return how often a true change from half to half is told of."""
    logs = math.log1p(change) + noise * np.random.default_rng(20261122).standard_normal((REPLICATES, runs))
    return float(np.mean([change_of(list(each)) is not None for each in logs]))


@pytest.mark.parametrize("runs", [6, 10, 24])
@pytest.mark.parametrize("change", [-0.01, 0.0, 0.01])
def test_a_change_within_1_percent_is_told_in_less_than_one_study_of_a_hundred(change: float, runs: int) -> None:
    assert settled(change, noise=0.01, runs=runs) <= 0.01


def test_a_change_of_5_percent_is_seen() -> None:
    assert settled(0.05, noise=0.015, runs=6) > 0.8
    assert settled(-0.05, noise=0.015, runs=10) > 0.95


def changing(factor: float, *, column: str = "loopback_bytes") -> Readings:
    """Return readings in which a column rises ``factor`` times as fast after 3.5 s, the middle of what is measured."""
    plain = readings()
    at = plain.columns.index("t_ns")
    rows = []
    for row in plain.rows:
        seconds = (row[at] or 0.0) / 1e9
        rows.append((*row, 1e9 * (min(seconds, 3.5) + factor * max(0.0, seconds - 3.5))))
    return Readings((*plain.columns, column), tuple(rows))


def doubts(monitors: Readings, *, of: Load | None = None) -> list[Finding]:
    """Return what is found of a study in which all of one treatment's runs have these readings."""
    chosen = experiment(**({"load": of} if of else {}))
    runs = blocks_of({"apache": steady(1000), "nginx": steady(1130)}, of=chosen)
    told = [dataclasses.replace(each, readings=monitors) if each.run.label == "nginx" else each for each in runs]
    found = analyze(recording(told, of=plan(chosen))).experiments[0].findings
    return [each for each in found if each.id == "not-settled"]


def test_a_subject_that_warms_up_while_it_is_measured_is_a_doubt() -> None:
    (told,) = doubts(changing(1.04))
    assert told.evidence["treatment"] == "nginx"
    assert told.evidence["change_share"] == pytest.approx(0.04, abs=1e-6)
    assert "rose by 4.0 %" in told.says


def test_one_that_is_as_it_was_is_none() -> None:
    assert doubts(changing(1.0)) == []
    assert doubts(changing(1.009)) == []


def test_a_few_bytes_of_others_are_not_what_the_subject_sent() -> None:
    thin = changing(3.0)
    few = tuple((*row[:-1], None if row[-1] is None else row[-1] / 1e6) for row in thin.rows)
    assert doubts(Readings(thin.columns, few)) == []


def test_where_requests_come_at_a_rate_of_their_own_the_cpu_tells() -> None:
    rising = changing(1.0)
    at = rising.columns.index("subject_cpu_ns")
    rows = tuple(
        (*row[:at], 0.5e9 * (min(t, 3.5) + 0.9 * max(0.0, t - 3.5)), *row[at + 1 :])
        for row in rising.rows
        for t in [(row[0] or 0.0) / 1e9]
    )
    open_loop = Load("open", {"rate_per_s": (1000,)}, {}, warm_up_s=1, measure_s=3)
    (told,) = doubts(Readings(rising.columns, rows), of=open_loop)
    assert "its CPU fell by 10.0 %" in told.says


def test_runs_without_readings_tell_nothing() -> None:
    runs: Sequence[Recorded] = [
        recorded(run(label, number=2 * block + place, block=block, place=place), records=[load_record()])
        for block in range(1, 7)
        for place, label in enumerate(("apache", "nginx"), start=1)
    ]
    bare = [dataclasses.replace(each, readings=None) for each in runs]
    found = analyze(recording(bare)).experiments[0].findings
    assert "not-settled" not in [each.id for each in found]
