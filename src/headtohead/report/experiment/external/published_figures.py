"""Figures that articles printed, next to those measured here. They are never part of a verdict."""

from headtohead.model.analysis.printed import Then
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Fold, Heading, Row, RowGroup, Table, Text
from headtohead.report.experiment.values.cells import NOTHING, estimate_entry
from headtohead.report.text.differences import unit_of_work
from headtohead.report.text.names import metric_title
from headtohead.report.text.numbers.values_with_units import Scale, as_printed, scale_for, unit_words
from headtohead.report.text.verdicts import as_sentence
from headtohead.report.text.wording import listed, plural

_DIFFERED = "Another machine, other versions and another client program, so this is context and no comparison."
_BATCH_DIFFERED = "Another machine and other versions, so this is context and no comparison."
_NOW, _OTHERS = "Now, with intervals", "Now, another program than the printed one"


def published_figures_blocks(context: ExperimentContext) -> Blocks:
    """Yield a table for each printed benchmark that is like this experiment, with what was measured here below it.

    Of benchmarks whose program was not measured here the names are enough, unless the study repeats their article.
    """
    article = context.study.analysis.article
    repeated = article.source if article else ""
    shown = [each for each in context.result.then if each.source == repeated or _is_measured(each)]
    for each in shown:
        yield Heading(f"Then and now: {each.source}, {each.benchmark}")
        yield Text(_in_one_line(context, each))
        yield Fold("Figures as printed, and those measured here", (table := _table(context, each),), unfolded=(table,))
    others = [f"{each.source}, {each.benchmark}" for each in context.result.then if each not in shown]
    if others:
        listing = f"{'; '.join(others)}. `headtohead published` has them"
        yield Text(f"Also printed, of programs that were not measured here: {listing}.")


def where_printed(context: ExperimentContext) -> str:
    """Return where the figures of the article that the study repeats are, if it printed any of this question."""
    article, result = context.study.analysis.article, context.result
    changes = [printed.source for each in result.changes_then for printed in each.printed]
    sources = [*(each.source for each in result.then), *(each.source for each in result.cards_then), *changes]
    if article is None or article.source not in sources:
        return ""
    return "The article's figures are next to these under \"Then and now\" in this question's section."


def _is_measured(then: Then) -> bool:
    return any(row.counterpart for row in then.now)


def _in_one_line(context: ExperimentContext, then: Then) -> str:
    """Return the highest value printed and the highest that its program reached here, with what differed."""
    metric = context.result.metrics[then.metric]
    printed = [(value, row.system) for row in then.printed for value in row.values if value is not None]
    now = [(each.value, row.treatment) for row in then.now if row.counterpart for each in row.estimates if each]
    highest = "" if now else "The printed program was not measured here. "
    if printed and now:
        (old, system), (new, treatment) = max(printed), max(now)
        scale = scale_for(metric.unit, [old, new])
        unit = unit_of_work(scale, metric)
        highest = f"Highest: {scale.bare(old)} {unit} printed ({system}), {scale.bare(new)} here ({treatment}). "
    cpus = next((each.value for each in context.facts if (each.group, each.name) == ("cpu", "threads")), None)
    made_with = dict.fromkeys(version for each in context.runs for version in each.run.versions.values() if version)
    known = [*([f"{cpus} CPUs"] if cpus is not None else []), *made_with]
    here = f" Here: {listed(known)}." if known else ""
    differed = _BATCH_DIFFERED if context.loop == "batch" else _DIFFERED
    return f"{highest}{differed}{here} {as_sentence(then.caveat)}".rstrip()


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
    now = [
        RowGroup(
            title,
            tuple(
                Row(row.treatment, tuple(estimate_entry(each, scale) for each in row.estimates))
                for row in then.now
                if row.counterpart is counterpart
            ),
        )
        for title, counterpart in ((_NOW, True), (_OTHERS, False))
    ]
    words = unit_words(scale.unit)
    return Table(
        caption=f"{then.benchmark}: {context.titled(then.metric)}{f', {words}' if words else ''}",
        corner="System",
        columns=columns if any(columns) else ("as printed",),
        groups=(RowGroup("Then, as printed", printed), *(each for each in now if each.rows)),
    )


def _printed(value: float | None, scale: Scale) -> Entry:
    return NOTHING if value is None else Entry(as_printed(value / scale.factor), number=True)
