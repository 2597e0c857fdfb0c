"""Many systems on a page: as reviewed, shortened with words, whole as a table, deaf to what names want it to do."""

import csv
import dataclasses
import io
import re

import pytest
from syrupy.assertion import SnapshotAssertion

from headtohead.analyze.fleet.compare_systems import compare_systems
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.analysis.systems import Broken, SystemsComparison
from headtohead.report.document import Document, Table
from headtohead.report.fleet.csv_table import COLUMNS, systems_csv
from headtohead.report.fleet.host_differences import tally
from headtohead.report.fleet.systems_page import systems_page
from headtohead.report.formats import html, markdown
from headtohead.report.terminal.compared_systems import render_systems
from tests.analyze.building import experiment, plan
from tests.analyze.fleet import HERE, days, lone, system
from tests.report.test_html import read

HOSTILE = "<script>alert(1)</script>|*x*"
STEADY = [99.0, 100.0, 101.0, 99.0, 100.0, 101.0]


def times(factor: float) -> list[float]:
    return [factor * each for each in STEADY]


def few() -> SystemsComparison:
    """Return three systems, one of which lacks a test, one of another version, and a folder that cannot be read."""
    both = plan(experiment(), lone("forum", same_test="forum"))
    other = plan(experiment(workload_version=2, same_test="later"), lone("forum", same_test="forum"))
    values = {("static-page", "apache"): times(500), ("static-page", "nginx"): times(700)}
    forum = {("forum", "nginx"): times(20)}
    systems = [
        system("2026-11-20-first", {**values, **forum}, of=both),
        system(
            "2026-12-01-first",
            {**values, ("static-page", "apache"): times(650), **forum},
            of=both,
            facts={**HERE, ("software", "kernel"): "6.12", ("cpu", "threads"): 16},
        ),
        system("2026-12-02-first", {**values, ("forum", "nginx"): times(30)[:4]}, of=other),
    ]
    broken = (Broken("2026-12-03-first", "plan.json cannot be read: it is not JSON"),)
    return compare_systems(systems, 0, differ=("kernel",), broken=broken)


def by_sessions() -> SystemsComparison:
    """Return a machine of three sessions, one of two with a new kernel between them, and one measured once."""
    first, second = days("epyc", times(3.1), times(3.2))
    newer = dataclasses.replace(second, facts={**second.facts, ("software", "kernel"): ("6.12", None)})
    once = days("arm", times(2))
    return compare_systems([*days("xeon", times(1), times(1.01), times(1.02)), first, newer, *once], 0)


def many(count: int, *, baseline: int = 0) -> SystemsComparison:
    """Return systems each 5 % faster than the one before."""
    return compare_systems([system(f"s{number:02d}", times(1.05**number)) for number in range(count)], baseline)


def last_table(page: Document) -> Table:
    table = page.sections[-1].blocks[-1]
    assert isinstance(table, Table)
    return table


def test_a_few_systems_are_as_reviewed(snapshot: SnapshotAssertion) -> None:
    assert render_systems(few()) == snapshot


def test_machines_of_several_sessions_are_as_reviewed(snapshot: SnapshotAssertion) -> None:
    assert render_systems(by_sessions()) == snapshot


def test_their_page_as_markdown_is_as_reviewed(snapshot: SnapshotAssertion) -> None:
    assert markdown.render(systems_page(few())) == snapshot


def test_a_table_of_forty_is_whole() -> None:
    table = last_table(systems_page(many(40)))
    assert [len(group.rows) for group in table.groups] == [40]
    assert "left out" not in table.note


@pytest.mark.parametrize(
    ("count", "baseline", "rows", "left"), [(41, 0, [10, 3], "28 of 41"), (60, 30, [10, 1, 3], "46 of 60")]
)
def test_a_larger_one_is_shortened_and_says_by_how_much(count: int, baseline: int, rows: list[int], left: str) -> None:
    page = systems_page(many(count, baseline=baseline))
    table = last_table(page)
    assert [len(group.rows) for group in table.groups] == rows
    assert table.note.startswith(f"{left} systems are left out here;")
    assert table.groups[0].rows[0].head == f"s{count - 1:02d}"
    assert sum(row.cells[4].text == "baseline" for group in table.groups for row in group.rows) == 1


