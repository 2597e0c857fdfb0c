"""Where the order changes along a sweep, page one names who is ahead where, and what the average leaves out."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from headtohead.analyze.study import analyze
from headtohead.model.analysis.cost import Cost
from headtohead.model.analysis.estimates import Cell, Estimate, Interval
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.study.workload import Load
from headtohead.report.context import ExperimentContext, StudyContext
from headtohead.report.document import Figure
from headtohead.report.drawing.chart import Chart
from headtohead.report.study.page_one.answer_cards_and_verdicts import card
from headtohead.report.study.page_one.answer_with_badge import answer
from headtohead.report.study.page_one.card.card_lines import card_lines
from headtohead.report.study.page_one.conclusion import conclusion
from headtohead.report.study.page_one.leader_by_level import along_levels, by_level, left_out, stretches
from headtohead.report.study.page_one.next_step import next_step
from headtohead.report.text.differences import at_least_factors, at_least_percent
from tests.analyze.building import plan, recording
from tests.analyze.sweeps import engine, sweeping, walked

TITLES = {"mariadb": "MariaDB", "postgresql": "PostgreSQL"}
PLANNED = sweeping(engine("mariadb"), engine("postgresql"), name="engine")
RATES = {
    "mariadb": (2000.0, 2600.0, 3200.0, 3400.0, 3450.0, 3300.0, 3100.0),
    "postgresql": (1500.0, 2200.0, 3300.0, 3900.0, 4050.0, 4000.0, 3950.0),
}
RECORDING = recording(walked(PLANNED, RATES, step=0.01), of=plan(PLANNED, titles=TITLES))
ANALYSIS = analyze(RECORDING)
(DATABASES,) = ANALYSIS.experiments
ORDERS = (
    "MariaDB with 1 and 2 connections (PostgreSQL at least 10 % slower); undecided with 5 (PostgreSQL 3 % slower to 9 "
    "% faster); PostgreSQL with 10 to 50 (at least 8 % faster); intervals at 99.7 %, so that all hold together"
)


def shown() -> ExperimentContext:
    return StudyContext(ANALYSIS, RECORDING).experiments[0].in_words()


def test_the_card_names_who_is_ahead_at_which_load_and_what_the_average_leaves_out() -> None:
    assert by_level(shown().result) == ORDERS
    assert dict(card_lines(shown()))["Crossover"] == (
        "Ahead: MariaDB with 1 and 2 connections (PostgreSQL 25 % [20, 29] slower with 1 and 16 % "
        "[10.9, 20.2] with 2); undecided with 5 (PostgreSQL 3 % faster at best estimate, 3 % slower to 9 % "
        "faster); PostgreSQL with 10 to 50 (15 % [8.7, 22.2] faster with 10 and 27 % [20, 34] with 50); intervals at "
        "99.7 %, so that all hold together. The average leaves out 1 and 2 connections, which were measured too."
    )


def test_the_picture_of_a_card_is_over_the_load_where_the_load_decides_who_is_ahead() -> None:
    def picture(rates: Mapping[str, Sequence[float]]) -> str:
        found = recording(walked(PLANNED, rates, step=0.01), of=plan(PLANNED, titles=TITLES))
        own = card(StudyContext(analyze(found), found).experiments[0])
        drawn = next(each.drawing for each in own.blocks if isinstance(each, Figure))
        assert isinstance(drawn, Chart)
        return drawn.title

    assert picture(RATES) == "Correct responses over connections"
    assert "over connections" not in picture(RATES | {"postgresql": tuple(1.5 * each for each in RATES["mariadb"])})


def test_the_lead_is_named_where_it_is_largest_if_that_is_between_the_ends() -> None:
    rates = RATES | {"postgresql": (1500.0, 2200.0, 3300.0, 3900.0, 4800.0, 4000.0, 3600.0)}
    found = recording(walked(PLANNED, rates, step=0.01), of=plan(PLANNED, titles=TITLES))
    (context,) = StudyContext(analyze(found), found).experiments
    text = by_level(context.in_words().result, estimates=True)
    assert text.endswith(
        "(15 % [8.7, 22.2] faster with 10 and 16 % [9.5, 22.2] with 50, most of all 39 % [31, 46] with 20); "
        "intervals at 99.7 %, so that all hold together"
    )


def test_why_has_the_cpu_time_of_a_response_where_the_average_decides_and_what_was_not_measured() -> None:
    assert dict(card_lines(shown()))["Why"] == (
        "Both filled their CPU: averaged over 5 to 50 connections, a response took 259 \u00b5s of it with PostgreSQL "
        "and 301 \u00b5s with MariaDB. This restates the rate. "
        "Why their order changes with the load was not measured."
    )


def test_an_average_over_some_levels_names_them_before_the_answer() -> None:
    (verdict,) = answer(shown().result).verdicts
    assert verdict.sentence.startswith("Averaged over 5 to 50 connections: PostgreSQL is 1")
    every = replace(DATABASES.primary, where={"connections": (1, 2, 5, 10, 20, 35, 50)})
    (all_of_them,) = answer(replace(DATABASES, primary=every)).verdicts
    assert "Averaged" not in all_of_them.sentence


def test_the_best_of_a_sweep_is_named_as_that_before_the_answer() -> None:
    best = replace(DATABASES.primary, by="max", where={})
    (verdict,) = answer(replace(DATABASES, primary=best)).verdicts
    assert verdict.sentence.startswith("Each at its best of 1 to 50 connections: "), "both are best with 20"
    early = RATES | {"postgresql": (3000.0, 3600.0, 3550.0, 3550.0, 3580.0, 3550.0, 3110.0)}
    found = recording(walked(PLANNED, early, step=0.01), of=plan(PLANNED, titles=TITLES))
    (result,) = analyze(found).experiments
    at_best = replace(result, primary=best)
    (verdict,) = answer(at_best).verdicts
    assert verdict.sentence.startswith("Each at its best of 1 to 50 connections (postgresql at 2, mariadb at 20): ")
    at = Cell(WHOLE_RUN, f"{best.name}_at", Estimate(2.0, Interval(2.0, 5.0, 0.95), 6))
    moves = tuple(
        replace(each, cells=(*each.cells, at)) if each.label == "postgresql" else each for each in result.treatments
    )
    (verdict,) = answer(replace(at_best, treatments=moves)).verdicts
    assert "(postgresql at 2 or 5, mariadb at 20): " in verdict.sentence, "not sure which"
    cost = {
        name: [Cost(Case({"connections": n}), Estimate(value * n, None, 6), None) for n in (1, 2)]
        for name, value in (("mariadb", 9e4), ("postgresql", 8e4))
    }
    full = tuple(replace(each, costs=tuple(cost[each.label]), limits=()) for each in result.treatments)
    (shown_by_load,) = StudyContext(
        replace(ANALYSIS, experiments=(replace(at_best, treatments=full),)), found
    ).experiments
    assert (
        "CPU time per response with 1 and 2 connections: 90.0 and 180 \u00b5s ("
        in dict(card_lines(shown_by_load))["Why"]
    )
    (role,) = conclusion(replace(ANALYSIS, experiments=(at_best,)), found)
    assert " at each one's best" in role.lines[0]
    assert along_levels(at_best) == (
        "Ahead: postgresql with 1 to 5 connections (51 % [42, 60] faster with 1, falling to 11 % [4.6, 16.8] "
        "with 5); undecided with 10 and 20 (postgresql 2 % slower to 11 % faster); postgresql with 35 "
        "(8 % [2, 15] faster); undecided with 50 (postgresql about equal at best estimate, "
        "5 % slower to 6 % faster); intervals at 99.7 %, so that all hold together."
    )
    (of_one,) = answer(replace(DATABASES, primary=replace(best, where={"connections": (50,)}))).verdicts
    assert "best of" not in of_one.sentence


def test_of_offered_rates_the_answer_is_named_as_their_average_with_who_is_ahead_where() -> None:
    rates = (5, 10, 20, 40, 80, 160, 320)
    ladder = sweeping(
        engine("mariadb"),
        engine("postgresql"),
        name="ladder",
        load=Load("open", {"rate_per_s": rates}, {}, warm_up_s=1, measure_s=3),
        primary=replace(DATABASES.primary, by="geometric-mean", where={}),
        cases=tuple(Case({"rate_per_s": each}) for each in rates),
    )
    served = {
        "mariadb": (500.0, 1000.0, 2000.0, 2600.0, 2500.0, 2400.0, 2300.0),
        "postgresql": (500.0, 1000.0, 2000.0, 4000.0, 5000.0, 4800.0, 4700.0),
    }
    found = recording(walked(ladder, served), of=plan(ladder, titles=TITLES))
    (context,) = [each.in_words() for each in StudyContext(analyze(found), found).experiments]
    (verdict,) = answer(context.result).verdicts
    assert verdict.sentence.startswith("Averaged over 7 offered rates (5 to 320 /s): PostgreSQL is ")
    assert dict(card_lines(context))["Also measured"].startswith("Ahead: undecided with 5 to 20 /s (PostgreSQL ")
    assert "; PostgreSQL with 40 to 320" in dict(card_lines(context))["Also measured"]


def test_the_advice_is_by_load_with_the_average_after_it() -> None:
    (advice,) = conclusion(ANALYSIS, RECORDING)
    (line,) = advice.lines
    assert line.startswith(
        f"Choose by your load: {ORDERS}. Averaged over 5 to 50 connections PostgreSQL is faster by at least 16."
    )
    assert next_step(shown()) == "The verdict needs no more blocks. Choose by your own load: see What to do."


def test_levels_are_left_out_by_name_where_nothing_crosses_over_as_well() -> None:
    rates = RATES | {"postgresql": tuple(1.2 * each for each in RATES["mariadb"])}
    found = recording(walked(PLANNED, rates, step=0.002), of=plan(PLANNED, titles=TITLES))
    (context,) = StudyContext(analyze(found), found).experiments
    told = dict(card_lines(context.in_words()))
    assert "Crossover" not in told
    assert told["Left out"] == "The average leaves out 1 and 2 connections, which were measured too."


def test_who_is_ahead_is_turned_where_less_is_better_and_open_where_the_interval_holds_no_change() -> None:
    result = shown().result
    less = replace(result, metric=replace(result.metric, better="lower"))
    assert [each.leader for each in stretches(result)] == ["MariaDB", "", "PostgreSQL"]
    assert [each.leader for each in stretches(less)] == ["PostgreSQL", "", "MariaDB"]
    (pair,) = result.comparisons
    unsure = tuple(replace(each, ratio=Estimate(1.0, Interval(0.9, 1.1, 0.99), 6)) for each in pair.exploratory)
    assert by_level(replace(result, comparisons=(replace(pair, exploratory=unsure),))) == ""
    assert stretches(replace(result, comparisons=(pair, pair))) == ()
    assert left_out(replace(result, sweep="")) == ""


def test_what_is_claimed_at_least_is_never_rounded_up() -> None:
    assert at_least_factors([2.229, 2.9, 3.6]) == ["2.22x", "2.90x", "3.60x"]
    assert at_least_factors([19.97, 30.0])[0] == "19.9x"
    assert at_least_percent(16.69, 1) == "16.6 %"
    assert at_least_percent(17.0, 0) == "17 %", "what is exact stays"
    for size in (1.0069, 1.8566, 9.999, 123.6, 1996.0):
        text, _ = at_least_factors([size, 1.3 * size])
        assert 1 < float(text.removesuffix("x").replace(",", "")) <= size
    for size in (0.37, 3.96, 16.68, 99.99):
        assert float(at_least_percent(size, 1).removesuffix(" %")) <= size + math.ulp(size)
