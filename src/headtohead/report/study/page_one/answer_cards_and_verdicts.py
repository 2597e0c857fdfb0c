"""The answers: one card a question on page one, and the verdicts at the head of each experiment's section."""

from headtohead.report.context import ExperimentContext, StudyContext
from headtohead.report.document import (
    Block,
    Blocks,
    Card,
    Figure,
    Findings,
    Heading,
    Items,
    Section,
    Span,
    Terms,
    Text,
    Verdict,
)
from headtohead.report.experiment.charts.answer import answer_chart, interval_plot
from headtohead.report.experiment.finding_text import finding_text
from headtohead.report.experiment.load.sweep_charts import draw_sweeps
from headtohead.report.study.every_run import dropped_lines
from headtohead.report.study.intervals_and_error_rates import claim_terms
from headtohead.report.study.left_out import left_out_blocks
from headtohead.report.study.page_one.answer_with_badge import Answer, answer_of, kind_of
from headtohead.report.study.page_one.card.card_lines import card_lines
from headtohead.report.study.page_one.doubts import FORBIDS, STANDS, decided, graded_of, worst_first
from headtohead.report.text.cases_of_primary_value import over_unlike
from headtohead.report.text.verdicts import as_sentence

NOTHING_COMPARED = "There was nothing to compare."
MOST = 4
"""The most comparisons with a sentence each on a card; of more only the number is given."""
TOGETHER, SURE = "All questions together", "How sure"
"""The heading of what is claimed for a study of several questions, and of one."""


def verdict_blocks(context: ExperimentContext) -> Blocks:
    """Yield the verdicts of an experiment, each with the figures that support it, and the harness's own limit."""
    own = answer_of(context.in_words())
    yield from map(Verdict, own.measured)
    for each in own.verdicts:
        yield Verdict(each.sentence, each.kind)
        if each.behind:
            yield Text(each.behind, "behind")
    yield from _caveat(own)
    yield from (Text(each, "behind") for each in own.floors)


def _caveat(own: Answer) -> Blocks:
    if own.caveat:
        yield Text(own.caveat, "behind caveat")


def answers_section(study: StudyContext) -> Section:
    """Return page one: a card for every question, then what was left out and what is in doubt about all of it."""
    doubts = tuple(map(finding_text, worst_first(study.analysis.findings)))
    blocks: list[Block] = [card(each) for each in study.experiments]
    if claims := tuple(claim_terms(study.analysis, study.recording)):
        blocks += [Heading(TOGETHER if len(study.experiments) > 1 else SURE), Terms(claims, "facts")]
    blocks += [Text(each, "behind caveat") for each in dropped_lines(study.analysis.experiments)]
    blocks += left_out_blocks(study.analysis.left_out)
    if doubts:
        blocks.append(Findings(doubts))
    return Section("The answers", tuple(blocks), anchor="answers", kind="answers")


def card(context: ExperimentContext) -> Card:
    """Return the card of an experiment, with the names of setups in words."""
    plain = context.in_words()
    own = answer_of(plain)
    title = f"{context.number}. {own.question}"
    return Card(title, context.anchor, own.badge, kind_of(own), tuple(_blocks(plain, own)))


def _blocks(context: ExperimentContext, own: Answer) -> Blocks:
    yield from map(Verdict, own.measured)
    yield from (Verdict(each.sentence, each.kind) for each in own.verdicts[:MOST])
    if len(own.verdicts) > MOST:
        yield Text(f"{len(own.verdicts) - MOST} more comparisons are below.", "behind")
    yield from _caveat(own)
    if not (own.verdicts or own.measured):
        yield Text(NOTHING_COMPARED, "verdict")
    if context.study.pictures and (figure := _chart(context)):
        yield figure
    if lines := card_lines(context):
        yield Terms(lines, "facts")
    yield from _links(context)


def _chart(context: ExperimentContext) -> Figure | None:
    """Return the chart of an answer: over unlike work, whose means say nothing by themselves, that of the ratios.

    Where the load decides who is ahead, bars of an average would hide it: then it is the curves over the load.
    """
    prefix, result = f"{context.prefix}a", context.result
    if any(each.over == result.sweep and each.low is not None for each in result.crossings):
        return next(iter(draw_sweeps(context, prefix=prefix)), None) or answer_chart(context, prefix=prefix)
    compared = [each for each in result.comparisons if each.ratio]
    if compared and over_unlike(result):
        return interval_plot(context, compared, prefix=prefix)
    return answer_chart(context, prefix=prefix)


def _briefly(doubt: str, context: ExperimentContext) -> str:
    """Return a doubt up to its first colon if an earlier question has the same one, with that question."""
    earlier = (each.in_words() for each in context.study.experiments[: context.number - 1])
    where = next((each.number for each in earlier if doubt in [own.says for own in graded_of(each.result)]), None)
    return doubt if where is None else f"As in question {where}: {as_sentence(doubt.partition(':')[0], capital=False)}"


def _links(context: ExperimentContext) -> Blocks:
    """Yield every doubt with a link to the findings, and a link to how each server was configured."""
    if doubts := graded_of(context.result):
        several = len(doubts) > 1
        link = Span("Doubts" if several else "Doubt", target=f"{context.anchor}-findings")
        order = ", worst first" if several else ""
        if decided(context.result) and all(each.grade != FORBIDS for each in doubts):
            order = f" ({_kept(context, within=all(each.grade == STANDS for each in doubts))})"
        yield Text(f"{order}:", "behind", (link,))
        yield Items(tuple(_briefly(each.says, context) for each in doubts))
    if any(each.card for each in context.result.treatments):
        yield Text("", "behind", (Span("Configurations", target=f"{context.anchor}-configuration"),))


def _kept(context: ExperimentContext, *, within: bool) -> str:
    """Return that verdicts are kept, and of doubts that intervals have ``within`` them, that they do."""
    if len(context.result.comparisons) > 1:
        return f"verdicts kept{'; their intervals allow for this' if within else ''}"
    return f"verdict kept{'; its interval allows for this' if within else ''}"