def test_of_many_systems_it_is_told_how_many_have_which_value() -> None:
    (table,) = systems_page(many(41)).sections[0].blocks
    assert isinstance(table, Table)
    assert [(row.head, row.cells[0].text) for row in table.groups[0].rows][:2] == [
        ("CPU", "Some CPU (41)"),
        ("CPUs", "8 (41)"),
    ]


def test_values_are_tallied_with_the_commonest_first_and_the_rest_counted() -> None:
    assert tally(["b", "a", "a"], None) == "a (2), b (1)"
    assert tally(["a", "a", "b", "c", "d", "e"], None) == "a (2), b (1), c (1) and 2 other values"
    assert tally([1024, 2048, 4096, 8192, 16384], "B") == "5 values from 1.00 KiB to 16.0 KiB"
    assert tally([None, None], None) == "not visible (2)"
    assert tally([True, None, 3], None) == "yes (1), 3 (1), not visible (1)"


def test_the_whole_table_has_a_line_for_every_system_measured_or_not() -> None:
    found = few()
    lines = list(csv.DictReader(io.StringIO(systems_csv(found))))
    assert tuple(lines[0]) == COLUMNS
    tests = [(each.experiment, each.treatment) for each in found.tables]
    told = {(line["experiment"], line["treatment"], line["system"]): line for line in lines}
    assert len(told) == len(tests) * 3 + len(found.overall.standings)
    missing = told["static-page", "apache", "2026-12-02-first"]
    assert (missing["verdict"], missing["value"], missing["runs"]) == ("not-measured", "", "")
    base = told["forum", "nginx", "2026-11-20-first"]
    assert (base["verdict"], base["ratio"], base["runs"]) == ("baseline", "", "6")
    faster = told["static-page", "apache", "2026-12-01-first"]
    assert float(faster["ratio"]) == pytest.approx(1.3)
    assert (faster["first_rank"], faster["verdict"], faster["ratio_basis"]) == ("", "inconclusive", "within-session")
    judged = list(csv.DictReader(io.StringIO(systems_csv(by_sessions()))))
    assert [(each["verdict"], each["first_rank"], each["sessions"], each["basis"]) for each in judged[:2]] == [
        ("better", "1", "2", "between-sessions"),
        ("inconclusive", "", "1", "within-session"),
    ]
    assert float(faster["ratio_low"]) < 1.3 < float(faster["ratio_high"])


def test_an_interval_from_too_few_runs_is_said_to_be_one() -> None:
    found = many(3)
    table = found.tables[0]
    wide = dataclasses.replace(table.standings[0], estimate=Estimate(1.0, Interval(1e-9, 1e300, 0.95), 2))
    changed = dataclasses.replace(table, standings=(wide, *table.standings[1:]))
    text = render_systems(dataclasses.replace(found, tables=(changed,)))
    assert "too few runs" in text
    assert "000,000,000" not in text


def test_where_nothing_could_be_compared_it_is_said() -> None:
    text = render_systems(compare_systems([system("a"), system("b")], 0))
    assert "Nothing could be compared." in text
    assert "no system has values of nginx" in " ".join(text.split())


def test_html_is_closed_and_hostile_names_stay_text() -> None:
    facts = {("cpu", "model"): HOSTILE, (HOSTILE, HOSTILE): HOSTILE}
    named = plan(lone(HOSTILE, workload_title=HOSTILE))
    values = {(HOSTILE, "nginx"): STEADY}
    found = compare_systems([system(HOSTILE, values, of=named, facts=facts), system("b", values, of=named)], 0)
    page = html.render(systems_page(found))
    told = read(page)
    assert told.open == []
    assert "<script" not in page
    assert told.links == []
    assert len(told.ids) == len(set(told.ids))
    text = markdown.render(systems_page(found))
    assert re.search(r"(?<!\\)<script", text) is None
    assert "\\<script\\>alert(1)\\</script\\>\\|\\*x\\*" in text


def test_rows_of_a_markdown_table_have_the_columns_of_its_head() -> None:
    for block in markdown.render(systems_page(few())).split("\n\n"):
        rows = [line for line in block.splitlines() if line.startswith("|")]
        assert len({row.replace("\\|", "").count("|") for row in rows}) <= 1
