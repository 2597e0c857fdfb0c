"""The made-up results of a larger machine: written, read, analyzed and reported."""

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from headtohead.analyze.study import analyze
from headtohead.cli.folders.prove_plan_and_runs import proved
from headtohead.model.analysis.sweeps import Growth
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.report.document import Findings, Table
from headtohead.store import read
from headtohead.store.fingerprint import folder_sha256
from tests.published import rows
from tests.recorded.larger_machine import CONNECTIONS, NAME, write_folder
from tests.report import pages

SAME = 0.03
"""The most by which a gain may differ from the article's, as a share of the rate: chance is drawn around its rates."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the results folder, made once."""
    made = tmp_path_factory.mktemp("recorded") / NAME
    write_folder(made)
    return made


def test_the_maker_writes_the_same_bytes_everywhere(folder: Path, snapshot: SnapshotAssertion) -> None:
    assert folder_sha256(folder) == snapshot


@pytest.fixture(scope="module")
def growth(folder: Path) -> list[Growth]:
    return list(analyze(read.recording(folder)).experiments[0].growth)


def printed(benchmark: str, comparison: str, level: str) -> float:
    (found,) = (
        float(row["value"])
        for row in rows("derived")
        if (row["benchmark"], row["comparison"], row["level"]) == (benchmark, comparison, level)
    )
    return found / 100


@pytest.mark.parametrize(
    ("subject", "benchmark", "comparison"),
    [
        ("mariadb", "mysql-innodb-dualcore", "Dual dual-core vs one dual-core"),
        ("postgresql", "db2-dualcore", "Quad core vs dual core"),
    ],
)
def test_four_cpus_against_two_are_what_the_article_printed(
    growth: list[Growth], subject: str, benchmark: str, comparison: str
) -> None:
    told = {(each.case, each.summary): each.scaling for each in growth if each.fixed["subject"] == subject}
    for level in CONNECTIONS:
        scaling = told[(Case.parse(f"connections={level}"), "goodput_per_s")]
        assert (scaling.low, scaling.high, scaling.ideal) == (2, 4, 1.0)
        assert scaling.gain == pytest.approx(printed(benchmark, comparison, str(level)), abs=SAME)
        assert scaling.efficiency == pytest.approx((1 + scaling.gain) / 2)
    average = told[(WHOLE_RUN, "average_5_to_50")]
    assert average.gain == pytest.approx(printed(benchmark, comparison, "AVG"), abs=SAME)
    assert average.interval.low < average.gain < average.interval.high


def test_four_cpus_overtake_two_and_one_engine_the_other_where_the_rates_say_so(folder: Path) -> None:
    told = analyze(read.recording(folder)).experiments[0].overtakings
    assert {(each.behind, each.ahead, each.low, each.high) for each in told if each.shown} >= {
        ("postgresql cpus=4", "mariadb engine=InnoDB cpus=4", 5, 10),
        ("postgresql cpus=4", "postgresql cpus=2", 2, 5),
    }


def cells(table: Table, head: str) -> list[str]:
    row = next(row for group in table.groups for row in group.rows if row.head == head)
    return [f"{cell.text} {cell.small}".rstrip() for cell in row.cells]


def test_the_report_has_the_article_s_tables(folder: Path) -> None:
    recording = read.recording(folder)
    section = pages.section(analyze(recording), recording)
    values = pages.table(section, "The numbers")
    assert [row.head for row in values.groups[0].rows] == [str(each) for each in CONNECTIONS]
    assert cells(values, "maximum at")[3].startswith("20 [")
    scaling = pages.table(section, "Scaling")
    assert scaling.columns == (
        "mariadb, engine InnoDB: 4 against 2 CPUs",
        "postgresql: 4 against 2 CPUs",
    )
    (found,) = [each for each in section.blocks if isinstance(each, Findings)]
    assert [each.says.partition(" is ahead")[0] for each in found.findings] == ["postgresql cpus=4"]


def test_the_report_is_as_reviewed(folder: Path, snapshot: SnapshotAssertion) -> None:
    recording = read.recording(folder)
    assert pages.markdown(analyze(recording), recording) == snapshot


def test_the_folder_proves_itself_so_that_its_report_has_verdicts(folder: Path) -> None:
    recording = proved(read.recording(folder), folder)
    assert recording.proof is not None
    assert recording.proof.flaws == ()
    assert {each.verdict for each in analyze(recording).experiments[0].comparisons} == {"better", "worse"}
