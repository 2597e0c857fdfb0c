"""A few machines case by case, as the articles print them: levels x machines, key sizes x machines, response times."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.analyze.fleet.compare_systems import compare_systems
from headtohead.cli.commands.results import compare
from headtohead.model.analysis.estimates import Key, Measurement
from headtohead.model.analysis.systems import ArmKey, SystemResults, SystemsComparison
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.plan import Plan
from headtohead.report.document import Figure, Row, Table, Text
from headtohead.report.fleet.systems_by_case import grid_parts
from headtohead.report.fleet.systems_page import systems_page
from headtohead.report.formats import html, markdown
from headtohead.store import durable
from headtohead.store.layout import Layout
from headtohead.store.measurements import case_values, to_csv
from headtohead.store.proof import seal
from tests.analyze.building import plan
from tests.analyze.fleet import folder, lone, system

LEVELS = (10, 25, 50)
ARM = ArmKey("static-page", "nginx")
STEADY = (0.99, 1.0, 1.01)


def swept() -> Plan:
    return plan(lone(cases=tuple(Case({"connections": each}) for each in LEVELS)))


def machine(
    name: str, rates: Sequence[float], times_ms: Sequence[float] = (), *, of: Plan | None = None
) -> SystemResults:
    """Return a machine with these rates, and 99th percentiles, at the levels; each with three steady runs."""
    told: dict[Key, tuple[float, ...]] = {}
    for level, rate in zip(LEVELS, rates, strict=False):
        told[Key(Case({"connections": level}), "goodput_per_s")] = tuple(rate * each for each in STEADY)
    for level, time_ms in zip(LEVELS, times_ms, strict=False):
        told[Key(Case({"connections": level}), "response_time_p99_ns")] = tuple(time_ms * 1e6 * each for each in STEADY)
    return replace(system(name, [100.0, 101.0, 99.0], of=of or swept()), cases={ARM: told})


def compared(*systems: SystemResults) -> SystemsComparison:
    return compare_systems(systems, 0)


def tables(found: SystemsComparison) -> list[Table]:
    return [block for _, blocks in grid_parts(found) for block in blocks if isinstance(block, Table)]


def cells(table: Table) -> Mapping[str, list[str]]:
    rows: list[Row] = [row for group in table.groups for row in group.rows]
    return {row.head: [cell.text for cell in row.cells] for row in rows}


DUAL = machine("2026-11-20-dual", (1000, 1500, 1600), (10, 20, 40))
QUAD = machine("2026-11-21-quad", (1100, 2500, 3000), (9, 12, 20))


def test_levels_are_rows_and_machines_columns_the_rate_first_then_the_response_time() -> None:
    rate, times = tables(compared(DUAL, QUAD))
    assert rate.columns == times.columns == ("2026-11-20-dual", "2026-11-21-quad")
    assert list(cells(rate).values()) == [["1,000", "1,100"], ["1,500", "2,500"], ["1,600", "3,000"]]
    assert list(cells(times).values()) == [["10.0", "9.00"], ["20.0", "12.0"], ["40.0", "20.0"]]
    assert all(cell.small.startswith("[") for row in rate.groups[0].rows for cell in row.cells)
    assert rate.note == "Intervals of 2026-11-20-dual and 2026-11-21-quad are of the runs of one session."


def test_it_says_that_they_were_not_interleaved_and_recommends_a_bench() -> None:
    ((title, blocks),) = grid_parts(compared(DUAL, QUAD))
    assert title == "static-page: nginx, case by case"
    first = blocks[0]
    assert isinstance(first, Text)
    assert "not interleaved" in first.text
    assert "--bench FILE" in first.text
    page = systems_page(compared(DUAL, QUAD))
    assert "case by case" in markdown.render(page)
    assert "<svg" in html.render(page)


def test_levels_have_a_line_for_each_machine_and_few_levels_or_words_have_none() -> None:
    (_, blocks), *_ = grid_parts(compared(DUAL, QUAD))
    assert sum(isinstance(each, Figure) for each in blocks) == 2
    two = [machine(name, (1000, 1500)) for name in ("one", "two")]
    (_, blocks), *_ = grid_parts(compared(*two))
    assert not any(isinstance(each, Figure) for each in blocks)


def test_key_sizes_are_rows_too() -> None:
    sizes = tuple(Case({"bits": bits, "operation": "sign"}) for bits in (1024, 2048))
    of = plan(lone(cases=sizes))
    told = {Key(case, "goodput_per_s"): (rate, rate) for case, rate in zip(sizes, (4000.0, 700.0), strict=True)}
    both = [replace(system(name, [1.0, 1.0], of=of), cases={ARM: told}) for name in ("dual", "quad")]
    (table,) = tables(compared(*both))
    assert len(table.groups[0].rows) == 2
    assert list(cells(table).values())[1] == ["700", "700"]


def test_what_a_machine_lacks_is_not_measured_and_never_zero() -> None:
    rate, *_ = tables(compared(DUAL, machine("later", (1100, 2500))))
    assert list(cells(rate).values())[2] == ["1,600", "not measured"]


def test_of_several_sessions_the_interval_is_between_them() -> None:
    first, second = (
        replace(machine(f"2026-11-{day}-dual", (rate,) * 3), machine="dual") for day, rate in ((20, 900), (22, 1000))
    )
    grid = compared(first, second, replace(QUAD, machine="quad")).grids[0]
    assert (grid.systems, grid.within_session) == (("dual", "quad"), (False, True))
    estimate = grid.rows[0].estimates[0]
    assert estimate is not None
    assert (round(estimate.value), estimate.n) == (949, 2)


@pytest.mark.parametrize("count", [1, 0])
def test_one_machine_with_cases_has_no_grid(count: int) -> None:
    bare = system("bare", [100.0, 101.0], of=swept())
    assert compared(DUAL if count else bare, bare).grids == ()


def measured(root: Path, rate: float) -> Path:
    """Write a results folder with values at each level; run 3 of block 1 replaces an invalid one."""
    folder(root, [rate, rate], of=swept())
    layout = Layout(root)
    lines = [Measurement("static-page", run, run, "nginx", "valid", WHOLE_RUN, "overall", rate) for run in (1, 2)]
    for run, status, value in ((1, "invalid", 1.0), (2, "valid", rate), (3, "valid", rate)):
        block = 1 if run == 3 else run
        lines += [
            Measurement(
                "static-page", run, block, "nginx", status, Case({"connections": level}), "goodput_per_s", value
            )
            for level in LEVELS
        ]
    durable.whole(layout.measurements, to_csv(lines))
    seal.keep(layout, layout.measurements.name)
    return root


@pytest.mark.usefixtures("tables_as_given")
def test_the_values_of_valid_runs_are_read_from_the_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folders = [
        measured(tmp_path / f"2026-11-2{day}-{name}", rate)
        for day, (name, rate) in enumerate((("dual", 1000.0), ("quad", 3000.0)))
    ]
    found = case_values((folders[0] / "measurements.csv").read_text(), where=folders[0])
    assert found == {ARM: {Key(Case({"connections": level}), "goodput_per_s"): (1000.0, 1000.0) for level in LEVELS}}
    page = tmp_path / "page.md"
    compare.command(folders, write_to=[page])
    assert "static-page: nginx, case by case" in page.read_text()
    assert "3,000" in page.read_text()
    assert "case by case" in capsys.readouterr().out
