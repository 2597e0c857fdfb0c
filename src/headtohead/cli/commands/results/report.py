"""`headtohead report RESULTS`: render the report again from the files."""

import contextlib
import gc
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from headtohead.analyze.samples.values_from_records import measurements
from headtohead.analyze.study import MANY_RUNS, analyze
from headtohead.cli.folders.contradictions import consistent
from headtohead.cli.folders.external_results import GivenOption, given_results
from headtohead.cli.folders.facts_and_prices import PricesOption, SystemsOption, keep, read_stated_files, recording_of
from headtohead.cli.reference_machine import ReferenceOption, ask_comparable, reference_machine
from headtohead.cli.terminal import look, wrapped
from headtohead.cli.wiring import JsonOption
from headtohead.describe.external.published import read_published
from headtohead.describe.home import find_home
from headtohead.model.analysis.results import Analysis
from headtohead.model.harmless_text import harmless
from headtohead.model.parallel_work import give_memory_back, side_by_side
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import Recording
from headtohead.report.formats import html, markdown
from headtohead.report.formats.chart_files import files as chart_files
from headtohead.report.study.path_of_study_file import needs_own_folder
from headtohead.report.study.study_page import study_page
from headtohead.report.terminal import summary
from headtohead.store import durable, read, write
from headtohead.store.convert import to_json
from headtohead.store.layout import Layout
from headtohead.store.measurements import HEAD, to_lines
from headtohead.store.run.response_times import timed

ChartsOption = Annotated[
    bool, typer.Option("--charts", help="Also write each chart as SVG and PNG into RESULTS/charts, for an article.")
]
ResultsArgument = Annotated[Path, typer.Argument(metavar="RESULTS", help="A results folder.")]


def command(
    results: ResultsArgument,
    *,
    reference: ReferenceOption = None,
    given: GivenOption = None,
    systems: SystemsOption = None,
    prices: PricesOption = None,
    charts: ChartsOption = False,
    json: JsonOption = False,
) -> None:
    """Render the report again from the files of a results folder."""
    with consistent([results]), _without_searches():
        if systems or prices:
            keep(read_stated_files(systems, prices, home=find_home()), results, read.hosts(Layout(results)))
        recording, analysis = render(results, reference, given)
        if charts:
            write.charts(Layout(results), chart_files(study_page(analysis, recording)))
        text = to_json(analysis) if json else summary.render(analysis, recording, **look(sys.stdout))
    print(text, end="")
    if not json:
        print(report_line(Layout(results), recording))
        if charts:
            print(f"Charts: {harmless(str(Layout(results).charts))}")


def report_line(layout: Layout, recording: Recording) -> str:
    """Return where the page is, and from which folder the commands that were printed find the results.

    Those of a study with content of one's own say it themselves: they are typed in the study's folder.
    """
    folder = os.path.relpath(layout.root.absolute().parent)
    said = folder == "." or needs_own_folder(recording)
    where = "" if said else f" (run its commands from {harmless(folder)})"
    return wrapped(f"Report: {harmless(str(layout.html))}{where}", sys.stdout)


@contextlib.contextmanager
def _without_searches() -> Iterator[None]:
    """Let nothing search all runs for garbage again and again: there is next to none."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def render(results: Path, reference: Path | None = None, given: Path | None = None) -> tuple[Recording, Analysis]:
    """Compute and write measurements.csv, analysis.json, report.html and report.md of a results folder.

    ``reference`` is the folder of the reference machine, or None for the one that comes with the package. ``given``
    is a file with results of others, or None for those that the folder keeps.
    """
    layout = Layout(results)
    recording = replace(timed(layout, recording_of(results)), given=given_results(given, results))
    ask_comparable(reference, recording.plan)
    analysis = analyze(recording, reference_machine(reference, results=results), read_published(find_home()))
    proved = recording.proof is not None and not recording.proof.flaws
    cpus = None if len(recording.runs) >= MANY_RUNS else 1
    table = "".join([HEAD, *side_by_side(partial(_lines, recording), recording.plan.experiments, cpus=cpus)])
    recording = recording.without_readings()
    give_memory_back()
    page, text, document = side_by_side(lambda of: of(recording, analysis), (_page, _text, _document), cpus=cpus)
    write.analysis(layout, document, table, proved=proved)
    durable.whole(layout.html, page)
    durable.whole(layout.markdown, text)
    return recording, analysis


def _lines(recording: Recording, experiment: PlannedExperiment) -> str:
    plan = replace(recording.plan, experiments=(experiment,))
    return to_lines(measurements(plan, recording.runs_of(experiment.name)))


def _page(recording: Recording, analysis: Analysis) -> str:
    return html.render(study_page(analysis, recording))


def _text(recording: Recording, analysis: Analysis) -> str:
    return markdown.render(study_page(analysis, recording, pictures=False))


def _document(_: Recording, analysis: Analysis) -> str:
    return to_json(analysis)
