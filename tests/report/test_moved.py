"""What the report says of bytes moved: curves over clients, what a gigabyte costs, what limited it in short."""

from dataclasses import replace
from functools import cache

from headtohead.analyze.study import analyze
from headtohead.describe.catalog import read_metrics
from headtohead.describe.home import find_home
from headtohead.model.analysis.results import Analysis
from headtohead.model.machine.link import Link
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import BatchRecord, CaseRecord, Recorded, Recording
from headtohead.report.document import Section, Table
from tests.analyze.building import plan, recording, treatment, without
from tests.analyze.moving import moved, moving
from tests.report import pages

RATES = {"read": (100e6, 190e6, 300e6, 310e6), "write": (50e6, 90e6, 120e6, 110e6)}
ARMS = (treatment("samba"), treatment("samba signing=on"))


def made(of: PlannedExperiment, runs: list[Recorded]) -> tuple[Analysis, Recording]:
    found = recording(runs, of=plan(of, titles={each.subject: each.subject for each in of.treatments}))
    return analyze(found), found


def section(of: PlannedExperiment, runs: list[Recorded], *, pictures: bool = False) -> Section:
    return pages.section(*made(of, runs), pictures=pictures)


BOTH = moving(*ARMS)
LONE = moving(treatment("fio", driver_cpus=()), asks="batch/file-stream-v1")
LONE_RUNS = moved(LONE, {"fio": RATES})


@cache
def drawn() -> Section:
    """Return the section of both treatments with its pictures."""
    return section(BOTH, moved(BOTH, dict.fromkeys(("samba", "samba signing=on"), RATES)), pictures=True)


def costs(found: Section) -> Table:
    return pages.table(found, "What a gigabyte costs")


def texts(table: Table, group: int, row: int) -> list[str]:
    return [f"{each.text} {each.small}".rstrip() for each in table.groups[group].rows[row].cells]


def test_a_gigabyte_s_cpu_at_both_ends_stands_beside_the_throughput_of_all_and_of_each_client() -> None:
    table = costs(drawn())
    assert table.corner == "Clients"
    assert table.columns == (
        "Bytes moved, MB/s",
        "Per client, MB/s",
        "CPU of the program, s per GB",
        "CPU of the load generator, s per GB",
    )
    assert [each.title for each in table.groups] == [
        f"{label}: operation {each}" for label in ("samba", "samba signing=on") for each in ("read", "write")
    ]
    assert [row.head for row in table.groups[0].rows] == ["1", "2", "4", "8"]
    told = texts(table, 0, 2)
    assert [each.split(" ")[0] for each in told] == ["300", "75.0", "3.30", "2.33"]
    assert all("[" in each for each in told)


def test_without_a_driver_there_is_no_column_for_it() -> None:
    table = costs(section(LONE, LONE_RUNS))
    assert table.columns[-1] == "CPU of the program, s per GB"
    assert [each.title for each in table.groups] == ["operation read", "operation write"]


def test_a_cost_that_was_not_read_is_not_visible() -> None:
    blind = [
        replace(each, readings=without(each.readings, "subject_cpu_ns"))
        for each in LONE_RUNS
        if each.readings is not None
    ]
    assert texts(costs(section(LONE, blind)), 0, 0)[2] == "not visible"


def test_one_case_has_a_cost_and_no_share_for_each_client() -> None:
    of = moving(operations=("read",), clients=(1,))
    table = costs(section(of, moved(of, {"samba": {"read": (500e6,)}})))
    assert [row.head for row in table.groups[0].rows] == ["clients 1, operation read"]
    assert len(table.columns) == 3


def test_the_share_of_a_shaped_link_stands_beside_its_ceiling() -> None:
    arms = (treatment("samba", link=Link(1000)), treatment("samba link=unshaped", link=Link(None)))
    of = moving(*arms, operations=("read",))
    rates = {each.label: {"read": (60e6, 110e6, 118e6, 119e6)} for each in arms}
    table = costs(section(of, moved(of, rates)))
    assert table.columns[-1] == "Share of the link"
    assert texts(table, 0, 2)[-1] == "94.4 % 98.7 % of its ceiling"
    assert texts(table, 1, 2)[-1] == "\u2013 not shaped"
    assert "956 of 1000 Mbit/s" in table.note
    assert "ceiling" not in costs(drawn()).note


