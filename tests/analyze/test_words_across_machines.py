"""Machines with other numbers of CPUs: "all" is compared with "all", "half" with "half", 1 with 1."""

from collections.abc import Mapping

from headtohead.analyze.fleet.compare_systems import compare_systems
from headtohead.model.analysis.systems import SystemResults, SystemsComparison
from headtohead.model.plan import Plan, Treatment
from headtohead.report.document import Table
from headtohead.report.fleet.csv_table import systems_csv
from headtohead.report.fleet.systems_page import systems_page
from tests.analyze.building import plan, treatment
from tests.analyze.fleet import lone, system


def arm(cpus: int, *words: str) -> Treatment:
    levels = {"subject": "openssl", "cpus": cpus}
    own = {"cpus": words} if words else {}
    return treatment(f"openssl cpus={cpus}", subject="openssl", levels=levels, cpus=tuple(range(cpus)), words=own)


def machine(name: str, arms: Mapping[Treatment, float] | list[tuple[Treatment, float]]) -> SystemResults:
    """Return a system that measured about this rate with each treatment."""
    told = list(arms.items()) if isinstance(arms, Mapping) else arms
    of: Plan = plan(lone("rsa", treatments=tuple(each for each, _ in told)))
    values = {("rsa", each.label): [rate, 1.01 * rate, 0.99 * rate] for each, rate in told}
    return system(name, values, of=of)


DUAL = machine("dual", [(arm(1, "1", "half"), 100.0), (arm(2, "all"), 190.0)])
QUAD = machine("quad", [(arm(1), 80.0), (arm(2, "half"), 150.0), (arm(4, "all"), 280.0)])


def ratios(found: SystemsComparison) -> dict[str, float | None]:
    """Return the ratio of the quad to the dual in each table."""
    return {
        table.treatment: round(each.ratio.value, 3) if each.ratio else None
        for table in found.tables
        for each in table.standings
        if each.system == "quad"
    }


def test_a_word_is_compared_with_the_same_word_and_a_number_with_the_same_number() -> None:
    assert ratios(compare_systems([DUAL, QUAD], 0)) == {
        "openssl cpus=1": 0.8,
        "openssl cpus=half": 1.5,
        "openssl cpus=all": round(280 / 190, 3),
    }


def test_nothing_is_refused_where_every_treatment_has_one_of_its_meanings_in_common() -> None:
    assert compare_systems([DUAL, QUAD], 0).refused == ()


def test_two_cpus_of_a_ladder_are_not_compared_with_all_of_two() -> None:
    ladder = machine("quad", [(arm(1), 80.0), (arm(2), 150.0)])
    found = compare_systems([DUAL, ladder], 0)
    assert list(ratios(found)) == ["openssl cpus=1"]
    assert {each.field for each in found.refused} == {"levels"}


def test_the_numbers_of_cpus_are_shown_where_they_differ() -> None:
    found = compare_systems([DUAL, QUAD], 0)
    by_table = {table.treatment: {each.system: each.cpus for each in table.standings} for table in found.tables}
    assert by_table["openssl cpus=all"] == {"dual": (2,), "quad": (4,)}
    assert by_table["openssl cpus=1"] == {"dual": (1,), "quad": (1,)}
    columns = [part.columns for each in systems_page(found).sections for part in each.blocks if isinstance(part, Table)]
    assert ["CPUs" in each for each in columns if "verdict" in each] == [False, True, True]
    lines = [line.split(",") for line in systems_csv(found).splitlines()]
    column = lines[0].index("cpus")
    shown = {(line[0], line[2]): line[column] for line in lines[1:] if line[1]}
    assert shown["quad", "openssl cpus=all"] == "4"
