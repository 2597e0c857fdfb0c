"""Whether treatments change places over connections or CPUs, and between which levels that were measured."""

from dataclasses import replace

from headtohead.analyze.breakdown.crossings import crossings
from headtohead.analyze.samples.valid_values import gather
from headtohead.model.analysis.sweeps import Crossing
from headtohead.model.case import Case
from headtohead.model.plan import Comparison, PlannedExperiment
from headtohead.model.quantity import Metric
from headtohead.model.study.workload import Load
from tests.analyze.building import ALPHA
from tests.analyze.sweeps import CONNECTIONS, MAXIMUM, Rates, engine, sweeping, walked

TWO = sweeping(engine("one"), engine("other"))
FLAT = (100.0,) * len(CONNECTIONS)
RISING = (50.0, 60.0, 80.0, 120.0, 150.0, 160.0, 170.0)
PAIR = sweeping(
    engine("one"),
    engine("other"),
    cases=({"connections": 10}, {"connections": 100}),
    load=Load("closed", {"connections": (10, 100)}, {}, warm_up_s=1, measure_s=3),
    primary=MAXIMUM,
    summaries=(MAXIMUM,),
)


def told(of: PlannedExperiment, rates: Rates, *, step: float = 0.002) -> tuple[Crossing, ...]:
    return crossings(gather(of, walked(of, rates, step=step)))


def test_who_comes_from_behind_passes_between_two_levels_that_were_measured() -> None:
    (found,) = told(TWO, {"one": FLAT, "other": RISING})
    assert (found.over, found.ahead, found.behind) == ("connections", "one", "other")
    assert (found.low, found.high, found.shown) == (5, 10, True)
    assert found.levels == CONNECTIONS


def test_where_none_changes_its_place_the_range_is_told_with_who_leads() -> None:
    (found,) = told(TWO, {"one": FLAT, "other": tuple(2 * each for each in FLAT)})
    assert (found.ahead, found.behind) == ("other", "one")
    assert (found.low, found.high, found.shown) == (None, None, True)
    assert (found.levels[0], found.levels[-1]) == (1, 50)


def test_where_the_intervals_allow_either_nothing_is_shown() -> None:
    near = {"one": FLAT, "other": tuple(each * 1.0005 for each in FLAT)}
    (found,) = told(TWO, near, step=0.02)
    assert not found.shown


def test_too_few_blocks_to_name_a_winner_name_none_along_the_range_either() -> None:
    runs = [each for each in walked(TWO, {"one": FLAT, "other": RISING}) if each.run.block < 6]
    assert crossings(gather(TWO, runs)) == ()


def test_two_levels_are_a_range_too() -> None:
    (found,) = told(PAIR, {"one": (100.0, 100.0), "other": (50.0, 200.0)})
    assert (found.low, found.high, found.shown, found.behind) == (10, 100, True, "other")


def test_where_less_is_better_the_one_that_rises_falls_behind() -> None:
    slower = Metric("goodput_per_s", "time", "s", "lower", ("faster", "slower"), "load")
    (found,) = told(replace(PAIR, metrics={"goodput_per_s": slower}), {"one": (100.0, 100.0), "other": (50.0, 200.0)})
    assert (found.ahead, found.behind, found.low) == ("other", "one", 10)


def test_over_cpus_the_sides_are_those_of_the_compared_factor() -> None:
    arms = [engine(name, cpus, varies=True) for cpus in (1, 2) for name in ("one", "other")]
    pairs = tuple(Comparison("subject", f"one cpus={n}", f"other cpus={n}", {"cpus": n}, ALPHA) for n in (1, 2))
    of = replace(sweeping(*arms), comparisons=pairs)
    rates: Rates = {
        "one cpus=1": FLAT,
        "other cpus=1": tuple(0.9 * each for each in FLAT),
        "one cpus=2": tuple(1.1 * each for each in FLAT),
        "other cpus=2": tuple(1.5 * each for each in FLAT),
    }
    (found,) = [each for each in told(of, rates) if each.over == "cpus"]
    assert (found.ahead, found.behind) == ("one", "other")
    assert (found.low, found.high, found.shown) == (1, 2, True)
    assert found.fixed == {}


def test_cases_that_no_number_tells_apart_have_no_range() -> None:
    named = replace(
        PAIR, cases=(Case({"query": "a"}), Case({"query": "b"})), load=replace(PAIR.load, cases={"query": ("a", "b")})
    )
    assert told(named, {"one": (100.0, 100.0), "other": (50.0, 200.0)}) == ()
