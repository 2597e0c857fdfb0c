"""Results folders of several machines: tables, ratios, ranks, the mean over tables, what differs, what is refused."""

import dataclasses
import math
from dataclasses import replace

import pytest

from headtohead.analyze.fleet.compare_systems import compare_systems
from headtohead.model.analysis.systems import Broken, SystemResults, SystemsComparison
from tests.analyze.building import P99, experiment, plan, treatment
from tests.analyze.fleet import HERE, days, lone, system

STEADY = [99.0, 100.0, 101.0, 99.0, 100.0, 101.0]
PAGE, FORUM = ("static-page", "nginx"), ("forum", "nginx")
SLOWNESS = dataclasses.replace(lone("forum").primary, name="p99", of="response_time_p99_ns")
BOTH = plan(lone(), lone("forum", same_test="forum"))
TIMED = plan(lone(), lone("forum", same_test="forum", primary=SLOWNESS, summaries=(SLOWNESS,)))


def times(factor: float) -> list[float]:
    return [factor * each for each in STEADY]


def twice(name: str, factor: float = 1.0) -> list[SystemResults]:
    """Return two sessions of a machine that differ by a tenth of a percent."""
    return days(name, times(factor), times(1.001 * factor))


def ratios(found: SystemsComparison, table: int = 0) -> dict[str, float | None]:
    return {each.system: each.ratio.value if each.ratio else None for each in found.tables[table].standings}


def test_every_system_stands_in_one_table_the_best_first() -> None:
    found = compare_systems([*twice("a"), *twice("b", 1.2), *twice("c", 0.5)], 0)
    (table,) = found.tables
    assert [each.system for each in table.standings] == ["b", "a", "c"]
    assert ratios(found) == {"b": pytest.approx(1.2), "a": None, "c": pytest.approx(0.5)}
    assert [each.verdict for each in table.standings] == ["better", None, "worse"]
    assert [each.rank for each in table.standings] == [(1, 1), (2, 2), (3, 3)]
    assert table.missing == ()
    assert [each.estimate.n for each in table.standings] == [12, 12, 12]
    assert [each.sessions for each in table.standings] == [2, 2, 2]


def test_intervals_of_values_hold_for_all_systems_and_those_of_ratios_for_all_ratios() -> None:
    found = compare_systems([system("a", STEADY), system("b", STEADY), system("c", STEADY)], 0)
    first, second, _ = found.tables[0].standings
    assert first.estimate.interval is not None
    assert first.estimate.interval.confidence == pytest.approx(1 - 0.05 / 3)
    assert second.ratio is not None
    assert second.ratio.interval is not None
    assert second.ratio.interval.confidence == pytest.approx(1 - 0.05 / 2)


def test_the_ratios_of_all_treatments_of_an_experiment_share_one_error() -> None:
    two = plan(experiment())
    values = {("static-page", "apache"): STEADY, PAGE: STEADY}
    found = compare_systems([system("a", values, of=two), system("b", values, of=two)], 0)
    assert [each.treatment for each in found.tables] == ["apache", "nginx"]
    for table in found.tables:
        ratio = table.standings[1].ratio
        assert ratio is not None
        assert ratio.interval is not None
        assert ratio.interval.confidence == pytest.approx(1 - 0.05 / 2)


def test_another_baseline_turns_the_ratio_over_and_leaves_the_ranks() -> None:
    systems = [*twice("a"), *twice("b", 1.25)]
    there, back = compare_systems(systems, 0), compare_systems(systems, 1)
    assert ratios(there)["b"] == pytest.approx(1.25)
    assert ratios(back)["a"] == pytest.approx(0.8)
    assert back.baseline == "b"
    assert [each.name for each in back.systems] == ["b", "a"]
    for found in (there, back):
        assert {each.system: each.rank for each in found.tables[0].standings} == {"b": (1, 1), "a": (2, 2)}


def test_systems_whose_intervals_overlap_share_a_rank() -> None:
    found = compare_systems([*twice("a"), *twice("b", 1.001), *twice("c", 2.0)], 0)
    assert {each.system: each.rank for each in found.tables[0].standings} == {"c": (1, 1), "b": (2, 3), "a": (2, 3)}


def test_what_was_not_measured_is_missing_and_never_zero() -> None:
    found = compare_systems([system("a", STEADY), system("b", times(2.0)), system("c")], 0)
    assert found.tables[0].missing == ("c",)
    assert {each.system for each in found.tables[0].standings} == {"a", "b"}
    assert {each.system for each in found.overall.standings} == {"a", "b"}


def test_a_table_that_the_baseline_lacks_has_ranks_and_no_ratios() -> None:
    values, more = {PAGE: STEADY, FORUM: STEADY}, {PAGE: times(1.001), FORUM: times(1.001)}
    one = days("a", STEADY, times(1.001), of=BOTH)
    found = compare_systems([*one, *days("b", values, more, of=BOTH), *days("c", values, more, of=BOTH)], 0)
    forum = found.tables[1]
    assert (forum.experiment, forum.missing) == ("forum", ("a",))
    assert [(each.ratio, each.verdict, each.rank) for each in forum.standings] == [(None, "not-measured", (1, 2))] * 2


