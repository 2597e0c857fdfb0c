"""What the report says of prices and energy: figures with what they rest on, or one sentence on what is missing."""

from dataclasses import replace

import pytest

from headtohead.analyze.study import analyze
from headtohead.model.analysis.cost import BreakEven
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.case import WHOLE_RUN
from headtohead.model.external.prices import Prices, Stated
from headtohead.model.machine.host import Fact, HostFacts
from headtohead.model.record import Recording
from headtohead.report.context import StudyContext
from headtohead.report.document import Table
from headtohead.report.experiment.cost.compression_break_even import cheaper_text
from headtohead.report.experiment.cost.energy import NOTHING_GIVEN, power_sentence
from headtohead.report.experiment.cost.given_and_missing_prices import missing_prices_sentence
from headtohead.report.experiment.cost.price_of_work import price_sentence
from headtohead.report.machine.system_facts_and_prices import system_blocks
from headtohead.report.terminal import summary
from tests.analyze.pricing import POWER, PRICES, STATED, SYSTEM, board
from tests.analyze.test_energy import POWERED
from tests.report import pages
from tests.report.test_html import read

ALL = "No prices were given:"
HEADS = ("What the work costs", "What a million answers cost", "Where compression pays", "Energy")


def tables(recording: Recording) -> dict[str, Table]:
    section = pages.section(analyze(recording), recording)
    return {each: pages.table(section, each) for each in pages.titles(section) if each in HEADS}


def rows(table: Table) -> dict[str, list[str]]:
    return {row.head: [cell.text for cell in row.cells] for group in table.groups for row in group.rows}


def test_the_price_of_the_system_is_shared_by_the_work_and_what_it_rests_on_is_said() -> None:
    table = tables(board())["What the work costs"]
    assert table.columns == ("Price for 1 /s of correct responses, EUR", "A million correct responses, EUR")
    assert rows(table) == {"plain": ["8.77", "0.278"], "packed": ["11.0", "0.347"]}
    assert all(cell.small for group in table.groups for row in group.rows for cell in row.cells)
    assert {row.small for group in table.groups for row in group.rows} == {"on 1 of 2 CPUs"}
    assert table.note.startswith(
        "The system costs 8,766 EUR (1 November 2026), written off over 1 year of 8,766 hours: 1.00 EUR an hour, used "
        "or not. The whole system is charged for"
    )


def test_a_million_answers_are_told_with_cpu_bytes_and_both() -> None:
    table = tables(board())["What a million answers cost"]
    assert rows(table) == {"plain": ["0.0694", "0.950", "1.02"], "packed": ["0.111", "0.200", "0.311"]}
    assert "0.500 EUR a CPU-hour (the price of an hour of the system over its 2 CPUs)" in table.note
    assert "at 0.05 EUR (1 November 2026) for a GB of 10^9 bytes (a list)" in table.note
    assert table.note.endswith("Nothing else is in it. Intervals at 95 %.")


def test_a_part_without_a_price_is_said_to_have_none() -> None:
    table = tables(board(Stated(None, PRICES)))["What a million answers cost"]
    assert rows(table)["plain"] == ["no price", "0.950", "no price"]
    assert "CPU time has no price" in table.note


def test_compression_is_told_with_its_break_even_and_which_is_cheaper() -> None:
    table = tables(board())["Where compression pays"]
    assert table.columns == ("CPU for each GB saved, s", "Break-even price of a GB, EUR", "At the price given")
    assert rows(table) == {"packed": ["20.0", "0.00278", "compressing is cheaper"]}
    assert table.groups[0].rows[0].small == "against plain"
    assert "The price given is 0.05 EUR (1 November 2026)." in table.note


def test_without_prices_compression_is_told_in_cpu_alone_and_nothing_else_is() -> None:
    found = tables(board(Stated()))
    assert list(found) == ["Where compression pays"]
    table = found["Where compression pays"]
    assert (table.columns, rows(table)) == (("CPU for each GB saved, s",), {"packed": ["20.0"]})


@pytest.mark.parametrize(
    ("ends", "per_gb", "says"),
    [
        ((0.01, 0.03), 0.05, "compressing is cheaper"),
        ((0.01, 0.03), 0.005, "sending plain is cheaper"),
        ((0.01, 0.03), 0.02, "is not known"),
        ((-0.03, -0.01), 0.02, "compressing is cheaper at any price: it takes no more CPU"),
        ((0.01, 0.03), None, "no price of a GB sent"),
        (None, 0.05, "is not known"),
    ],
)
def test_one_is_called_cheaper_only_where_the_interval_says_so(
    ends: tuple[float, float] | None, per_gb: float | None, says: str
) -> None:
    found = Estimate(0.02, Interval(*ends, 0.95) if ends else None, 6)
    assert cheaper_text(BreakEven(WHOLE_RUN, "plain", "packed", found, found), per_gb) == says


