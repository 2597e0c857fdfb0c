"""What is told of a sweep over connections: levels, what they come to, gains level by level, who overtakes whom."""

from dataclasses import replace

import pytest

from headtohead.analyze.breakdown.crossings import overtakings
from headtohead.analyze.breakdown.scaling import growth
from headtohead.analyze.breakdown.sweeps_and_highest_level import sweep_of
from headtohead.analyze.samples.summary_over_cases import summarize
from headtohead.analyze.samples.valid_values import gather
from headtohead.analyze.samples.values_from_records import values_of
from headtohead.analyze.study import analyze
from headtohead.model.analysis.estimates import Key
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.plan import Comparison
from headtohead.model.quantity import Metric, Scalar, Summary
from headtohead.model.study.workload import Load
from tests.analyze.building import ALPHA, blocks_of, experiment, plan, recording
from tests.analyze.sweeps import CONNECTIONS, Rates, engine, sweeping, walked

RISING = (100.0, 180.0, 300.0, 400.0, 410.0, 405.0, 390.0)
FLAT = (200.0, 260.0, 320.0, 340.0, 345.0, 330.0, 310.0)
TWO = sweeping(engine("one"), engine("other"))
RATES: Rates = {"one": FLAT, "other": RISING}
DUAL = sweeping(engine("one", 1, varies=True), engine("one", 2, varies=True))
DUAL_RATES: Rates = {"one cpus=1": FLAT, "one cpus=2": tuple(each * (0.98 + 0.1 * k) for k, each in enumerate(FLAT))}


def result(rates: Rates = RATES, **changes: object) -> ExperimentResult:
    of = replace(TWO, **changes)  # type: ignore[arg-type]
    return analyze(recording(walked(of, rates), of=plan(of))).experiments[0]


def test_cases_that_differ_in_one_number_are_a_sweep_in_rising_order() -> None:
    told = sweep_of(replace(TWO, cases=TWO.cases[::-1]))
    assert told is not None
    assert (told.field, told.levels) == ("connections", tuple(map(float, CONNECTIONS)))
    assert told.cases[0].text == "connections=1"
    assert result().sweep == "connections"


def test_a_field_that_never_changes_does_not_hinder_a_sweep() -> None:
    told = sweep_of(replace(TWO, cases=tuple(Case({**case, "query": "thread"}) for case in TWO.cases)))
    assert told is not None
    assert told.field == "connections"


@pytest.mark.parametrize(
    "cases",
    [
        ({"connections": 10}, {"connections": 100}),
        ({"query": "a"}, {"query": "b"}, {"query": "c"}),
        ({"on": True}, {"on": False}, {"on": 1}),
        tuple({"connections": n, "think_s": t} for n in (1, 2) for t in (0, 1)),
        ({},),
    ],
)
def test_two_levels_and_words_and_two_fields_are_no_sweep(cases: tuple[dict[str, Scalar], ...]) -> None:
    assert sweep_of(replace(TWO, cases=tuple(map(Case, cases)))) is None
    searching = Load("open", {}, {"rate_per_s": "search"}, warm_up_s=1, measure_s=3)
    assert sweep_of(replace(TWO, load=searching)) is None


def test_a_run_tells_at_which_level_it_was_highest_the_lowest_of_equals() -> None:
    flat_top = {"one": FLAT, "other": (1.0, 2.0, 9.0, 9.0, 9.0, 3.0, 3.0)}
    run = next(each for each in walked(TWO, flat_top, blocks=1, step=0.0) if each.run.label == "other")
    values = values_of(TWO, run)
    assert values[Key(WHOLE_RUN, "maximum_at")] == 5
    assert values[Key(WHOLE_RUN, "maximum")] == 9


def test_a_level_needs_a_number_in_every_case() -> None:
    named = Summary("best", "goodput_per_s", "where-max", {}, at="query")
    chosen = replace(TWO, summaries=(*TWO.summaries, named))
    assert Key(WHOLE_RUN, "best") not in values_of(chosen, walked(chosen, RATES, blocks=1)[0])
    assert summarize([1.0, 2.0], "where-max") is None


def test_over_all_runs_the_level_has_an_interval_of_levels() -> None:
    cells = {cell.metric: cell.estimate for cell in result().treatments[1].cells if not cell.case}
    assert cells["maximum_at"].value == 20
    interval = cells["maximum_at"].interval
    assert interval is not None
    assert (interval.low, interval.high) == (20, 20)
    assert cells["average_5_to_50"].interval is not None


