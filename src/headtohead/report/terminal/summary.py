"""A study on a terminal: verdicts first, a short table for each experiment, what was left out, doubts. Strings only."""

from collections.abc import Iterable

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from headtohead.model.analysis.results import Analysis, ExperimentResult
from headtohead.model.finding import Severity
from headtohead.model.machine.link import SOCKET
from headtohead.model.record import Recording
from headtohead.model.text import harmless
from headtohead.report.experiment.cost.prices import missing_prices_sentence, price_sentence
from headtohead.report.experiment.suite.sentences import reference_sentence, suite_sentence
from headtohead.report.study.answers import NOTHING_COMPARED, Answer, answer
from headtohead.report.study.left_out import left_out_text
from headtohead.report.study.noise import noise_caveat, noise_sentences
from headtohead.report.terminal.command_output import (
    Forecast,
    Listed,
    render_bench_host,
    render_error,
    render_facts,
    render_list,
    render_plan,
)
from headtohead.report.terminal.screen import columns, finding_paragraph, heading, indented, rendered
from headtohead.report.terminal.systems import render_systems
from headtohead.report.text.names import metric_title, plural
from headtohead.report.text.numbers import bracketed, changes, scale_for, share
from headtohead.report.text.verdicts import stopped_sentence

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
_STYLES = {"better": "bold green", "worse": "bold yellow", "same": "bold cyan"}


def render(
    analysis: Analysis, recording: Recording | None = None, *, width: int | None = None, color: bool = False
) -> str:
    """Return the whole study as text, ``width`` columns wide (100 if None).

    With the ``recording`` it has the noise of the machine, as every other form of the report does.
    """
    return rendered(list(_study(analysis, recording)), width=width, color=color)


def verdict_lines(result: ExperimentResult) -> tuple[str, ...]:
    """Return the verdicts of one experiment as plain sentences, for the moment at which it ends."""
    own = answer(result)
    return tuple(f"  {harmless(line)}" for line in (*(each.sentence for each in own.verdicts), *own.measured))


def _study(analysis: Analysis, recording: Recording | None) -> Iterable[RenderableType]:
    yield heading(analysis.title)
    if not analysis.complete:
        yield Text("This study is not finished: its answers may still change.", style="bold yellow")
    yield Text()
    caveat = noise_caveat(recording.noise, recording.hosts) if recording else ""
    for each in analysis.experiments:
        yield from _answer(answer(each, caveat=caveat))
        yield indented(Text(stopped_sentence(each), style="dim"))
        yield Text()
        yield indented(result_table(each))
        yield Text()
        yield from _priced(each, analysis)
        yield from _suites(each)
    yield from _scope(analysis)
    if missing := missing_prices_sentence(analysis):
        yield Text(missing, style="dim")
    if recording:
        yield from (Text(each, style="dim") for each in noise_sentences(recording.noise, recording.hosts))
    if analysis.left_out:
        yield Text()
        yield heading("Left out")
        for left_out in map(left_out_text, analysis.left_out):
            yield indented(Text(f"{left_out.what}: {left_out.reason}"))
    yield from _doubts(analysis)


def _answer(each: Answer) -> Iterable[RenderableType]:
    yield heading(each.question)
    for verdict in each.verdicts:
        yield indented(Text(verdict.sentence, style=_STYLES.get(verdict.kind, "bold")))
        if verdict.behind:
            yield indented(Text(verdict.behind, style="dim"))
    if each.caveat:
        yield indented(Text(each.caveat, style="yellow"))
    for value in each.measured:
        yield indented(Text(value, style="bold"))
    if not (each.verdicts or each.measured):
        yield indented(Text(NOTHING_COMPARED))
    for floor in each.floors:
        yield indented(Text(floor, style="dim"))


def result_table(result: ExperimentResult) -> Table:
    """Return the primary value of each treatment, with the change against its baseline next to it."""
    scale = scale_for(result.metric.unit, [each.primary.value for each in result.treatments if each.primary])
    measured = f"{metric_title(result.primary.of)}{f', {scale.unit}' if scale.unit else ''}"
    table = columns("treatment", measured, "interval", "change", "interval", "typical\nerror", "runs", numbers=True)
    ratios = {each.other: each.ratio for each in result.comparisons if each.ratio}
    for each in result.treatments:
        estimate, ratio = each.primary, ratios.get(each.label)
        ends = estimate.interval if estimate else None
        change = changes(ratio) if ratio else ("", "")
        table.add_row(
            f"{each.label} (the harness's own limit)" if each.floor else each.label,
            scale.bare(estimate.value) if estimate else "-",
            bracketed(scale.bare(ends.low), scale.bare(ends.high)) if ends else "",
            *change,
            share(each.card.typical_error) if each.card and each.card.typical_error is not None else "-",
            str(each.runs_valid)
            if not each.runs_invalid + each.runs_failed
            else f"{each.runs_valid} of {each.runs_made}",
        )
    return table


def _suites(result: ExperimentResult) -> Iterable[RenderableType]:
    """Yield what a geometric mean over kernels or programs hides: both intervals, spread, best and worst, tail."""
    if result.yardstick:
        yield indented(Text(reference_sentence(result.yardstick), style="dim"))
    for each in result.suites:
        yield indented(Text(suite_sentence(each, result.suite)))
    if result.suites:
        yield Text()


def _priced(result: ExperimentResult, analysis: Analysis) -> Iterable[RenderableType]:
    """Yield what a million units of work cost; nothing if the system has no price."""
    text = price_sentence(result, analysis.stated, analysis.tariff)
    if text:
        yield indented(Text(text))
        yield Text()


def _scope(analysis: Analysis) -> Iterable[RenderableType]:
    cards = [each.card for experiment in analysis.experiments for each in experiment.treatments if each.card]
    yield Text("n counts blocks, in each of which every treatment ran once; never requests.", style="dim")
    if any(card.link for card in cards):
        yield Text("Co-located: server and driver shared one machine, joined by a link in its kernel.", style="dim")
    local = [card for card in cards if card.driver_cpus and not card.link]
    if local:
        ways = dict.fromkeys("Unix socket" if card.reach == SOCKET else "loopback" for card in local)
        yield Text(
            f"Co-located, {' and '.join(ways)}: driver and subject shared one machine. Response times are those at "
            "saturation wherever the loop is closed.",
            style="dim",
        )


def _doubts(analysis: Analysis) -> Iterable[RenderableType]:
    every = [("", analysis.findings), *((each.name, each.findings) for each in analysis.experiments)]
    doubts = [(name, each) for name, findings in every for each in findings if each.severity is not Severity.NOTE]
    if not doubts:
        return
    yield Text()
    yield heading(plural(len(doubts), "doubt"))
    for name, finding in doubts:
        yield indented(finding_paragraph(finding, name=name))
