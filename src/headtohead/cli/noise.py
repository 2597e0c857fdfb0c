"""`headtohead noise`: how often this machine's noise alone would name a winner."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from headtohead.analyze.noise_floor import replay
from headtohead.cli.fitting import fitting
from headtohead.cli.wiring import JsonOption
from headtohead.hosts.facts import read_facts
from headtohead.hosts.paths import cache_dir
from headtohead.model.errors import RecordError
from headtohead.model.machine.noise import NoiseFloor
from headtohead.report.terminal.noise import render_noise
from headtohead.store import read
from headtohead.store.convert import to_json
from headtohead.store.noise import keep_floor, read_floor


def command(
    results: Annotated[
        Path | None,
        typer.Argument(
            metavar="RESULTS", help="A results folder of the study noise. Default: show the last noise floor."
        ),
    ] = None,
    *,
    comparisons: Annotated[int, typer.Option(min=200, help="Number of comparisons to replay.")] = 1000,
    json: JsonOption = False,
) -> None:
    """Show how often noise alone would name a winner here.

    Replay the runs of a subject against itself. Later reports on this machine show the result.
    """
    floor = read_floor(cache_dir()) if results is None else _replayed(results, comparisons)
    if floor is None:
        raise RecordError(
            "No noise floor was measured on this machine",
            why="`headtohead noise RESULTS` computes it from the runs of a subject against itself.",
            remedy="Run `headtohead run noise` (about 10 minutes), then `headtohead noise` with its results folder.",
        )
    if results is not None:
        keep_floor(cache_dir(), floor)
    print(to_json(floor) if json else render_noise(floor, (read_facts("local"),), color=sys.stdout.isatty()), end="")


def _replayed(results: Path, comparisons: int) -> NoiseFloor:
    with fitting([results]):
        return replay(read.recording(results), comparisons=comparisons)
