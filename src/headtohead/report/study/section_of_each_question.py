"""The section of each question: its answer in detail, then charts, tables and conditions, each folded."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.plan import PlannedExperiment
from headtohead.model.study.subject import BATCH_RACE
from headtohead.report.context import ExperimentContext, StudyContext
from headtohead.report.document import Blocks, Figure, Findings, Fold, Heading, Items, Section, Text
from headtohead.report.experiment import change_charts
from headtohead.report.experiment.bottlenecks.limits import limits_blocks
from headtohead.report.experiment.charts.bars import draw_values
from headtohead.report.experiment.charts.distributions import draw_distributions
from headtohead.report.experiment.charts.run_order import draw_order
from headtohead.report.experiment.configuration import configuration_blocks
from headtohead.report.experiment.cost.all_cost_tables import price_blocks
from headtohead.report.experiment.crossings import crossing_blocks, overtaking_blocks
from headtohead.report.experiment.external.published_cards import published_cards_blocks
from headtohead.report.experiment.external.published_changes import published_changes_blocks
from headtohead.report.experiment.external.published_figures import published_figures_blocks
from headtohead.report.experiment.external.reported_figures import reported_figures_blocks
from headtohead.report.experiment.finding_text import finding_text
from headtohead.report.experiment.how_query_results_were_checked import answers_sentence
from headtohead.report.experiment.load.capacities_found import search_blocks
from headtohead.report.experiment.load.charts_against_offered_load import draw_curves
from headtohead.report.experiment.load.cpu_and_bytes_per_response import cost_blocks
from headtohead.report.experiment.load.every_load_offered import curve_blocks
from headtohead.report.experiment.load.goodput_past_capacity import overload_blocks
from headtohead.report.experiment.load.sweep_charts import draw_sweeps
from headtohead.report.experiment.load.throughput_and_cpu_per_gigabyte import bytes_cost_blocks
from headtohead.report.experiment.memory_speed.charts import draw_memory
from headtohead.report.experiment.memory_speed.tables import memory_blocks
from headtohead.report.experiment.runs.rendered_images import frames_blocks
from headtohead.report.experiment.scaling import scaling_blocks
from headtohead.report.experiment.shift_function import shift_blocks
from headtohead.report.experiment.suite.chart import draw_suites
from headtohead.report.experiment.suite.kernels import suite_blocks
from headtohead.report.experiment.time_of_queries_and_steps import kinds_blocks, seconds_blocks
from headtohead.report.experiment.treatment_card import card_blocks
from headtohead.report.experiment.values.other_metrics import others_blocks
from headtohead.report.experiment.values.primary_values import values_blocks
from headtohead.report.experiment.who_works_without_server import in_process_sentence
from headtohead.report.experiment.work_per_clock import clock_blocks
from headtohead.report.study.explain_words_metrics_and_loops import (
    REPEATED,
    link_sentence,
    loop_sentence,
    meanings_blocks,
    path_sentence,
)
from headtohead.report.study.page_one.answer_cards_and_verdicts import verdict_blocks
from headtohead.report.text.cpus_and_memory_in_words import level_notes
from headtohead.report.text.setup_names import setup_names
from headtohead.report.text.verdicts import as_sentence
from headtohead.report.text.wording import joined, listed, plural

FEW = 6
"""The most questions whose sections are open."""
MOST_KINDS = 12
"""The most levels of batch work that are named below the question."""


def experiment_sections(study: StudyContext) -> Iterator[Section]:
    """Yield a section for each experiment; of many questions each is folded, as page one has its card."""
    folded = len(study.experiments) > FEW
    for each in study.experiments:
        result = each.result
        blocks = tuple(_folds(each))
        title = f"{each.number}. {result.question}"
        yield Section(
            title, blocks, anchor=each.anchor, kicker=result.name, kind="" if folded else "experiment", folded=folded
        )


def _folds(context: ExperimentContext) -> Blocks:
    """Yield the groups that have something to show; formats that cannot fold show their parts as they are."""
    for group in GROUPS:
        blocks = tuple(block for part in group.parts for block in part(context))
        if blocks:
            anchor = f"{context.anchor}-{group.name}" if group.name else ""
            yield Fold(group.title, blocks, unfolded=blocks, anchor=anchor)


def _about(context: ExperimentContext) -> Blocks:
    result, planned = context.result, context.planned
    yield Text(
        f"{result.workload}: {result.workload_title}. {_of_all(result, planned)}{_asked(planned)}"
        f"{_shared(result, planned)}{in_process_sentence(result)}{answers_sentence(planned, context.runs)}",
        "about",
    )


def _labels(context: ExperimentContext) -> Blocks:
    """Yield what the labels of tables and files stand for."""
    names = setup_names(context.planned, context.study.recording.plan.titles)
    labels = [f"{label} is {name}" for label, name in names.items() if label != name]
    if labels:
        yield Text(f"Labels: {joined(labels, rest='are made alike')}", "behind")


def _of_all(result: ExperimentResult, planned: PlannedExperiment | None) -> str:
    """Return which kinds of batch work were measured, as a workload's title may name more; a suite's are in a table."""
    if planned is None or planned.load.loop != "batch" or result.suite:
        return ""
    kinds = {name: [str(each) for each in levels] for name, levels in planned.load.cases.items()}
    named = [f"{name} {listed(levels)}" for name, levels in kinds.items() if not any(map(str.isdecimal, levels))]
    return f"Measured here: {', '.join(named)}. " if named and sum(map(len, kinds.values())) <= MOST_KINDS else ""


def _asked(planned: PlannedExperiment | None) -> str:
    links = [each.link for each in planned.treatments if each.link is not None] if planned else []
    if planned is not None and planned.over_link:
        return link_sentence(links)
    if planned is not None and planned.asks == BATCH_RACE:
        return REPEATED
    over = f" {path_sentence(links)}" if links else ""
    return f"{loop_sentence(planned.load if planned else None)}{over}"


def _shared(result: ExperimentResult, planned: PlannedExperiment | None) -> str:
    """Return a note for the numbers if driver and subject had CPUs in common."""
    if planned is None or not planned.share_driver:
        return ""
    cards = [each.card for each in result.treatments if each.card]
    shares = [card.driver_of_subject_share for card in cards if card.driver_of_subject_share is not None]
    most = f", at most {100 * max(shares):.1f} % of the program's CPU time" if shares else ""
    return f" The load generator shared the program's CPUs{most}."


def _stopped(context: ExperimentContext) -> Blocks:
    """Yield why no more blocks were made."""
    yield Text(_why_no_more(context.result), "behind")


def _figures(context: ExperimentContext) -> Blocks:
    if context.study.pictures:
        for draw in FIGURES:
            yield from draw(context, prefix=context.prefix)


def _findings(context: ExperimentContext) -> Blocks:
    findings = tuple(map(finding_text, context.result.findings))
    if findings:
        yield Heading("Findings")
        yield Findings(findings)


def _notes(context: ExperimentContext) -> Blocks:
    planned, notes = context.planned, list(context.result.notes)
    if planned:
        notes = [*level_notes(planned, context.study.recording.hosts), *notes, *planned.notes]
    if notes:
        yield Heading("Notes of the plan")
        yield Items(tuple(dict.fromkeys(notes)))


@dataclass(frozen=True)
class Group:
    """Parts of a section that are folded under one title; ``name`` ends their anchor, if links lead there."""

    title: str
    parts: tuple[Callable[[ExperimentContext], Blocks], ...]
    name: str = ""


GROUPS: tuple[Group, ...] = (
    Group("Details", (_about, _labels, verdict_blocks, _stopped, crossing_blocks)),
    Group("Charts", (_figures, frames_blocks)),
    Group(
        "Tables",
        (
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
            price_blocks,
            others_blocks,
            meanings_blocks,
        ),
    ),
    Group("Limits and findings", (limits_blocks, _findings, _notes), "findings"),
    Group(
        "Then and now, and figures from elsewhere",
        (published_figures_blocks, published_changes_blocks, published_cards_blocks, reported_figures_blocks),
    ),
    Group("Configuration", (configuration_blocks, card_blocks), "configuration"),
)
"""What is folded in the section of a question, in reading order."""

FIGURES: tuple[Callable[..., tuple[Figure, ...]], ...] = (
    draw_values,
    change_charts.draw_ratios,
    draw_suites,
    draw_curves,
    draw_sweeps,
    draw_order,
    draw_distributions,
    draw_memory,
)
"""The charts of an experiment; each draws nothing if it has nothing to show."""


def _why_no_more(experiment: ExperimentResult) -> str:
    """Return why no more blocks were made."""
    done = plural(experiment.blocks_done, "complete block")
    last = max(experiment.looks, default=0)
    withheld = any(each.verdict == "inconclusive" for each in experiment.comparisons)
    decided = "more of them would not change the answer" if withheld else "every comparison was decided"
    return {
        "decided": f"Ended after {done}: {decided}.",
        "last-look": f"Ended after {done}, at the last planned check.",
        "out-of-time": f"Ended after {done}: its time was over.",
        "nothing-to-compare": f"Ended after {done}: there was nothing to compare.",
        "unfinished": f"Not finished: {done} so far; up to {last} are planned.",
    }.get(experiment.stopped, f"Ended after {done}: {as_sentence(experiment.stopped, capital=False)}")
