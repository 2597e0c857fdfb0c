"""`headtohead compare RESULTS...`: verdicts between treatments, or between result folders of different machines."""

import gc
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import typer

from headtohead.analyze.fleet.compare_systems import compare_systems
from headtohead.analyze.fleet.relative_values import labels_of, relative_to
from headtohead.analyze.study import analyze
from headtohead.cli.folders.contradictions import consistent
from headtohead.cli.folders.facts_and_prices import recording_of
from headtohead.cli.folders.proved_table import believed
from headtohead.cli.folders.read_many import read_many
from headtohead.cli.reference_machine import reference_machine
from headtohead.cli.terminal import look
from headtohead.cli.wiring import JsonOption
from headtohead.describe.external.published import read_published
from headtohead.describe.home import find_home
from headtohead.model.analysis.systems import Broken, SystemResults, SystemsComparison
from headtohead.model.errors import RecordError, WordsError
from headtohead.report.fleet.csv_table import systems_csv
from headtohead.report.fleet.systems_page import systems_page
from headtohead.report.formats import html, markdown
from headtohead.report.terminal import summary
from headtohead.report.terminal.compared_systems import render_systems
from headtohead.store import durable
from headtohead.store.convert import to_json
from headtohead.store.read_systems import Folder, folders, sessions

MANY: Final = 1_000
"""From this number of folders on, garbage collection is off: of millions of objects read, none is garbage."""

MOST_PROVED: Final = 60
"""Up to this number of folders, their values are made again from the runs, as ``verify`` does, not of 10,000."""
MOST_SIDE_BY_SIDE: Final = 6
"""Up to this number of machines, each is a column next to the others, case by case; a wider table fits no page."""
MOST_BY_CASE: Final = 60
"""... and up to this number of folders, as all lines of each are then read."""

WRITERS: Final[dict[str, Callable[[SystemsComparison], str]]] = {
    ".csv": systems_csv,
    ".html": lambda found: html.render(systems_page(found)),
    ".md": lambda found: markdown.render(systems_page(found)),
}


def command(
    results: Annotated[
        list[Path],
        typer.Argument(metavar="RESULTS...", help="One results folder; or several, or a folder that holds them."),
    ],
    *,
    baseline: Annotated[
        str,
        typer.Option(metavar="NAME", show_default="the first", help="The folder with which all others are compared."),
    ] = "",
    differ: Annotated[
        str, typer.Option(metavar="FACT,...", help="Host facts, or groups of facts, that are meant to differ.")
    ] = "",
    write_to: Annotated[
        list[Path] | None,
        typer.Option(
            "--write",
            metavar="FILE",
            help="Write the comparison of several folders: .csv in full, .html or .md as a page.",
        ),
    ] = None,
    by_machine: Annotated[
        bool,
        typer.Option("--sessions", help="Each RESULTS is one machine; the results folders in it are its sessions."),
    ] = False,
    relative: Annotated[
        str,
        typer.Option(
            "--relative-to",
            metavar="TREATMENT",
            show_default="nothing",
            help="Divide each run by that of TREATMENT in the same block: what a day does to both cancels.",
        ),
    ] = "",
    json: JsonOption = False,
) -> None:
    """Print verdicts between treatments, or between machines.

    One folder gives verdicts between its treatments. Several give the ratios of their machines to the baseline, and
    verdicts if each machine has two or more sessions.
    """
    _check_files(write_to or ())
    chosen = sessions(results) if by_machine else folders(results)
    if len(chosen) == 1:
        if relative:
            why = "One results folder has ratios between its treatments anyway."
            raise WordsError(
                "--relative-to", why=why, remedy="Name the results folders of two machines, or leave it out."
            )
        _alone(chosen[0].path, json=json)
        return
    if relative:
        chosen = [replace(each, by_block=True) for each in chosen]
    elif len({each.machine or each.name for each in chosen}) <= MOST_SIDE_BY_SIDE and len(chosen) <= MOST_BY_CASE:
        chosen = [replace(each, by_case=True) for each in chosen]
    if len(chosen) >= MANY:
        gc.disable()
    with consistent(results):
        facts = [name for each in differ.split(",") if (name := each.strip())]
        found = _compared(chosen, baseline=baseline, differ=facts, relative=relative)
        for path in write_to or ():
            durable.whole(path, WRITERS[path.suffix](found))
        text = to_json(found) if json else render_systems(found, **look(sys.stdout))
    print(text, end="")
    if found.broken:
        raise typer.Exit(1)