def test_where_the_page_cache_may_have_held_the_bytes_the_table_says_so() -> None:
    disk, cache = read_metrics(find_home())["disk_bytes_per_s"], read_metrics(find_home())["page_cache"]
    primary = replace(LONE.primary, of=disk.name, where={"operation": ("read",)})
    metrics = {**LONE.metrics, disk.name: disk, cache.name: cache}
    of = replace(LONE, primary=primary, summaries=(primary,), metrics=metrics)
    runs = [replace(each, records=tuple(map(from_disk, each.records))) for each in LONE_RUNS]
    found = section(of, runs, pictures=True)
    table = costs(found)
    assert table.columns[-1] == "Page cache"
    assert texts(table, 0, 0)[-1] == "not used"
    assert texts(table, 1, 0)[-1] == "used not a figure of the disk"
    assert texts(table, 1, 0)[0].startswith("50.1 [")
    assert any("operation write: clients 1 to 8, at most 120 MB/s, at 4" in each.wide for each in pages.figures(found))


def from_disk(record: CaseRecord) -> CaseRecord:
    """Return the record of a program that read past the page cache, and wrote into it."""
    if not isinstance(record, BatchRecord):
        return record
    read = {"disk_bytes_per_s": record.work, "page_cache": 0.0}
    return replace(record, metrics=read if record.case["operation"] == "read" else {"page_cache": 1.0})


def test_two_numbers_of_clients_are_no_sweep_and_have_a_share_for_each_all_the_same() -> None:
    of = moving(operations=("read",), clients=(1, 2))
    table = costs(section(of, moved(of, {"samba": {"read": (500e6, 600e6)}})))
    assert table.columns[1] == "Per client, MB/s"
    assert texts(table, 0, 1)[1].startswith("300 [")


def test_what_is_not_about_bytes_has_no_such_table() -> None:
    primary = replace(BOTH.primary, of="subject_cpu_s_per_gb")
    of = replace(BOTH, primary=primary, summaries=(primary,))
    found = section(of, moved(of, dict.fromkeys(("samba", "samba signing=on"), RATES)))
    assert "What a gigabyte costs" not in pages.titles(found)


def test_each_operation_has_a_curve_over_clients_with_intervals_and_one_of_its_cost_beside() -> None:
    over_clients = [each for each in pages.figures(drawn()) if "over clients" in each.caption]
    values, value_cost, writes, write_cost = (each.caption for each in over_clients)
    assert values.startswith("Bytes moved of each setup over clients, operation read. Each mark")
    assert value_cost.startswith("CPU seconds for each gigabyte moved over clients, operation read")
    assert "the program's bold, its load generator's thin" in value_cost
    assert "operation write" in writes
    assert "operation write" in write_cost
    assert "samba: clients 1 to 8, at most 310 MB/s, at 8" in over_clients[0].wide


def test_a_lone_treatment_has_its_operations_in_one_chart() -> None:
    found = pages.figures(section(LONE, LONE_RUNS, pictures=True))
    (curves,) = [each for each in found if each.caption.startswith("Bytes moved of each kind over clients")]
    assert "operation read: clients 1 to 8, at most 310 MB/s, at 8" in curves.wide
    assert "operation write: clients 1 to 8, at most 120 MB/s, at 4" in curves.wide
    assert "its driver's thin" not in found[-1].caption


def test_what_has_curves_has_no_bar_for_each_case_and_none_of_a_mean_over_unlike_work() -> None:
    assert pages.figures(drawn())
    assert not any("Bytes moved of each setup" in each.wide for each in pages.figures(drawn()))


def test_the_text_has_the_table_and_both_lists_of_limits() -> None:
    of = moving(*ARMS)
    text = pages.markdown(*made(of, moved(of, dict.fromkeys(("samba", "samba signing=on"), RATES))))
    assert "### What a gigabyte costs" in text
    assert "| all 8 cases | its CPU | the program used 0.99 of its 1 CPU |" in text
