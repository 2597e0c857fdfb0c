"""Work for each GHz: a table where the clock was read, nothing where it was not, and no reckoning to other clocks."""

from headtohead.analyze.study import analyze
from headtohead.model.readings import Readings
from headtohead.report.document import Table
from tests.analyze.suites import folder, suiting, swept
from tests.analyze.test_clock import CLOCKED
from tests.report import pages

RATES = {"gcc": [400.0, 900.0], "clang": [800.0, 1800.0]}
FEW = suiting(kernels=("fft", "lu"))


def found(monitors: Readings | None) -> list[Table]:
    recording = folder(FEW, swept(FEW, RATES, step=0.0, monitors=monitors))
    section = pages.section(analyze(recording), recording)
    return [each for each in pages.below(section, "Work for each GHz") if isinstance(each, Table)]


def test_work_is_told_for_each_ghz_beside_the_clock() -> None:
    (table,) = found(CLOCKED)
    rows = {row.head: [cell.text for cell in row.cells] for group in table.groups for row in group.rows}
    assert rows == {"gcc": ["2.50 GHz", "240"], "clang": ["2.50 GHz", "480"]}  # 600 and 1200 per second
    assert "nothing is converted from one clock to another" in table.note


def test_where_no_clock_was_read_there_is_no_such_table() -> None:
    assert found(None) == []
