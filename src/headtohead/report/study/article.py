"""The page from the analysis and the recording: what stands on it, and in which order."""

from collections.abc import Sequence

from headtohead.model.analysis.results import Analysis, ExperimentResult
from headtohead.model.finding import Severity
from headtohead.model.plan import LeftOut, PlannedExperiment
from headtohead.model.record import Recorded, Recording
from headtohead.report.document import Answer, Chart, HostPage, LeftOutLine, Page, Section
from headtohead.report.experiment import ratios
from headtohead.report.experiment.card import card_table, noticed
from headtohead.report.experiment.configuration import configuration_tables
from headtohead.report.experiment.crossings import crossing_sentences
from headtohead.report.experiment.external.given import given_tables
from headtohead.report.experiment.external.published import then_tables
from headtohead.report.experiment.frames import draw_frames
from headtohead.report.experiment.limits import each_limit_table, limits_table
from headtohead.report.experiment.load.capacity import more_tables
from headtohead.report.experiment.load.charts import draw_curves
from headtohead.report.experiment.load.sweep import draw_levels
from headtohead.report.experiment.memory.charts import draw_memory
from headtohead.report.experiment.memory.tables import memory_tables
from headtohead.report.experiment.prices import price_tables
from headtohead.report.experiment.queries import answers_sentence, in_process_sentence
from headtohead.report.experiment.runs import bad_runs_table, runs_table
from headtohead.report.experiment.suite.chart import draw_suites
from headtohead.report.experiment.suite.kernels import suite_more
from headtohead.report.experiment.values import Shown, others_table, values_table
from headtohead.report.machine.cpu_allocation import bench_told, draw_bench
from headtohead.report.machine.machine import host_page, machine_line
from headtohead.report.machine.price_and_power import systems
from headtohead.report.machine.topology import draw_system
from headtohead.report.study.conclusion import conclusion
from headtohead.report.study.explanations import READING, link_sentence, loop_sentence, meanings, scope
from headtohead.report.study.method import method
from headtohead.report.study.noise import noise_caveat
from headtohead.report.study.reproduce import REPEAT, again, raw_data
from headtohead.report.study.scope import untested
from headtohead.report.study.summary import beneath, doubts_told, dropped, during
from headtohead.report.text.names import loop_of, plural
from headtohead.report.text.numbers import date
from headtohead.report.text.placement import levels_told, places
from headtohead.report.text.verdicts import closed, floor_sentence, measured_sentences, said, stopped_sentence

WINNERS = ("better", "worse")
"""The verdicts that name one."""


def make_page(analysis: Analysis, recording: Recording, *, pictures: bool = True) -> Page:
    """Return all that the report says, in its order; without pictures for formats that show none."""
    planned = {each.name: each for each in recording.plan.experiments}
    sections = tuple(
        _section(result, planned.get(result.name), recording=recording, number=number, pictures=pictures)
        for number, result in enumerate(analysis.experiments, start=1)
    )
    return Page(
        title=analysis.title,
        machine=machine_line(recording.hosts),
        measured=date(analysis.began),
        incomplete="" if analysis.complete else _incomplete(analysis),
        during=(*during(recording), *dropped(analysis.experiments)),
        method=method(analysis, recording),
        scope=scope(analysis, recording),
        untested=untested(analysis, recording),
        answers=tuple(each.answer for each in sections),
        findings=tuple(noticed(each) for each in analysis.findings),
        sections=sections,
        conclusion=conclusion(analysis, recording),
        left_out=tuple(left_out_line(each) for each in analysis.left_out),
        hosts=_hosts(recording, pictures=pictures),
        bench=draw_bench(recording) if pictures else (),
        bench_told=bench_told(recording.plan),
        bad_runs=bad_runs_table(sorted(recording.runs, key=lambda each: each.run.run)),
        runs=tuple(runs_table(each, _runs_of(recording, each.name)) for each in analysis.experiments),
        runs_told=runs_told(recording.runs),
        reading=READING,
        repeat=REPEAT,
        again=again(analysis, recording),
        raw_data=raw_data(recording),
        version=analysis.version,
        systems=systems(analysis, recording),
    )


def _hosts(recording: Recording, *, pictures: bool) -> tuple[HostPage, ...]:
    return tuple(
        host_page(each, drawn=draw_system(each, prefix=f"system-{number}") if pictures else ())
        for number, each in enumerate(recording.hosts, start=1)
    )


def _runs_of(recording: Recording, experiment: str) -> tuple[Recorded, ...]:
    own = [each for each in recording.runs if each.run.experiment == experiment]
    return tuple(sorted(own, key=lambda each: each.run.run))


