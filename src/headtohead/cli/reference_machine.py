"""Which results folder is the reference machine: the named one, else the one that comes with the package."""

from functools import cache
from pathlib import Path
from typing import Annotated

import typer

from headtohead.analyze.references.compare_with_reference_machine import incomparable
from headtohead.cli.folders.proved_table import why_not_believed
from headtohead.describe.home import find_home
from headtohead.model.analysis.suite import ReferenceMachine
from headtohead.model.errors import RecordError, WordsError
from headtohead.model.plan import Plan
from headtohead.store import read
from headtohead.store.layout import Layout

ReferenceOption = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        show_default="the machine that comes with headtohead",
        help="Results folder of the machine with which geometric means over kernels or programs are compared.",
    ),
]

MOST_LETTERS = 400
"""The most letters of what differs that an error shows."""


def reference_machine(named: Path | None, *, results: Path | None = None) -> ReferenceMachine | None:
    """Return the reference machine, or None if none is named and none comes with the package.

    The default is not compared with itself: None if ``results`` is its own folder.
    """
    if named is not None:
        return _named(named)
    try:
        ours = find_home().reference_machine
    except WordsError:
        return None
    if ours is None or (results is not None and results.resolve() == ours.resolve()):
        return None
    return _that_comes_along(ours)


def _named(folder: Path) -> ReferenceMachine:
    """Return a reference machine; RecordError if it has a seal, and its table is not what its runs give."""
    found = read.reference(folder)
    why = why_not_believed(folder) if Layout(folder).seal.exists() else ""
    if why:
        raise RecordError(
            f"--reference {folder} is not as it was recorded",
            why=why,
            remedy="Copy the folder again from where it was made, or name another one.",
        )
    return found


@cache
def _that_comes_along(folder: Path) -> ReferenceMachine:
    """Return the reference machine of the package, read once in a process: its files do not change meanwhile."""
    return read.reference(folder)


def ask_comparable(named: Path | None, plan: Plan) -> None:
    """Raise WordsError if a folder was named with which nothing of the plan can be compared."""
    why = incomparable(plan, _named(named)) if named is not None else None
    if why is not None:
        raise WordsError(
            f"--reference {named}",
            why=f"{why[0].upper()}{why[1:MOST_LETTERS]}.",
            remedy="Name a folder of the same workload, version, cases and load, or leave the option out: the report "
            "then states why nothing was compared with the machine that comes with headtohead.",
        )