def _alone(results: Path, *, json: bool) -> None:
    """Print the verdicts of one folder."""
    with consistent([results]):
        recording = recording_of(results)
        analysis = analyze(recording, reference_machine(None, results=results), read_published(find_home()))
        text = to_json(analysis) if json else summary.render(analysis, recording, **look(sys.stdout))
    print(text, end="")


def _compared(chosen: Sequence[Folder], *, baseline: str, differ: Sequence[str], relative: str) -> SystemsComparison:
    """Return the comparison of the systems; raise if fewer than two can be read, or one that is named is not there."""
    systems, broken = read_many(chosen)
    if len(chosen) <= MOST_PROVED:
        systems, refused = believed(systems, chosen)
        broken += refused
    if len(systems) < 2 and broken:
        raise RecordError(
            f"{len(systems) or 'None'} of {len(chosen)} results folders can be read",
            why=f"{broken[0].name}: {broken[0].why}",
            remedy="A comparison needs two. Copy the folders again from where they were made.",
        )
    if len(_names(systems)) < 2:
        raise RecordError(
            "There is one machine",
            why=f"All results folders that can be read are sessions of {_names(systems)[0]}.",
            remedy="Name a folder for each machine.",
        )
    _check_facts(systems, differ)
    place = _place_of(baseline, systems, broken)
    if not relative:
        found = compare_systems(systems, place, differ=differ, broken=broken)
        return replace(found, tables_believed=len(chosen) > MOST_PROVED)
    if relative not in (labels := labels_of(systems)):
        remedy = f"Name one of: {', '.join(labels[:10])}."
        raise WordsError(f"--relative-to {relative}", why="No study has a treatment of that name.", remedy=remedy)
    found = compare_systems(relative_to(systems, relative), place, differ=differ, broken=broken)
    return replace(found, relative_to=relative, tables_believed=len(chosen) > MOST_PROVED)


def _place_of(baseline: str, systems: Sequence[SystemResults], broken: Sequence[Broken]) -> int:
    """Return the index of the baseline: the first if none is named. A path to its folder is accepted for its name."""
    if not baseline:
        return 0
    names = _names(systems)
    wanted = baseline if baseline in names else Path(baseline).name
    if wanted in names:
        return names.index(wanted)
    why = next((f"It cannot be read: {each.why}" for each in broken if each.name == wanted), "No folder has that name.")
    raise WordsError(f"--baseline {baseline}", why=why, remedy=f"Name one of: {', '.join(names[:10])}.")


def _names(systems: Sequence[SystemResults]) -> list[str]:
    """Return the names of the machines, in the order of their first folders."""
    return list(dict.fromkeys(each.machine or each.name for each in systems))


def _check_files(named: Sequence[Path]) -> None:
    for path in named:
        if path.suffix not in WRITERS:
            known = ", ".join(WRITERS)
            raise WordsError(f"--write {path}", why="This file ending is unknown.", remedy=f"Use one of: {known}.")


def _check_facts(systems: Sequence[SystemResults], named: Sequence[str]) -> None:
    """Raise WordsError for a host fact or a group of facts that no folder has."""
    facts = {key for each in systems for key in each.facts} if named else set()
    groups = {group for group, _ in facts}
    for name in named:
        if name not in groups and name not in {each for _, each in facts}:
            raise WordsError(
                f"--differ {name}",
                why="No host fact and no group of facts has that name.",
                remedy=f"Name groups ({', '.join(sorted(groups))}) or facts in them.",
            )
