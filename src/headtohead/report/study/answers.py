"""The answers: page one of the report, and the verdicts at the head of each experiment's section."""

from collections.abc import Sequence
from dataclasses import dataclass

from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.finding import Severity
from headtohead.report.context import ExperimentContext, StudyContext
from headtohead.report.document import (
    Abstract,
    Block,
    Blocks,
    Findings,
    Heading,
    Items,
    Section,
    Span,
    Terms,
    Text,
    Verdict,
)
from headtohead.report.experiment.card import finding_text
from headtohead.report.study.left_out import left_out_blocks
from headtohead.report.study.noise import noise_caveat
from headtohead.report.study.summary import bad_run_lines, doubts_line, dropped_lines, supporting_lines
from headtohead.report.text.verdicts import VerdictText, floor_sentence, measured_sentences, verdict_text

WINNERS = ("better", "worse")
"""The verdicts that name a winner."""
NOTHING_COMPARED = "There was nothing to compare."


@dataclass(frozen=True)
class Answer:
    """What one experiment answers: a sentence for each comparison, or for each treatment if nothing is compared."""

    question: str
    verdicts: tuple[VerdictText, ...]
    measured: tuple[str, ...]
    floors: tuple[str, ...]
    caveat: str
    """What must accompany a winner: that the noise of the machine as it is now is not known; else empty."""


def answer(result: ExperimentResult, *, caveat: str = "") -> Answer:
    """Return the answer of one experiment; it has the ``caveat`` only if it names a winner."""
    verdicts = tuple(verdict_text(each, result) for each in result.comparisons)
    return Answer(
        question=result.question,
        verdicts=verdicts,
        measured=measured_sentences(result),
        floors=tuple(floor_sentence(each, result.metric) for each in result.treatments if each.floor),
        caveat=caveat if any(each.kind in WINNERS for each in verdicts) else "",
    )


def _answer_of(context: ExperimentContext) -> Answer:
    recording = context.study.recording
    return answer(context.result, caveat=noise_caveat(recording.noise, recording.hosts))


def verdict_blocks(context: ExperimentContext) -> Blocks:
    """Yield the verdicts of an experiment, each with the figures that support it, and the harness's own limit."""
    own = _answer_of(context)
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
    """Return page one: every answer in short, what went wrong during the study, what was left out."""
    findings = tuple(finding_text(each) for each in study.analysis.findings)
    blocks: list[Block] = [
        Abstract(each.result.question, each.anchor, tuple(_short(each))) for each in study.experiments
    ]
    blocks += _during((*bad_run_lines(study.recording), *dropped_lines(study.analysis.experiments)))
    blocks += left_out_blocks(study.analysis.left_out)
    if findings:
        blocks += [Heading("Noticed about the whole study"), Findings(findings)]
    return Section("The answers", tuple(blocks), anchor="answers", kind="answers")


def _short(context: ExperimentContext) -> Blocks:
    """Yield an answer for page one: the verdicts, then what supports them in one sentence each."""
    own = _answer_of(context)
    yield from map(Verdict, own.measured)
    yield from (Verdict(each.sentence, each.kind) for each in own.verdicts)
    yield from _caveat(own)
    if not (own.verdicts or own.measured):
        yield Text(NOTHING_COMPARED, "verdict")
    if supporting := supporting_lines(context.result):
        yield Terms(supporting, "facts")
    doubts = sum(each.severity is not Severity.NOTE for each in context.result.findings)
    if doubts:
        link = Span(f"{doubts} {'doubt' if doubts == 1 else 'doubts'}", target=f"{context.anchor}-findings")
        yield Text(f": {doubts_line(context.result)}", "behind", (link,))


def _during(lines: Sequence[str]) -> Blocks:
    first, *others = lines
    yield Heading("During the study")
    yield Text(first)
    if others:
        yield Items(tuple(others))
