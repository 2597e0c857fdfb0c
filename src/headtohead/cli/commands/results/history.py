"""`headtohead history DIR`: one comparison over many results folders, and where its level changes."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from headtohead.analyze.fleet.history import history
from headtohead.analyze.study import analyze
from headtohead.cli.folders.contradictions import consistent
from headtohead.cli.folders.facts_and_prices import recording_of
from headtohead.cli.wiring import JsonOption, say
from headtohead.model.analysis.results import Analysis
from headtohead.model.errors import HeadToHeadError, RecordError
from headtohead.model.record import Recording
from headtohead.report.fleet.history import chart_of, lines_of, title_of
from headtohead.store.convert import to_json
from headtohead.store.durable import whole
from headtohead.store.read_systems import folders


def command(
    results: Annotated[list[Path], typer.Argument(help="Results folders, or folders that hold them.")],
    *,
    charts: Annotated[
        Path | None, typer.Option("--charts", metavar="DIR", help="Write a chart of each series there, as SVG.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Show how ratios to a reference change by session.

    The baseline of each comparison is the reference, measured in the same blocks. A change of level is a possible one
    until a race of the two versions confirms it.
    """
    measured: list[tuple[Recording, Analysis]] = []
    for each in folders(results):
        try:
            with consistent([each.path]):
                recording = recording_of(each.path)
                measured.append((recording, analyze(recording)))
        except HeadToHeadError as error:
            say(f"Left out: {each.name} ({error.why.rstrip('.')})")
    series = history(measured)
    if not series:
        raise RecordError(
            "No comparison was measured in these folders",
            why="A history needs the ratio of a treatment to a baseline in each of them.",
            remedy="Name the folder that holds the results of several sessions.",
        )
    if charts is not None:
        charts.mkdir(parents=True, exist_ok=True)
        for number, each_series in enumerate(series, 1):
            whole(charts / f"history-{number}.svg", chart_of(each_series).svg())
    if json:
        print(to_json({"history": series}), end="")
        return
    for each_series in series:
        print("\n".join((title_of(each_series), *lines_of(each_series))))
    if charts is not None:
        print(f"Charts: {charts}", file=sys.stderr)