def test_one_run_has_a_value_and_neither_interval_nor_rank_nor_ratio() -> None:
    found = compare_systems([system("a", STEADY), system("b", [300.0])], 0)
    best, base = found.tables[0].standings
    assert (best.system, best.estimate.value, best.estimate.interval, best.rank) == ("b", 300.0, None, None)
    assert (best.ratio, best.verdict) == (None, "not-measured")
    assert base.rank is None
    assert found.overall.standings == ()


def test_machines_measured_once_have_ratios_and_neither_verdicts_nor_ranks() -> None:
    found = compare_systems([system("a", STEADY), system("b", times(2.0)), *twice("c", 4.0)], 0)
    standings = {each.system: each for each in found.tables[0].standings}
    assert [(each.verdict, each.because) for each in standings.values()] == [
        ("inconclusive", "the baseline was measured once"),
        ("inconclusive", "each machine was measured once"),
        (None, "it is the baseline"),
    ]
    assert [each.rank for each in standings.values()] == [(1, 1), None, None]
    assert [each.ratio_basis for each in standings.values()] == ["within-session", "within-session", None]
    assert standings["b"].ratio is not None
    assert standings["b"].ratio.value == pytest.approx(2.0)
    assert {each.system: each.rank for each in found.overall.standings} == {"c": (1, 1), "b": None, "a": None}


def test_folders_of_one_machine_and_one_day_are_one_session() -> None:
    morning, evening = (replace(each, name=f"2026-11-10-a-{n}") for n, each in enumerate(twice("a")))
    found = compare_systems([morning, evening, *twice("b", 2.0)], 0)
    base = found.tables[0].standings[1]
    assert (base.system, base.sessions, base.estimate.n, base.rank) == ("a", 1, 12, None)
    assert found.systems[0].sessions == ("2026-11-10-a-0", "2026-11-10-a-1")
    assert found.systems[0].day == "2026-11-10"
    assert found.systems[1].day == "2026-11-10 to 2026-11-11"


def test_a_change_between_the_sessions_of_a_machine_is_named() -> None:
    one, other = twice("a")
    newer = replace(other, facts={**other.facts, ("software", "kernel"): ("6.12", None)})
    found = compare_systems([one, newer, *twice("b")], 0)
    assert [each.changed for each in found.systems] == [("software: kernel",), ()]


def test_the_mean_over_tables_counts_sessions_as_a_day_moves_all_tables_alike() -> None:
    """Twenty tables that a day moves together say no more about another day than one does."""
    many = plan(*(lone(f"t{n}", same_test=f"t{n}") for n in range(20)))
    values = [{(f"t{n}", "nginx"): times(factor) for n in range(20)} for factor in (1.0, 1.05, 1.1, 1.12)]
    found = compare_systems([*days("a", *values[:2], of=many), *days("b", *values[2:], of=many)], 0)
    (best, _) = found.overall.standings
    alone = found.tables[0].standings[0].ratio
    assert best.ratio is not None
    assert alone is not None
    assert best.ratio_basis == "between-sessions"
    assert best.ratio.interval is not None
    assert alone.interval is not None
    mine, single = (math.log(each.high / each.low) for each in (best.ratio.interval, alone.interval))
    assert mine == pytest.approx(single, rel=1e-6)


def test_values_that_are_not_positive_have_a_mean_and_no_ratio() -> None:
    found = compare_systems([system("a", STEADY), system("b", [-1.0, 0.0, 1.0, 2.0, 3.0, 7.0])], 0)
    told = found.tables[0].standings[1]
    assert told.system == "b"
    assert told.estimate.value == pytest.approx(2.0)
    assert (told.ratio, told.verdict) == (None, "not-measured")


def test_times_are_ordered_the_other_way_and_turned_over_in_the_mean() -> None:
    fast = days("fast", *[{PAGE: times(2.0), FORUM: times(0.125)}] * 2, of=TIMED)
    slow = days("slow", *[{PAGE: STEADY, FORUM: STEADY}] * 2, of=TIMED)
    found = compare_systems([*slow, *fast], 0)
    assert found.tables[1].metric == P99
    assert [each.system for each in found.tables[1].standings] == ["fast", "slow"]
    assert ratios(found, 1)["fast"] == pytest.approx(0.125)
    (best, base) = found.overall.standings
    assert best.ratio is not None
    # twice the work, an eighth of the time: the square root of 2 x 8
    assert (best.system, base.ratio) == ("fast", None)
    assert best.ratio.value == pytest.approx(4.0)
    assert (best.rank, base.rank) == ((1, 1), (2, 2))


