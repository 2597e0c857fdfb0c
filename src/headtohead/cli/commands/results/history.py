"""`headtohead history DIR`: one comparison over many results folders, and where its level changes."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from headtohead.analyze.fleet.history import history
from headtohead.analyze.study import analyze
from headtohead.cli.commands.results.versions import SessionFolder, with_races
from headtohead.cli.exit_status import WaitOption
from headtohead.cli.folders.contradictions import consistent
from headtohead.cli.folders.facts_and_prices import recording_of
from headtohead.cli.terminal import wrapped
from headtohead.cli.wiring import JsonOption, say
from headtohead.model.analysis.results import Analysis
from headtohead.model.errors import HeadToHeadError, RecordError
from headtohead.model.record import Recording
from headtohead.report.fleet.history import chart_of, lines_of, title_of
from headtohead.store.convert import to_json
from headtohead.store.durable import whole
from headtohead.store.read_systems import ask_noise_heeded, folders


def command(
    results: Annotated[list[Path], typer.Argument(help="Results folders, or folders that hold them.")],
    *,
    verify: Annotated[
        bool, typer.Option("--verify", help="Race the versions before and after each possible change.")
    ] = False,
    charts: Annotated[
        Path | None, typer.Option("--charts", metavar="DIR", help="Write a chart of each series there, as SVG.")
    ] = None,
    wait: WaitOption = False,
    json: JsonOption = False,
) -> None:
    """Show how ratios to a reference change by session.

    The baseline of each comparison is the reference, measured in the same blocks. A change of level is a possible one
    until a race of the two versions confirms it: --verify makes that race, on this machine, in the folder "verified"
    next to the sessions.
    """
    measured: list[tuple[Recording, Analysis]] = []
    sessions: dict[str, SessionFolder] = {}
    for each in folders(results):
        try:
            with consistent([each.path]):
                recording = replace(recording_of(each.path), name=each.name)
                ask_noise_heeded(recording.plan, each.path)
                measured.append((recording, analyze(recording)))
            sessions[each.name] = SessionFolder(each.path, recording.without_readings())
        except HeadToHeadError as error:
            say(f"Left out: {each.name} ({error.why.rstrip('.')})")
    series = [with_races(each, sessions, verify=verify, wait=wait) for each in history(measured)]
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
        print(wrapped("\n".join((title_of(each_series), *lines_of(each_series))), sys.stdout))
    if charts is not None:
        print(f"Charts: {charts}", file=sys.stderr)