def _incomplete(analysis: Analysis) -> str:
    open_ones = [each.name for each in analysis.experiments if not each.finished]
    names = f" ({', '.join(open_ones)})" if open_ones else ""
    return f"This study is not finished{names}: its answers may still change."


def left_out_line(left_out: LeftOut) -> LeftOutLine:
    """Return what was left out and why, as text."""
    what = f"{left_out.experiment}: {left_out.treatment}" if left_out.treatment else left_out.experiment
    return LeftOutLine(what, closed(left_out.reason))


def runs_told(runs: Sequence[Recorded]) -> str:
    """Return how many runs were made, and how many of them do not count."""
    invalid = sum(each.run.status == "invalid" for each in runs)
    failed = sum(each.run.status == "failed" for each in runs)
    text = f"{plural(len(runs), 'run')} were made" if len(runs) != 1 else "1 run was made"
    bad = " and ".join(f"{number} {word}" for number, word in ((invalid, "invalid"), (failed, "failed")) if number)
    kept = f"; {bad}, kept here with the reason and left out of every number above" if bad else ", all of them valid"
    return f"{text}{kept}."


def _asked(planned: PlannedExperiment | None) -> str:
    links = [each.link for each in planned.treatments if each.link is not None] if planned else []
    return link_sentence(links) if links else loop_sentence(planned.load if planned else None)


def _section(
    result: ExperimentResult,
    planned: PlannedExperiment | None,
    *,
    recording: Recording,
    number: int,
    pictures: bool,
) -> Section:
    runs = _runs_of(recording, result.name)
    load = planned.load if planned else None
    summaries = {each.name: each for each in planned.summaries} if planned else {}
    facts = recording.hosts[0].facts if recording.hosts else ()
    places_told = places(planned) if planned else ()
    shown = Shown(result, runs, loop_of(load), summaries, load=load, places=places_told, facts=facts)
    notes = (*levels_told(planned, recording.hosts), *result.notes, *planned.notes) if planned else result.notes
    return Section(
        answer=answer(result, number, caveat=noise_caveat(recording.noise, recording.hosts)),
        number=number,
        workload=f"{result.workload}: {result.workload_title}",
        stopped=stopped_sentence(result),
        loop=_asked(planned) + _shared(result, planned) + in_process_sentence(result) + answers_sentence(planned, runs),
        charts=_charts(shown, prefix=f"c{number}") if pictures else (),
        frames=draw_frames(runs, pictures=pictures),
        values=values_table(shown),
        more=(
            *suite_more(shown),
            *more_tables(shown),
            *memory_tables(shown),
            *then_tables(shown),
            *given_tables(result, recording.given),
            *price_tables(shown, recording),
        ),
        others=others_table(shown),
        card=card_table(result),
        configuration=configuration_tables(result),
        limits=limits_table(result),
        each_limit=each_limit_table(result),
        findings=tuple(noticed(each) for each in result.findings),
        notes=tuple(dict.fromkeys(notes)),
        meanings=meanings(shown),
        crossings=crossing_sentences(result),
        same_test=result.same_test,
    )


def _charts(shown: Shown, *, prefix: str) -> tuple[Chart, ...]:
    drawn = (ratios.draw, draw_suites, draw_curves, draw_levels, draw_memory)
    return tuple(chart for draw in drawn for chart in draw(shown, prefix=prefix))


def _shared(result: ExperimentResult, planned: PlannedExperiment | None) -> str:
    """Return what must stand beside the numbers where driver and subject had CPUs in common."""
    if planned is None or not planned.share_driver:
        return ""
    cards = [each.card for each in result.treatments if each.card]
    shares = [card.driver_of_subject_share for card in cards if card.driver_of_subject_share is not None]
    most = f", at most {100 * max(shares):.1f} % of the subject's CPU time" if shares else ""
    return f" The driver shared the subject's CPUs{most}."


def answer(result: ExperimentResult, number: int, *, caveat: str = "") -> Answer:
    """Return one experiment's answer, for the head of the page; the ``caveat`` stands where a winner is named."""
    told = tuple(said(each, result) for each in result.comparisons)
    return Answer(
        anchor=f"experiment-{number}",
        name=result.name,
        question=result.question,
        said=told,
        floors=tuple(floor_sentence(each, result.metric) for each in result.treatments if each.floor),
        doubts=sum(each.severity is not Severity.NOTE for each in result.findings),
        measured=measured_sentences(result),
        beneath=beneath(result),
        doubts_told=doubts_told(result),
        caveat=caveat if any(each.kind in WINNERS for each in told) else "",
    )
