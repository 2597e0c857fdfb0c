"""Figures that others report, as given to this report. They are never part of a verdict."""

from collections.abc import Iterator

from headtohead.model.external.reported import Given
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Row, RowGroup, Table, with_heading
from headtohead.report.text.numbers.values_with_units import as_printed

GIVEN = "given"
"""The mark of a row that was not measured here."""
_GIVEN_SAYS = (
    "Not measured here, and not checked: results of others, as given to this report, without intervals. No answer "
    "rests on them."
)


def reported_figures_blocks(context: ExperimentContext) -> Blocks:
    """Yield a table for each test that others report of this experiment's workload."""
    for test, table in _given_tables(context):
        yield from with_heading(f"Given by others: {test}", table, _GIVEN_SAYS)


def _given_tables(context: ExperimentContext) -> Iterator[tuple[str, Table]]:
    own = [each for each in context.study.recording.given if each.workload == context.result.workload]
    for test, unit in dict.fromkeys((each.test, each.unit) for each in own):
        rows = tuple(_given_row(each) for each in own if (each.test, each.unit) == (test, unit))
        columns = (unit, "Reported by", "When", "Remark")
        yield test, Table(f"{test}, {unit}: as given", "System", columns, (RowGroup("", rows),))


def _given_row(given: Given) -> Row:
    cells = (Entry(as_printed(given.value), number=True), Entry(given.who), Entry(given.when), Entry(given.note))
    return Row(given.system, cells, mark=GIVEN)
