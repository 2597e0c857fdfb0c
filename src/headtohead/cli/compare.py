"""`headtohead compare RESULTS...`: verdicts between treatments, or between result folders of different machines."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from headtohead.analyze.analyze import analyze
from headtohead.analyze.versus import compare_folders
from headtohead.cli.reference import reference_machine
from headtohead.cli.wiring import JsonOption
from headtohead.describe.home import find_home
from headtohead.describe.published import read_published
from headtohead.model.errors import WordsError
from headtohead.model.record import Recording
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
    if len({each.resolve() for each in results}) < len(results):
        raise WordsError("compare", why="a results folder is named twice.", remedy="Name different folders.")
    recordings = [read.recording(each) for each in results]
    if len(recordings) == 1:
        analysis = analyze(recordings[0], reference_machine(None, results=results[0]), read_published(find_home()))
        print(to_json(analysis) if json else terminal.render(analysis, color=sys.stdout.isatty()), end="")
        return
    meant = _known_facts(recordings, [each.strip() for each in differ.split(",") if each.strip()])
    found = [compare_folders(recordings[0], other, differ=meant) for other in recordings[1:]]
    print(
        to_json({"comparisons": found}) if json else terminal.render_folders(found, color=sys.stdout.isatty()), end=""
    )


def _known_facts(recordings: Sequence[Recording], named: Sequence[str]) -> Sequence[str]:
    """Return the named host facts or groups; WordsError for one that no folder has."""
    facts = [fact for each in recordings for host in each.hosts for fact in host.facts]
    known = {fact.group for fact in facts} | {fact.name for fact in facts}
    for name in named:
        if name not in known:
            raise WordsError(
                f"--differ {name}",
                why="no host fact or group of them has that name.",
                remedy=f"Name groups ({', '.join(sorted({fact.group for fact in facts}))}) or facts of them.",
            )
    return named
