"""What others report of a workload's kind, above what was measured here: hatched, never part of a verdict."""

from collections.abc import Iterator, Sequence

from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.external.given import Given
from headtohead.report.document import Entry, More, Row, RowGroup, Table
from headtohead.report.text.numbers import as_printed

GIVEN = "given"
"""The mark of a row that was not measured here."""

_SAID = (
    "Not measured here, and not checked: what others report, as it was given to this report. It has no interval, and "
    "nothing above follows from it."
)


def given_tables(result: ExperimentResult, given: Sequence[Given]) -> Iterator[More]:
    """Yield a table for each test that others report beside this experiment's workload."""
    own = [each for each in given if each.workload == result.workload]
    for test, unit in dict.fromkeys((each.test, each.unit) for each in own):
        rows = tuple(_row(each) for each in own if (each.test, each.unit) == (test, unit))
        columns = (unit, "Reported by", "When", "Remark")
        table = Table(f"{test}, {unit}: as given", "System", columns, (RowGroup("", rows),))
        yield More(f"Given by others: {test}", table, said=(_SAID,))


def _row(given: Given) -> Row:
    cells = (Entry(as_printed(given.value), number=True), Entry(given.who), Entry(given.when), Entry(given.note))
    return Row(given.system, cells, mark=GIVEN)
