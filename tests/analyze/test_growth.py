"""What more CPUs bought where another factor is compared."""

import pytest

from headtohead.analyze.breakdown.scaling import growth
from headtohead.analyze.samples.valid_values import gather
from headtohead.model.plan import PlannedExperiment, Treatment
from tests.analyze.building import blocks_of, experiment, steady, treatment


def arm(gzip: str, cpus: int) -> Treatment:
    label = f"nginx gzip={gzip} cpus={cpus}"
    levels = {"subject": "nginx", "gzip": gzip, "cpus": cpus}
    return treatment(label, subject="nginx", levels=levels, cpus=tuple(range(cpus)))


def four() -> PlannedExperiment:
    arms = tuple(arm(gzip, cpus) for gzip in ("off", "on") for cpus in (1, 2))
    return experiment(treatments=arms, comparisons=(), compare="gzip")


def test_one_cpu_against_two_is_told_for_each_level_of_the_other_factor() -> None:
    of = four()
    values = {each.label: steady(1000.0 * (1.9 if "cpus=2" in each.label else 1.0)) for each in of.treatments}
    found = growth(gather(of, blocks_of(values, of=of)))
    assert [(each.fixed["gzip"], each.summary) for each in found] == [("off", "overall"), ("on", "overall")]
    for each in found:
        assert (each.scaling.low, each.scaling.high) == (1, 2)
        assert each.scaling.gain == pytest.approx(0.9)
        assert each.scaling.ideal == 1.0


def test_where_only_one_count_was_measured_there_is_nothing_to_tell() -> None:
    of = experiment(treatments=(arm("off", 1), arm("on", 1)), comparisons=())
    values = {each.label: steady(1000.0) for each in of.treatments}
    assert growth(gather(of, blocks_of(values, of=of))) == ()


@pytest.mark.parametrize(("cpus", "ideals"), [(1, []), (2, [1.0])])
def test_more_workers_than_cpus_have_no_ideal(cpus: int, ideals: list[float]) -> None:
    arms = tuple(
        treatment(
            f"nginx workers={each}",
            subject="nginx",
            levels={"subject": "nginx", "workers": each},
            cpus=tuple(range(cpus)),
        )
        for each in (1, 2)
    )
    of = experiment(treatments=arms, comparisons=(), compare="workers")
    values = {each.label: steady(1000.0) for each in arms}
    assert [each.scaling.ideal for each in growth(gather(of, blocks_of(values, of=of)))] == ideals


def test_neighboring_counts_are_told_side_by_side_and_then_the_least_against_the_greatest() -> None:
    of = experiment(treatments=tuple(arm("off", cpus) for cpus in (4, 1, 2)), comparisons=(), compare="cpus")
    rates = {"cpus=1": 1000.0, "cpus=2": 1900.0, "cpus=4": 2850.0}
    values = {each.label: steady(rates[each.label.split()[-1]]) for each in of.treatments}
    found = [each.scaling for each in growth(gather(of, blocks_of(values, of=of)))]
    assert [(each.low, each.high, round(each.gain, 3), each.ideal) for each in found] == [
        (1, 2, 0.9, 1.0),
        (2, 4, 0.5, 1.0),
        (1, 4, 1.85, 3.0),
    ]