def test_the_mean_is_over_the_tables_that_all_have_and_names_who_lacks_one() -> None:
    values = {PAGE: STEADY, FORUM: STEADY}
    found = compare_systems(
        [system("a", values, of=BOTH), system("b", {PAGE: times(2.0)}, of=BOTH), system("c", values, of=BOTH)], 0
    )
    assert (found.overall.tables, found.overall.of, found.overall.lacking) == (1, 2, ("b",))
    best = found.overall.standings[0]
    assert best.ratio is not None
    assert best.system == "b"
    assert best.ratio.value == pytest.approx(2.0)


def test_where_no_table_is_had_by_all_there_is_no_mean() -> None:
    page, forum, values = {PAGE: STEADY}, {FORUM: STEADY}, {PAGE: STEADY, FORUM: STEADY}
    had = {"a": values, "b": page, "c": forum}
    found = compare_systems([system(name, told, of=BOTH) for name, told in had.items()], 0)
    assert (found.overall.tables, found.overall.of, found.overall.standings) == (0, 2, ())
    assert found.overall.lacking == ("b", "c")


def test_differing_host_facts_are_listed_as_intended_or_not_with_every_value() -> None:
    systems = [
        system("a", STEADY),
        system("b", STEADY, facts={**HERE, ("software", "kernel"): "6.12"}),
        system("c", STEADY, facts={("cpu", "model"): "Some CPU", ("cpu", "threads"): 4}),
    ]
    found = compare_systems(systems, 0, differ=("kernel",))
    assert [(each.group, each.name, each.values, each.intended) for each in found.facts] == [
        ("cpu", "threads", (8, 8, 4), False),
        ("software", "kernel", ("6.1", "6.12", None), True),
    ]
    assert [each.intended for each in compare_systems(systems, 0, differ=("software", "cpu")).facts] == [True, True]
    assert (found.systems[2].cpus, found.systems[2].kernel) == (4, None)


def test_another_test_is_refused_with_the_field_that_differs_and_who_has_it() -> None:
    changed = plan(lone(workload_version=2, same_test="xyz"))
    systems = [system("a", STEADY), system("b", STEADY, of=changed), system("c", STEADY, of=changed)]
    found = compare_systems(systems, 0)
    (told,) = found.refused
    assert (told.experiment, told.field, told.why) == (
        "static-page",
        "workload_version",
        "workload_version: 1 against 2.",
    )
    assert told.systems == ("b", "c")
    (table,) = found.tables
    assert ({each.system for each in table.standings}, table.missing) == ({"b", "c"}, ("a",))


def test_a_test_that_differs_in_files_only_is_refused_as_such() -> None:
    found = compare_systems([system("a", STEADY), system("b", STEADY, of=plan(lone(same_test="xyz")))], 0)
    assert [each.field for each in found.refused] == ["same_test"]
    assert found.tables == ()


def test_an_experiment_or_a_treatment_that_others_lack_is_refused() -> None:
    caddy = plan(lone(treatments=(treatment("nginx"), treatment("caddy"))), lone("rsa"))
    values = {PAGE: STEADY, ("static-page", "caddy"): STEADY, ("rsa", "nginx"): STEADY}
    found = compare_systems([system("a", STEADY), system("b", values, of=caddy)], 0)
    assert [(each.experiment, each.field, each.systems) for each in found.refused] == [
        ("static-page", "levels", ("b",)),
        ("rsa", "experiment", ("b",)),
    ]
    assert found.refused[0].why == "these have caddy, a has nothing of equal levels."
    back = compare_systems([system("b", values, of=caddy), system("a", STEADY)], 0)
    assert [each.why.split(",")[0] for each in back.refused] == ["b has caddy", "b has it"]


def test_what_one_system_alone_has_values_of_is_said() -> None:
    found = compare_systems([system("a", STEADY), system("b"), system("c")], 0)
    assert [each.why for each in found.refused] == ["a alone has values of nginx."]
    nobody = compare_systems([system("a"), system("b")], 0)
    assert [each.why for each in nobody.refused] == ["no system has values of nginx."]
    assert nobody.tables == ()


def test_a_floor_is_never_compared() -> None:
    of = plan(lone(treatments=(treatment("nginx", floor=True),)))
    assert compare_systems([system("a", STEADY, of=of), system("b", STEADY, of=of)], 0).tables == ()


def test_days_are_told_from_the_folders_names() -> None:
    found = compare_systems([system("2026-11-20-first", STEADY), system("2026-12-01-first", STEADY)], 0)
    assert [each.day for each in found.systems] == ["2026-11-20", "2026-12-01"]
    assert found.says.endswith("(from 2026-11-20 to 2026-12-01)")
    assert compare_systems([system("a", STEADY), system("b", STEADY)], 0).says.endswith("(on unknown days)")


def test_folders_that_could_not_be_read_are_carried_along() -> None:
    broken = (Broken("x", "its plan.json is no JSON"),)
    assert compare_systems([system("a", STEADY), system("b", STEADY)], 0, broken=broken).broken == broken
