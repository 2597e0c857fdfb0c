"""Then and now: what an article printed of a test of the same kind, with the caveat, above what was measured."""

from collections.abc import Iterator

from headtohead.model.analysis.printed import Then
from headtohead.report.document import Entry, More, Row, RowGroup, Table
from headtohead.report.experiment.values import NOTHING, Shown, estimate_entry
from headtohead.report.text.names import metric_title, plural
from headtohead.report.text.numbers import Scale, as_printed, scale_for, unit_words

_SAID = "Nothing follows from this about either: it is shown so that one sees how far things have come."


def then_tables(shown: Shown) -> Iterator[More]:
    """Yield a table for each printed benchmark that is like this experiment."""
    for each in shown.result.then:
        yield More(f"Then and now: {each.source}", _table(shown, each), folded=False, said=(f"{each.caveat} {_SAID}",))


def _table(shown: Shown, then: Then) -> Table:
    unit = shown.result.metrics[then.metric].unit
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
        caption=f"{then.benchmark}: {shown.titled(then.metric)}{f', {words}' if words else ''}",
        corner="System",
        columns=columns if any(columns) else ("as printed",),
        groups=(RowGroup("Then, as printed", printed), RowGroup("Now, with intervals", now)),
    )


def _printed(value: float | None, scale: Scale) -> Entry:
    return NOTHING if value is None else Entry(as_printed(value / scale.factor), number=True)
