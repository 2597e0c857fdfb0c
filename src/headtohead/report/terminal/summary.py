"""A study on a terminal, in the order of page one: the head, each answer, what to do, what it does not show."""

from collections.abc import Iterable, Mapping

from rich.console import RenderableType
from rich.text import Text

from headtohead.model.analysis.results import Analysis, ExperimentResult
from headtohead.model.harmless_text import harmless
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import Recording
from headtohead.report.context import ExperimentContext, StudyContext
from headtohead.report.experiment.cost.prices import missing_prices_sentence
from headtohead.report.study.claims import NOISE, claim_terms
from headtohead.report.study.left_out import left_out_text
from headtohead.report.study.noise import noise_caveat
from headtohead.report.study.page_one.answers import MOST, NOTHING_COMPARED, Answer, answer
from headtohead.report.study.page_one.card_lines import card_lines
from headtohead.report.study.page_one.doubts import doubt_lines, doubts_of
from headtohead.report.study.page_one.masthead import masthead
from headtohead.report.study.page_one.scope import untested_terms
from headtohead.report.terminal.command_output import (
    Forecast,
    Listed,
    render_bench_host,
    render_error,
    render_facts,
    render_list,
    render_plan,
)
from headtohead.report.terminal.compared_systems import render_systems
from headtohead.report.terminal.screen import heading, indented, rendered
from headtohead.report.text.names import plural
from headtohead.report.text.setup_names import in_words, setup_names

__all__ = [
    "Forecast",
    "Listed",
    "render",
    "render_bench_host",
    "render_error",
    "render_facts",
    "render_list",
    "render_plan",
    "render_systems",
]
_STYLES = {"better": "bold green", "worse": "bold green", "same": "bold cyan"}
_KEPT = ("Measured", "In all", "Response time", "Crossover", "Left out", "Why", "Price", "How sure", "Next")
"""The lines of a card that a terminal has room for."""
_DECIDED = ("better", "worse", "same")
_OPEN = 5
"""The terms of what a study does not show for which one line has room."""
_DOUBTS = 5
"""The most doubts in words, the worst of each question first; of more only the number is given."""


def render(analysis: Analysis, recording: Recording, *, width: int | None = None, color: bool = False) -> str:
    """Return the whole study as text, ``width`` columns wide (100 if None)."""
    return rendered(list(_study(StudyContext(analysis, recording, pictures=False))), width=width, color=color)


def verdict_lines(result: ExperimentResult, planned: PlannedExperiment, titles: Mapping[str, str]) -> tuple[str, ...]:
    """Return the verdicts of one experiment as plain sentences, for the moment at which it ends."""
    own = answer(in_words(result, setup_names(planned, titles)))
    verdicts = (f"{each.sentence} {each.needs}".rstrip() for each in own.verdicts)
    return tuple(f"  {harmless(line)}" for line in (*verdicts, *own.measured))


def _study(study: StudyContext) -> Iterable[RenderableType]:
    analysis, recording = study.analysis, study.recording
    yield heading(analysis.title)
    yield from (Text(each, style="dim") for each in masthead(analysis, recording))
    if not analysis.complete:
        yield Text("This study is not finished: its answers may still change.", style="bold yellow")
    caveat = noise_caveat(recording.noise, recording.hosts)
    for each in study.experiments:
        yield Text()
        yield from _card(each.in_words(), caveat)
    yield Text()
    yield from _doubts(study)
    yield from _scope(study)


def _card(context: ExperimentContext, caveat: str) -> Iterable[RenderableType]:
    own = answer(context.result, caveat=caveat)
    yield Text.assemble((f"{context.number}. {own.question}", "bold"), (f"  [{own.badge}]", "dim"))
    yield from map(indented, _sentences(own))
    for term, text in card_lines(context):
        if term in _KEPT and not (term == "Next" and _decided(own)):
            yield indented(Text.assemble((f"{term}: ", "dim"), text))


def _decided(own: Answer) -> bool:
    return bool(own.verdicts) and all(each.kind in _DECIDED for each in own.verdicts)


def _sentences(own: Answer) -> Iterable[Text]:
    for verdict in own.verdicts[:MOST]:
        yield Text(verdict.sentence, style=_STYLES.get(verdict.kind, "bold"))
    if len(own.verdicts) > MOST:
        yield Text(f"{len(own.verdicts) - MOST} more comparisons are in the report.")
    if own.caveat:
        yield Text(own.caveat, style="yellow")
    yield from (Text(value, style="bold") for value in own.measured)
    if not (own.verdicts or own.measured):
        yield Text(NOTHING_COMPARED)


def _doubts(study: StudyContext) -> Iterable[RenderableType]:
    lines = [f"Doubt: {line}" for line in doubt_lines(study.analysis.findings)]
    for each in study.experiments:
        lines += [f"Doubt on {each.number}: {line}" for line in doubts_of(each.in_words().result)]
    yield from (Text(each) for each in lines[:_DOUBTS])
    if len(lines) > _DOUBTS:
        yield Text(f"{plural(len(lines) - _DOUBTS, 'more doubt')} in the report.")


def _scope(study: StudyContext) -> Iterable[RenderableType]:
    """Yield what the study does not show, what is missing, and what was left out."""
    analysis, recording = study.analysis, study.recording
    open_terms = [term for term, _ in untested_terms(analysis, recording)[:_OPEN]]
    open_terms += [] if recording.noise else [NOISE]
    if terms := [f"{each[:1].lower()}{each[1:]}" for each in open_terms]:
        yield Text(f"Not shown: {', '.join(terms)}.", style="dim")
    if analysis.left_out:
        names = "; ".join(f"{each.what}: {each.reason}" for each in map(left_out_text, analysis.left_out))
        yield Text(f"Left out: {names}", style="dim")
    claims = [each for each in claim_terms(analysis, recording) if recording.noise or each[0] != NOISE]
    yield from (Text(f"{term}: {text}", style="dim") for term, text in claims)
    given = analysis.stated.systems or analysis.stated.prices
    if given and (missing := missing_prices_sentence(analysis)):
        yield Text(missing, style="dim")
