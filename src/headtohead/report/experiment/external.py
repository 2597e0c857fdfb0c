"""Figures from elsewhere: what articles printed, and what others report. They are never part of a verdict."""

from collections.abc import Iterator

from headtohead.model.analysis.printed import Then
from headtohead.model.external.given import Given
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Row, RowGroup, Table, with_heading
from headtohead.report.experiment.values import NOTHING, estimate_entry
from headtohead.report.text.names import metric_title, plural
from headtohead.report.text.numbers import Scale, as_printed, scale_for, unit_words

GIVEN = "given"
"""The mark of a row that was not measured here."""

_PRINTED_SAYS = "Nothing follows from this about either: it is shown so that one sees how far things have come."
_GIVEN_SAYS = (
    "Not measured here, and not checked: what others report, as it was given to this report. It has no interval, and "
    "nothing above follows from it."
)


def published_blocks(context: ExperimentContext) -> Blocks:
    """Yield a table for each printed benchmark that is like this experiment, with what was measured here below it."""
    for each in context.result.then:
        yield from with_heading(f"Then and now: {each.source}", _table(context, each), f"{each.caveat} {_PRINTED_SAYS}")


def _table(context: ExperimentContext, then: Then) -> Table:
    unit = context.result.metrics[then.metric].unit
    values = [value for row in then.printed for value in row.values if value is not None]
    values += [estimate.value for row in then.now for estimate in row.estimates if estimate]
    scale = scale_for(unit, values)
    kind = metric_title(then.level_kind)
    columns = tuple(
        plural(int(level), kind.removesuffix("s"), kind) if level.isdecimal() else level for level in then.levels
    )
    printed = tuple(Row(row.system, tuple(_printed(value, scale) for value in row.values)) for row in then.printed)
    now = tuple(Row(row.treatment, tuple(estimate_entry(each, scale) for each in row.estimates)) for row in then.now)
    words = unit_words(scale.unit)
    return Table(
        caption=f"{then.benchmark}: {context.titled(then.metric)}{f', {words}' if words else ''}",
        corner="System",
        columns=columns if any(columns) else ("as printed",),
        groups=(RowGroup("Then, as printed", printed), RowGroup("Now, with intervals", now)),
    )


def _printed(value: float | None, scale: Scale) -> Entry:
    return NOTHING if value is None else Entry(as_printed(value / scale.factor), number=True)


def given_blocks(context: ExperimentContext) -> Blocks:
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