def test_a_level_is_shown_and_never_judged() -> None:
    assert "maximum_at" not in {each.metric for each in result().comparisons[0].exploratory}
    assert "maximum" in {each.metric for each in result().comparisons[0].exploratory}
    assert "maximum_at" not in {each.summary for each in growth(gather(DUAL, walked(DUAL, DUAL_RATES)))}


def test_two_cpus_against_one_are_told_at_every_level_and_in_what_they_come_to() -> None:
    told = growth(gather(DUAL, walked(DUAL, DUAL_RATES)))
    assert [each.summary for each in told if not each.case] == ["average_5_to_50", "maximum"]
    by_case = {each.case: each.scaling for each in told if each.case}
    assert [each.text for each in by_case] == [f"connections={each}" for each in CONNECTIONS]
    assert by_case[Case.parse("connections=1")].gain == pytest.approx(-0.02, abs=0.005)
    assert by_case[Case.parse("connections=50")].gain == pytest.approx(0.58, abs=0.005)
    assert by_case[Case.parse("connections=50")].efficiency == pytest.approx(0.79, abs=0.005)
    assert by_case[Case.parse("connections=50")].ideal == 1.0


def test_levels_and_summaries_share_their_errors_apart() -> None:
    told = growth(gather(DUAL, walked(DUAL, DUAL_RATES)))
    shares = {bool(each.case): 1 - each.scaling.interval.confidence for each in told}
    assert shares[False] == pytest.approx(0.05 / 2)
    assert shares[True] == pytest.approx(0.05 / 7)


def test_who_comes_from_behind_overtakes_between_two_levels_that_were_measured() -> None:
    (told,) = result().overtakings
    assert (told.behind, told.ahead, told.shown) == ("other", "one", True)
    assert (told.low, told.high) == (5, 10)
    assert told.at_low.value == pytest.approx(300 / 320, rel=0.01)
    assert told.at_high.value == pytest.approx(400 / 340, rel=0.01)
    assert told.at_low.interval is not None
    assert told.at_low.interval.confidence == pytest.approx(1 - ALPHA[0] / 7)


def test_it_is_the_same_whichever_of_the_two_is_the_baseline() -> None:
    (there,) = result().overtakings
    of = sweeping(engine("other"), engine("one"))
    (back,) = overtakings(gather(of, walked(of, RATES)))
    assert (there.behind, there.low, there.high) == (back.behind, back.low, back.high)
    assert there.at_low.value == pytest.approx(back.at_low.value)


def test_where_less_is_better_the_one_that_falls_overtakes() -> None:
    slower = Metric("goodput_per_s", "time", "s", "lower", ("faster", "slower"), "load")
    (told,) = result(metrics={"goodput_per_s": slower}).overtakings
    assert (told.behind, told.ahead) == ("one", "other")
    assert told.at_low.value > 1 > told.at_high.value


def test_where_the_intervals_allow_either_it_is_not_shown() -> None:
    near = {"one": FLAT, "other": tuple(each * (0.999 if k < 3 else 1.001) for k, each in enumerate(FLAT))}
    (told,) = overtakings(gather(TWO, walked(TWO, near, step=0.01)))
    assert not told.shown


def test_one_who_is_always_ahead_is_overtaken_by_nobody() -> None:
    assert result({"one": FLAT, "other": [2 * each for each in FLAT]}).overtakings == ()


def test_every_two_of_a_group_are_looked_at_and_more_cpus_too() -> None:
    arms = [engine(name, cpus, varies=True) for cpus in (1, 2) for name in ("one", "other")]
    pairs = (Comparison("subject", f"one cpus={n}", f"other cpus={n}", {"cpus": n}, ALPHA) for n in (1, 2))
    of = replace(sweeping(*arms), comparisons=tuple(pairs))
    rates: Rates = {each.label: RISING if each.subject == "other" else FLAT for each in arms}
    rates = {**rates, "one cpus=2": DUAL_RATES["one cpus=2"]}
    told = overtakings(gather(of, walked(of, rates)))
    assert ("other cpus=1", "one cpus=1") in {(each.behind, each.ahead) for each in told}
    assert ("one cpus=2", "one cpus=1") in {(each.behind, each.ahead) for each in told}


def test_without_a_sweep_nobody_overtakes() -> None:
    of = experiment()
    runs = blocks_of({"apache": [1000.0] * 6, "nginx": [1100.0] * 6})
    assert overtakings(gather(of, runs)) == ()
