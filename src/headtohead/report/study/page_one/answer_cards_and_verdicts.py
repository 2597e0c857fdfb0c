"""The answers: one card a question on page one, and the verdicts at the head of each experiment's section."""

from collections.abc import Sequence
from dataclasses import dataclass

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.results import ExperimentResult
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
from headtohead.report.study.every_run import dropped_lines
from headtohead.report.study.intervals_and_error_rates import claim_terms
from headtohead.report.study.left_out import left_out_blocks
from headtohead.report.study.noise_floor import noise_caveat
from headtohead.report.study.page_one.card_lines import card_lines
from headtohead.report.study.page_one.doubts import doubts_of, worst_first
from headtohead.report.text.differences import over_unlike
from headtohead.report.text.scaling import ideal_kind
from headtohead.report.text.verdicts import VerdictText, floor_sentence, measured_sentences, verdict_text
from headtohead.report.text.wording import plural

WINNERS = ("better", "worse")
"""The verdicts that name a winner."""
OF_A_VERDICT = ("these-alone", "worse-elsewhere")
"""Findings that limit a winner to some cases: its badge shows that."""
NOTHING_COMPARED = "There was nothing to compare."
MOST = 4
"""The most comparisons with a sentence each on a card; of more only the number is given."""
TOGETHER, SURE = "All questions together", "How sure"
"""The heading of what is claimed for a study of several questions, and of one."""
_BADGES = {
    "better": "clear",
    "worse": "clear",
    "same": "same",
    "inconclusive": "open",
    "not-measured": "not measured",
}


@dataclass(frozen=True)
class Answer:
    """What one experiment answers: a sentence for each comparison, or for each treatment if nothing is compared."""

    question: str
    verdicts: tuple[VerdictText, ...]
    measured: tuple[str, ...]
    floors: tuple[str, ...]
    caveat: str
    """What must accompany a winner: that the noise of the machine as it is now is not known; else empty."""
    badge: str = ""


def answer(result: ExperimentResult, *, caveat: str = "") -> Answer:
    """Return the answer of one experiment; it has the ``caveat`` only if it names a winner."""
    verdicts = tuple(verdict_text(each, result) for each in result.comparisons)
    return Answer(
        question=result.question,
        verdicts=verdicts,
        measured=measured_sentences(result),
        floors=tuple(floor_sentence(each, result.metric) for each in result.treatments if each.floor),
        caveat=caveat if any(each.kind in WINNERS for each in verdicts) else "",
        badge=badge(result, verdicts),
    )


def badge(result: ExperimentResult, verdicts: Sequence[VerdictText]) -> str:
    """Return the answer in a word or two: ``clear``, ``1 clear, 2 open``, ``clear; below the ideal``."""
    compared = zip(result.comparisons, verdicts, strict=False)
    words = [f"{_BADGES[text.kind]}{_only(result, each) if text.kind in WINNERS else ''}" for each, text in compared]
    counts = {word: words.count(word) for word in dict.fromkeys(words)}
    if not counts:
        return "measured" if any(each.primary for each in result.treatments) else _BADGES["not-measured"]
    text = next(iter(counts)) if len(counts) == 1 else ", ".join(f"{number} {word}" for word, number in counts.items())
    grown = [each.scaling for each in result.comparisons if each.scaling and each.verdict == "better"]
    kinds = {ideal_kind(each) for each in grown}
    ideals = {"below": "below the ideal", "above": "above the ideal", "open": "may reach the ideal"}
    return f"{text}; {ideals[kinds.pop()]}" if len(kinds) == 1 else text


def _only(result: ExperimentResult, comparison: ComparisonResult) -> str:
    """Return what a doubt limits a verdict to: " for these 8 kernels"; empty if no doubt limits it."""
    pair = {comparison.baseline, comparison.other}
    found = {each.id: each for each in result.findings if each.id in OF_A_VERDICT and set(each.of) == pair}
    if alone := found.get("these-alone"):
        return f" for these {plural(int(alone.evidence['cases']), result.suite or 'case')}"
    return " overall only" if found else ""


def _kind(own: Answer) -> str:
    """Return the style of a badge: that of its least certain verdict."""
    kinds = {each.kind for each in own.verdicts}
    for kind, style in (("not-measured", "missing"), ("inconclusive", "open"), ("same", "same")):
        if kind in kinds:
            return style
    if any(limited in own.badge for limited in (" for these ", " overall")):
        return "open"
    return "clear" if kinds else "missing" if own.badge == _BADGES["not-measured"] else "shown"


def _answer_of(context: ExperimentContext) -> Answer:
    recording = context.study.recording
    return answer(context.result, caveat=noise_caveat(recording.noise, recording.hosts))


def verdict_blocks(context: ExperimentContext) -> Blocks:
    """Yield the verdicts of an experiment, each with the figures that support it, and the harness's own limit."""
    own = _answer_of(context.in_words())
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
    own = _answer_of(plain)
    title = f"{context.number}. {own.question}"
    return Card(title, context.anchor, own.badge, _kind(own), tuple(_blocks(plain, own)))


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
    """Return the chart of an answer: over unlike work, whose means say nothing by themselves, that of the ratios."""
    prefix, result = f"{context.prefix}a", context.result
    compared = [each for each in result.comparisons if each.ratio]
    if compared and over_unlike(result):
        return interval_plot(context, compared, prefix=prefix)
    return answer_chart(context, prefix=prefix)


def _links(context: ExperimentContext) -> Blocks:
    """Yield every doubt with a link to the findings, and a link to how each server was configured."""
    if doubts := doubts_of(context.result):
        link = Span("Doubts", target=f"{context.anchor}-findings")
        yield Text(", worst first:" if len(doubts) > 1 else ":", "behind", (link,))
        yield Items(doubts)
    if any(each.card for each in context.result.treatments):
        yield Text("", "behind", (Span("Configurations", target=f"{context.anchor}-configuration"),))
