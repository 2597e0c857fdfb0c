"""`headtohead compare RESULTS...`: verdicts between treatments, or between result folders of different machines."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from headtohead.analyze.analyze import analyze
from headtohead.analyze.versus import compare_folders
from headtohead.cli.wiring import JsonOption
from headtohead.report import terminal
from headtohead.store import read
from headtohead.store.convert import to_json


def command(
    results: Annotated[list[Path], typer.Argument(metavar="RESULTS...", help="One results folder, or several.")],
    *,
    differ: Annotated[
        str, typer.Option(metavar="FACT,...", help="Host facts, or groups of them, that are meant to differ.")
    ] = "",
    json: JsonOption = False,
) -> None:
    """Print verdicts between treatments of a folder, or between folders of different machines (the first: baseline)."""
    recordings = [read.recording(each) for each in results]
    if len(recordings) == 1:
        analysis = analyze(recordings[0])
        print(to_json(analysis) if json else terminal.render(analysis, color=sys.stdout.isatty()), end="")
        return
    meant = [each.strip() for each in differ.split(",") if each.strip()]
    found = [compare_folders(recordings[0], other, differ=meant) for other in recordings[1:]]
    print(
        to_json({"comparisons": found}) if json else terminal.render_folders(found, color=sys.stdout.isatty()), end=""
    )
