"""Which results folder is the reference machine: the one that is named, else the one that comes with the package."""

from pathlib import Path
from typing import Annotated

import typer

from headtohead.analyze.references.reference_machine import incomparable
from headtohead.describe.home import find_home
from headtohead.model.analysis.reference import ReferenceMachine
from headtohead.model.errors import WordsError
from headtohead.model.plan import Plan
from headtohead.store import read

ReferenceOption = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        show_default="the machine that comes with headtohead",
        help="The results folder of the machine that geometric means over kernels or programs are held against.",
    ),
]

MOST_LETTERS = 400
"""So much is said of what differs."""


def reference_machine(named: Path | None, *, results: Path | None = None) -> ReferenceMachine | None:
    """Return the reference machine; None where none is named and none comes with the package.

    The default is no yardstick for itself: none is returned for the ``results`` folder that it is.
    """
    if named is not None:
        return read.reference(named)
    try:
        ours = find_home().reference_machine
    except WordsError:
        return None
    if ours is None or (results is not None and results.resolve() == ours.resolve()):
        return None
    return read.reference(ours)


def ask_comparable(named: Path | None, plan: Plan) -> None:
    """Raise WordsError where a folder was named that nothing of the plan can be held against."""
    why = incomparable(plan, read.reference(named)) if named is not None else None
    if why is not None:
        raise WordsError(
            f"--reference {named}",
            why=f"{why[0].upper()}{why[1:MOST_LETTERS]}.",
            remedy="Name a folder of the same workload, version, cases and load, or leave the option out: the report "
            "then says why nothing was held against the machine that comes with headtohead.",
        )
