"""Changes that articles printed, next to those measured here. They are never part of a verdict."""

from headtohead.model.analysis.printed import Changes
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Fold, Heading, Row, RowGroup, Table
from headtohead.report.experiment.values.cells import NOTHING, ratio_entry
from headtohead.report.text.names import metric_title

NOTE = (
    "Other machines, programs and data: context, and no comparison. Nothing is concluded from it. Gains printed are of "
    "rates; an article's mean over its levels is next to the summary here."
)


def published_changes_blocks(context: ExperimentContext) -> Blocks:
    """Yield a table for each factor of which articles printed what it changed."""
    for each in context.result.changes_then:
        yield Heading(f"What {each.factor.replace('_', ' ')} changed, then and now")
        yield Fold("Percentages as printed, and those measured here", (table := _table(each),), unfolded=(table,))


def _table(changes: Changes) -> Table:
    kind = metric_title(changes.level_kind)
    levels = tuple(f"{level} {kind}" if level else "summary" for level in changes.levels)
    printed = tuple(
        Row(each.of, tuple(Entry(text, number=True) if text else NOTHING for text in each.values), small=each.source)
        for each in changes.printed
    )
    now = tuple(
        Row(f"{each.other} against {each.baseline}", tuple(ratio_entry(ratio) for ratio in each.ratios))
        for each in changes.now
    )
    groups = (RowGroup("Then, as printed", printed), RowGroup("Now, with intervals", now))
    caption = f"By how many percent {changes.factor.replace('_', ' ')} changed the rate"
    return Table(caption, "Of what", levels, groups, note=NOTE)
