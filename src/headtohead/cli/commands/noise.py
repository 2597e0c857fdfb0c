"""`headtohead noise`: how often this machine's noise alone would name a winner."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from headtohead.analyze.fleet.session_spread import session_spreads
from headtohead.analyze.noise_floor import replay
from headtohead.cli.folders.contradictions import consistent
from headtohead.cli.folders.read_many import read_many
from headtohead.cli.terminal import look
from headtohead.cli.wiring import JsonOption
from headtohead.hosts.facts import read_facts
from headtohead.hosts.paths import cache_dir
from headtohead.model.errors import RecordError
from headtohead.model.machine.noise import NoiseFloor
from headtohead.report.terminal.noise_floor import render_noise
from headtohead.report.terminal.session_spread import render_sessions
from headtohead.store import read
from headtohead.store.convert import REMEDY, to_json
from headtohead.store.machine_records import keep_floor, keep_spreads, read_floor
from headtohead.store.read_systems import ask_noise_heeded, folders


def command(
    results: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[RESULTS...]",
            help="A results folder of the study noise, or several of one study. Default: show the last noise floor.",
        ),
    ] = None,
    *,
    comparisons: Annotated[int, typer.Option(min=200, help="Number of comparisons to replay.")] = 1000,
    json: JsonOption = False,
) -> None:
    """Show how often noise alone would name a winner here.

    Replay the runs of a subject against itself. Several folders of one study, made on several days, show how much the
    sessions of this machine differ. Later results on this machine carry both.
    """
    if results and len(results) > 1:
        _sessions(results, json=json)
        return
    floor = _replayed(results[0], comparisons) if results else read_floor(cache_dir())
    if floor is None:
        raise RecordError(
            "No noise floor was measured on this machine",
            why="`headtohead noise RESULTS` computes it from the runs of a subject against itself.",
            remedy="Run `headtohead run noise` (about 10 minutes), then `headtohead noise` with its results folder.",
        )
    if results:
        keep_floor(cache_dir(), floor)
    print(to_json(floor) if json else render_noise(floor, (read_facts("local"),), **look(sys.stdout)), end="")


def _sessions(results: Sequence[Path], *, json: bool) -> None:
    """Keep and print the spread between the sessions that the folders are of."""
    with consistent(results):
        systems, broken = read_many(folders(results))
        if broken:
            raise RecordError(f"{broken[0].name} cannot be read", why=f"{broken[0].why}", remedy=REMEDY)
        spreads = session_spreads(systems)
    keep_spreads(cache_dir(), spreads)
    print(to_json(spreads) if json else render_sessions(spreads, **look(sys.stdout)), end="")


def _replayed(results: Path, comparisons: int) -> NoiseFloor:
    with consistent([results]):
        recording = read.recording(results)
        ask_noise_heeded(recording.plan, results)
        return replay(recording, comparisons=comparisons)
