import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from headtohead.analyze.noise_floor import ALPHA, LEAST_RUNS, LOOKS, replay
from headtohead.analyze.statistics.binomial import most_by_chance, shares_held
from headtohead.model.errors import RecordError
from headtohead.model.machine.noise import changed
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import Recording, Status
from headtohead.plan.interim_analyses import alpha_per_look
from tests.analyze.building import experiment, load_record, plan, recorded, recording, run, treatment
from tests.analyze.suites import CPU

AGAINST_ITSELF = experiment(
    treatments=(treatment("A", subject="nginx"), treatment("B", subject="nginx")), comparisons=(), looks=(100,)
)


def trace(values: list[float], *, of: PlannedExperiment = AGAINST_ITSELF, struck: tuple[int, ...] = ()) -> Recording:
    """Return a results folder with a run a value, in the order in which they were made."""
    runs = []
    for number, value in enumerate(values):
        label = of.treatments[number % 2].label
        made = run(label, number=number + 1, block=number // 2 + 1, place=number % 2 + 1, experiment=of.name)
        status: Status = "invalid" if number in struck else "valid"
        runs.append(recorded(replace(made, status=status), records=[load_record(value)]))
    return replace(recording(runs, of=plan(of)), hosts=(CPU,))


def noise(count: int = 200, *, spread: float = 0.03, drift: float = 0.0, seed: int = 1) -> list[float]:
    chance = np.random.default_rng(seed)
    logs = spread * chance.standard_normal(count) + drift * np.linspace(0, 1, count)
    return [1000 * math.exp(each) for each in logs]


@pytest.mark.parametrize("drift", [0.0, 0.3])
def test_quiet_and_drifting_machines_name_few_winners(drift: float) -> None:
    floor = replay(trace(noise(400, drift=drift)), comparisons=1000)
    assert floor.comparisons == 1000
    assert 0 < floor.false_share <= 0.065


def test_a_machine_that_slows_every_second_run_is_still_judged_rightly() -> None:
    """The order within blocks is drawn by lot, as in a study: a disturbance with a period of two cancels."""
    values = [each * (0.94 if place % 2 else 1.0) for place, each in enumerate(noise(400))]
    assert replay(trace(values)).false_share <= 0.065


def test_what_could_be_seen_follows_from_the_spread() -> None:
    floor = replay(trace(noise(400, spread=0.03)))
    assert floor.spread == pytest.approx(0.03 * math.sqrt(2), rel=0.15)
    first, last = floor.detectable
    assert 1 < last < first
    assert replay(trace(noise(400, spread=0.06))).detectable[1] > 1 + 1.7 * (last - 1)


def test_blocks_gain_where_the_machine_drifts() -> None:
    steady, drifting = (replay(trace(noise(200, spread=0.002, drift=drift))).blocking_gain for drift in (0.0, 0.8))
    assert steady is not None
    assert drifting is not None
    assert drifting > 3 * steady


def test_struck_runs_are_passed_over() -> None:
    values = noise(200)
    values[7] = 1.0
    assert replay(trace(values, struck=(7,))).runs == 199
    assert replay(trace(values, struck=(7,))).spread < replay(trace(values)).spread


def test_the_same_folder_gives_the_same_floor() -> None:
    assert replay(trace(noise())) == replay(trace(noise()))


def test_too_few_runs_are_refused_with_what_to_do() -> None:
    with pytest.raises(RecordError) as refused:
        replay(trace(noise(LEAST_RUNS - 1)))
    assert "headtohead run noise" in str(refused.value)


@pytest.mark.parametrize(
    "arms",
    [
        (treatment("nginx"), treatment("apache")),
        (treatment("A", subject="nginx"), treatment("B", subject="nginx", cpus=(0, 1))),
        (treatment("A", subject="nginx"), treatment("B", subject="nginx", settings={"workers": 2})),
    ],
)
def test_a_study_of_two_things_tells_no_floor(arms: tuple) -> None:  # type: ignore[type-arg]
    other = experiment(treatments=arms, comparisons=(), looks=(100,))
    with pytest.raises(RecordError):
        replay(trace(noise(), of=other))


def test_a_changed_kernel_or_setting_is_named_and_load_is_not() -> None:
    floor = replay(trace(noise()))
    facts = {(each.group, each.name): each for each in CPU.facts}
    assert list(changed(floor.facts, (CPU,))) == []
    model = facts["cpu", "model"]
    load = replace(model, group="passport", name="load of the last minute", value=3.0)
    turbo = replace(model, group="passport", name="turbo", value="off")
    assert list(changed(floor.facts, (replace(CPU, facts=(*CPU.facts, load)),))) == []
    assert list(changed(floor.facts, (replace(CPU, facts=(*CPU.facts, turbo)),))) == ["turbo"]
    assert list(changed(floor.facts, (replace(CPU, facts=(replace(model, value="another"),)),))) == ["model"]


def test_the_looks_and_levels_are_those_of_a_study() -> None:
    assert alpha_per_look(LOOKS) == (ALPHA,) * len(LOOKS)


@pytest.mark.parametrize(("count", "of"), [(0, 200), (1, 200), (9, 200), (16, 200), (200, 200), (41, 1000)])
def test_the_interval_of_the_share_is_the_exact_one_that_scipy_gives(count: int, of: int) -> None:
    oracle = stats.binomtest(count, of).proportion_ci(0.95, method="exact")
    assert shares_held(count, of) == pytest.approx((oracle.low, oracle.high), abs=1e-9)


@pytest.mark.parametrize(("comparisons", "most"), [(40, 5), (100, 10), (200, 16), (400, 29), (1000, 64)])
def test_so_many_winners_are_explained_by_chance(comparisons: int, most: int) -> None:
    """The numbers of METHOD.md 1.5."""
    assert most_by_chance(comparisons) == most


def test_200_comparisons_of_a_steady_machine_name_at_most_16_winners() -> None:
    floor = replay(trace(noise()), comparisons=200)
    assert floor.false_winners <= 16
    assert floor.most_by_chance == 16
    assert not floor.too_often
    assert floor.false_interval is not None
    low, high = floor.false_interval
    assert low <= floor.false_share <= high