def test_what_was_given_stands_beside_what_was_read_each_with_its_source() -> None:
    stated = replace(POWERED, system=replace(POWERED.system or SYSTEM, chassis="2U", memory_limit_bytes=2**40))
    facts = (
        Fact("cpu", "model", "A CPU", None, "/proc/cpuinfo"),
        Fact("memory", "ECC", None, None, "dmidecode", "nobody says"),
        Fact("memory", "DIMM type", None, None, "dmidecode", "nobody says"),
        Fact("memory", "memory errors corrected", 3, None, "/sys/devices/system/edac/mc/mc*/ce_count"),
    )
    recording = replace(board(stated), hosts=(HostFacts("local", facts),))
    *_, table = system_blocks(StudyContext(analyze(recording), recording))
    assert isinstance(table, Table)
    read_, given_ = table.groups
    assert [(row.head, row.cells[0].text, row.cells[1].text) for row in read_.rows] == [
        ("CPU: model", "A CPU", "/proc/cpuinfo"),
        ("Memory: DIMM type, ECC", "not visible", "dmidecode"),
        ("Memory: memory errors corrected", "3", "/sys/devices/system/edac/mc/mc*/ce_count"),
    ]
    assert [(row.head, row.cells[0].text, row.cells[1].text) for row in given_.rows] == [
        ("Name", "A lab server", "system.toml"),
        ("Price of the system", "8,766 EUR (1 November 2026)", "an offer"),
        ("Chassis", "2U", "system.toml"),
        ("Memory, at most", "1.00 TiB", "system.toml"),
        ("Power of the whole machine", "80.0 W idle and 200 W under load", "A. Person, 1 November 2026"),
        ("Price of a GB sent", "0.05 EUR (1 November 2026)", "a list"),
        ("Price of a kWh", "0.36 EUR (1 November 2026)", "a bill"),
    ]


@pytest.mark.parametrize(
    ("stated", "says"),
    [
        (Stated(), ALL),
        (Stated(replace(SYSTEM, price=None), None), ALL),
        (Stated(None, PRICES), "Not given: the price of this system, so what needs it is not shown in money:"),
        (
            Stated(SYSTEM, Prices(PRICES.gb_sent)),
            "Not given: the price of a kWh, so what needs it is not shown in money:",
        ),
    ],
)
def test_one_sentence_says_which_prices_are_missing_and_where_to_give_them(stated: Stated, says: str) -> None:
    analysis = analyze(board(stated))
    remedy = "`headtohead report 2026-11-20-board --systems DIR --prices FILE`."
    assert missing_prices_sentence(analysis) == f"{says} {remedy}"


def test_the_sentence_is_in_the_report_and_on_a_terminal_only_where_some_prices_were_given() -> None:
    for stated, there in ((Stated(), True), (STATED, False)):
        recording = board(stated)
        analysis = analyze(recording)
        page = " ".join("".join(read(pages.html(analysis, recording)).text).split())
        texts = (page, pages.markdown(analysis, recording), " ".join(summary.render(analysis, recording).split()))
        assert [ALL in text for text in texts] == [there, there, False]
        assert ["A million correct responses" in text for text in texts] == [not there] * 3


def test_the_terminal_tells_what_a_million_answers_cost_and_by_which_price() -> None:
    analysis = analyze(board())
    told = price_sentence(analysis.experiments[0], analysis.stated, analysis.tariff)
    assert told.startswith("A million correct responses cost, by a system of 8,766 EUR (1 November 2026): plain 0.278 ")
    assert "; packed 0.347 EUR [" in told


def test_energy_is_told_with_where_it_comes_from() -> None:
    read_, given_, none = board(watts=20.0), board(POWERED), board()
    table = tables(read_)["Energy"]
    assert table.columns == ("Power, W", "Energy per unit, mJ", "A million, EUR")
    assert rows(table) == {"plain": ["20.0", "20.0", "0.00200"], "packed": ["20.0", "25.0", "0.00250"]}
    assert power_sentence(analyze(read_)).startswith("Energy was read from the counters of the processor packages")
    assert rows(tables(given_)["Energy"])["plain"] == ["200", "0.0200"]
    assert power_sentence(analyze(given_)) == (
        "Power cannot be read here: energy rests on 200 W of the whole machine under load, as given (by A. Person, 1 "
        "November 2026, meter at the wall)."
    )
    assert "Energy" not in tables(none)
    assert power_sentence(analyze(none)) == NOTHING_GIVEN
    idle = board(Stated(replace(SYSTEM, power=replace(POWER, load_w=None))))
    assert "none under load was given" in power_sentence(analyze(idle))


def test_what_people_wrote_is_escaped() -> None:
    hostile = "<script>alert(1)</script>"
    stated = Stated(replace(SYSTEM, title=hostile, remarks=hostile, chassis=f"{hostile}|"), PRICES)
    recording = board(stated)
    analysis = analyze(recording)
    page = pages.html(analysis, recording)
    assert hostile not in page
    assert "&lt;script&gt;alert(1)" in page
    assert hostile not in pages.markdown(analysis, recording)
