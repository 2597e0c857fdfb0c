"""The report of a study: its sections, and the parts of an experiment's section, in reading order.

To add a section write a module that yields it, and name it here. Formats need no change.
"""

from collections.abc import Callable, Iterator

from headtohead.model.analysis.results import Analysis, ExperimentResult
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import Recording
from headtohead.report.context import ExperimentContext, StudyContext
from headtohead.report.document import Blocks, Document, Figure, Findings, Heading, Items, Section, Span, Text
from headtohead.report.experiment import ratios
from headtohead.report.experiment.card import card_blocks, finding_text
from headtohead.report.experiment.charts.bars import draw_values
from headtohead.report.experiment.charts.order import draw_order
from headtohead.report.experiment.configuration import configuration_blocks
from headtohead.report.experiment.cost.prices import price_blocks
from headtohead.report.experiment.crossings import crossing_blocks
from headtohead.report.experiment.external import given_blocks, published_blocks
from headtohead.report.experiment.frames import frames_blocks
from headtohead.report.experiment.limits import limits_blocks
from headtohead.report.experiment.load.capacity import cost_blocks, curve_blocks, overload_blocks, search_blocks
from headtohead.report.experiment.load.charts import draw_curves
from headtohead.report.experiment.load.cost_per_gigabyte import bytes_cost_blocks
from headtohead.report.experiment.load.sweep import draw_sweeps
from headtohead.report.experiment.memory.charts import draw_memory
from headtohead.report.experiment.memory.tables import memory_blocks
from headtohead.report.experiment.queries import answers_sentence, in_process_sentence, kinds_blocks, seconds_blocks
from headtohead.report.experiment.scaling import overtaking_blocks, scaling_blocks
from headtohead.report.experiment.shift import shift_blocks
from headtohead.report.experiment.suite.chart import draw_suites
from headtohead.report.experiment.suite.kernels import suite_blocks
from headtohead.report.experiment.suite.work_per_clock import clock_blocks
from headtohead.report.experiment.values import others_blocks, values_blocks
from headtohead.report.machine.machine import machine_line
from headtohead.report.machine.sections import machine_section, passport_section
from headtohead.report.study.answers import answers_section, verdict_blocks
from headtohead.report.study.conclusion import conclusion_section
from headtohead.report.study.every_run import every_run_section
from headtohead.report.study.explanations import (
    link_sentence,
    loop_sentence,
    meanings_blocks,
    path_sentence,
    reading_section,
)
from headtohead.report.study.left_out import left_out_section
from headtohead.report.study.method import method_section
from headtohead.report.study.reproduce import reproduce_section
from headtohead.report.study.scope import untested_section
from headtohead.report.text.dates import date
from headtohead.report.text.placement import level_notes
from headtohead.report.text.verdicts import stopped_sentence


def article(analysis: Analysis, recording: Recording, *, pictures: bool = True) -> Document:
    """Return the whole report, in reading order; without pictures for formats that show none."""
    study = StudyContext(analysis, recording, pictures)
    return Document(
        title=analysis.title,
        opening=answers_section(study),
        sections=tuple(section for sections in SECTIONS for section in sections(study)),
        head=(machine_line(recording.hosts), f"Measured {date(analysis.began)}"),
        warning=None if analysis.complete else _not_finished(analysis),
        contents=True,
        generator=f"headtohead {analysis.version}",
        foot=f"Written by headtohead {analysis.version} from the files of this study alone.",
    )


def _not_finished(analysis: Analysis) -> Text:
    open_ones = [each.name for each in analysis.experiments if not each.finished]
    names = f" ({', '.join(open_ones)})" if open_ones else ""
    text = f" This study is not finished{names}: its answers may still change."
    return Text(text, "warning", (Span("Not finished.", strong=True),))


def experiment_sections(study: StudyContext) -> Iterator[Section]:
    """Yield a section for each experiment."""
    for each in study.experiments:
        blocks = tuple(block for part in EXPERIMENT_PARTS for block in part(each))
        result = each.result
        yield Section(result.question, blocks, anchor=each.anchor, kicker=result.name, kind="experiment")


def _about(context: ExperimentContext) -> Blocks:
    result, planned = context.result, context.planned
    yield Text(
        f"{result.workload}: {result.workload_title}. {_asked(planned)}{_shared(result, planned)}"
        f"{in_process_sentence(result)}{answers_sentence(planned, context.runs)}",
        "about",
    )


def _asked(planned: PlannedExperiment | None) -> str:
    links = [each.link for each in planned.treatments if each.link is not None] if planned else []
    if planned is not None and planned.over_link:
        return link_sentence(links)
    over = f" {path_sentence(links)}" if links else ""
    return f"{loop_sentence(planned.load if planned else None)}{over}"


def _shared(result: ExperimentResult, planned: PlannedExperiment | None) -> str:
    """Return a note for the numbers if driver and subject had CPUs in common."""
    if planned is None or not planned.share_driver:
        return ""
    cards = [each.card for each in result.treatments if each.card]
    shares = [card.driver_of_subject_share for card in cards if card.driver_of_subject_share is not None]
    most = f", at most {100 * max(shares):.1f} % of the subject's CPU time" if shares else ""
    return f" The driver shared the subject's CPUs{most}."


def _stopped(context: ExperimentContext) -> Blocks:
    yield Text(stopped_sentence(context.result), "behind")


def _figures(context: ExperimentContext) -> Blocks:
    if context.study.pictures:
        for draw in FIGURES:
            yield from draw(context, prefix=context.prefix)


def _findings(context: ExperimentContext) -> Blocks:
    findings = tuple(map(finding_text, context.result.findings))
    if findings:
        yield Heading("Findings", anchor=f"{context.anchor}-findings")
        yield Findings(findings)


def _notes(context: ExperimentContext) -> Blocks:
    planned, notes = context.planned, list(context.result.notes)
    if planned:
        notes = [*level_notes(planned, context.study.recording.hosts), *notes, *planned.notes]
    if notes:
        yield Heading("Notes of the plan")
        yield Items(tuple(dict.fromkeys(notes)))


SECTIONS: tuple[Callable[[StudyContext], Iterator[Section]], ...] = (
    method_section,
    untested_section,
    experiment_sections,
    conclusion_section,
    left_out_section,
    machine_section,
    passport_section,
    every_run_section,
    reading_section,
    reproduce_section,
)
"""The sections of the report below the answers, in reading order."""

EXPERIMENT_PARTS: tuple[Callable[[ExperimentContext], Blocks], ...] = (
    _about,
    verdict_blocks,
    _stopped,
    crossing_blocks,
    _figures,
    frames_blocks,
    values_blocks,
    suite_blocks,
    seconds_blocks,
    shift_blocks,
    kinds_blocks,
    overload_blocks,
    cost_blocks,
    bytes_cost_blocks,
    scaling_blocks,
    clock_blocks,
    overtaking_blocks,
    curve_blocks,
    search_blocks,
    memory_blocks,
    published_blocks,
    given_blocks,
    price_blocks,
    others_blocks,
    meanings_blocks,
    card_blocks,
    configuration_blocks,
    limits_blocks,
    _findings,
    _notes,
)
"""The parts of an experiment's section, in reading order."""

FIGURES: tuple[Callable[..., tuple[Figure, ...]], ...] = (
    draw_values,
    ratios.draw_ratios,
    draw_order,
    draw_suites,
    draw_curves,
    draw_sweeps,
    draw_memory,
)
"""The charts of an experiment; each draws nothing if it has nothing to show."""
