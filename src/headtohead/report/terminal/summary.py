"""A study on a terminal, in the order of page one: the head, each answer, what to do, what it does not show."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rich.text import Text

from headtohead.model.analysis.results import Analysis, ExperimentResult
from headtohead.model.harmless_text import harmless
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import Recording
from headtohead.report.context import ExperimentContext, StudyContext
from headtohead.report.experiment.cost.given_and_missing_prices import missing_prices_sentence
from headtohead.report.study.intervals_and_error_rates import NOISE, claim_terms
from headtohead.report.study.left_out import left_out_text
from headtohead.report.study.page_one.answer_cards_and_verdicts import MOST, NOTHING_COMPARED
from headtohead.report.study.page_one.answer_with_badge import Answer, answer, answer_of
from headtohead.report.study.page_one.card.card_lines import card_lines
from headtohead.report.study.page_one.conclusion import conclusion
from headtohead.report.study.page_one.doubts import graded, graded_of
from headtohead.report.study.page_one.masthead import masthead
from headtohead.report.study.page_one.what_was_not_tested import untested_terms
from headtohead.report.terminal.screen import heading, indented, rendered
from headtohead.report.terminal.shortened_summary import Part, fitted
from headtohead.report.text.setup_names import in_words, setup_names
from headtohead.report.text.wording import listed, lower_first

_STYLES = {"better": "bold green", "worse": "bold green", "same": "bold cyan"}
_KEPT = ("Measured", "Together", "Response time", "Crossover", "Left out", "Why", "Price", "How sure", "Next")
"""The lines of a card that a terminal has room for."""
_DECIDED = ("better", "worse", "same")
_OPEN = 5
"""The terms of what a study does not show for which one line has room."""
_SPARE = {"Price": 5, "Response time": 3, "Why": 2}
"""The lines of a card that are left out where the summary is too long for a screen, and how soon."""
_TO_DO, _NOT_SHOWN, _LESS_GRAVE, _GRAVEST = 5, 4, 6, 1
"""How soon other lines are left out then: what to do, what it does not show, doubts but the gravest, the gravest."""
_LINES, _LINES_EACH, _USUAL = 40, 12, 3
"""The most lines of a study of up to three questions, and those that each further question may add."""
_DOUBTS, _GRAVE = 5, 3
"""The most doubts in words, and how many of them are grave; of more only the number is given."""


def render(analysis: Analysis, recording: Recording, *, width: int | None = None, color: bool = False) -> str:
    """Return the whole study as text, ``width`` columns wide (100 if None)."""
    study = StudyContext(analysis, recording, pictures=False)
    return rendered([each.shown for each in _study(study)], width=width, color=color)


def verdict_lines(result: ExperimentResult, planned: PlannedExperiment, titles: Mapping[str, str]) -> tuple[str, ...]:
    """Return the verdicts of one experiment as plain sentences, for the moment at which it ends."""
    own = answer(in_words(result, setup_names(planned, titles)))
    verdicts = (f"{each.sentence} {each.needs}".rstrip() for each in own.verdicts)
    return tuple(f"  {harmless(line)}" for line in (*verdicts, *own.measured))


def _study(study: StudyContext) -> list[Part]:
    """Return the parts of the summary, without spare ones where they would take more than a screen."""
    most = _LINES + _LINES_EACH * max(0, len(study.experiments) - _USUAL)
    doubts, before, after = list(_doubts(study)), [*_answers(study), Part(Text())], list(_scope(study))
    shown = [each.part for each in doubts[:_DOUBTS]]
    kept = fitted([*before, *shown, *after], most=most)
    if len(doubts) > _DOUBTS or any(each not in kept for each in shown):
        kept = fitted([*before, *shown, *after], most=most - 1)
        hidden = [each for each in doubts if each.part not in kept]
        at = next((place for place, each in enumerate(kept) if each in after), len(kept))
        kept.insert(at, Part(Text(_more(hidden))))
    return kept


def _answers(study: StudyContext) -> Iterable[Part]:
    analysis, recording = study.analysis, study.recording
    yield Part(heading(analysis.title))
    yield from (Part(Text(each, style="dim")) for each in masthead(analysis, recording))
    if not analysis.complete:
        yield Part(Text("This study is not finished: its answers may still change.", style="bold yellow"))
    for each in study.experiments:
        yield Part(Text())
        yield from _card(each.in_words())


def _card(context: ExperimentContext) -> Iterable[Part]:
    own = answer_of(context)
    yield Part(Text.assemble((f"{context.number}. {own.question}", "bold"), (f"  [{own.badge}]", "dim")))
    yield from (Part(indented(each)) for each in _sentences(own))
    for term, text in card_lines(context):
        if term in _KEPT and not (term == "Next" and _decided(own)):
            yield Part(indented(Text.assemble((f"{term}: ", "dim"), text)), _SPARE.get(term, 0))


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


@dataclass(frozen=True)
class _Line:
    """A doubt on the terminal, and the questions that it is about; none if it is about the whole study."""

    part: Part
    questions: tuple[int, ...]


def _doubts(study: StudyContext) -> Iterable[_Line]:
    """Yield the doubts, the gravest first: of equal ones the first of each question, then the second of each.

    Those that are the same for several questions share a line.
    """
    found = [(each, place, 0) for place, each in enumerate(graded(study.analysis.findings))]
    for context in study.experiments:
        own = graded_of(context.in_words().result)
        found += [(each, place, context.number) for place, each in enumerate(own)]
    found.sort(key=lambda each: (each[0].grade, each[1], each[2]))
    about: dict[str, list[int]] = {}
    for each, _, number in found:
        about.setdefault(each.by_itself, []).append(number)
    for place, (says, numbers) in enumerate(about.items()):
        questions = tuple(each for each in numbers if each)
        on = f" on {listed([*map(str, questions)])}" if questions else ""
        yield _Line(Part(Text(f"Doubt{on}: {says}"), _GRAVEST if place < _GRAVE else _LESS_GRAVE), questions)


def _more(hidden: Sequence[_Line]) -> str:
    """Return how many doubts are on page one alone, and on which questions."""
    counts = sorted(Counter(number for each in hidden for number in each.questions).items())
    which = listed([f"{count} on {number}" for number, count in counts]).replace("on ", "on question ", 1)
    return f"and {len(hidden)} more on page one of the report{f': {which}' if which else ''}."


def _scope(study: StudyContext) -> Iterable[Part]:
    """Yield how sure all is, what was left out, what to do, what the study does not show, and what is missing."""
    analysis, recording = study.analysis, study.recording
    claims = [each for each in claim_terms(analysis, recording) if recording.noise or each[0] != NOISE]
    yield from (Part(Text(f"{term}: {text}", style="dim")) for term, text in claims)
    if analysis.left_out:
        names = "; ".join(f"{each.what}: {each.reason}" for each in map(left_out_text, analysis.left_out))
        yield Part(Text(f"Left out: {names}", style="dim"))
    for each in conclusion(analysis, recording):
        yield from (Part(indented(Text(f"{each.role}: {line}")), _TO_DO) for line in each.lines)
    open_terms = [term for term, _ in untested_terms(analysis, recording)[:_OPEN]]
    open_terms += [] if recording.noise else [NOISE]
    if open_terms:
        yield Part(Text(f"Not shown: {', '.join(map(lower_first, open_terms))}.", style="dim"), _NOT_SHOWN)
    given = analysis.stated.systems or analysis.stated.prices
    if given and (missing := missing_prices_sentence(analysis)):
        yield Part(Text(missing, style="dim"))
