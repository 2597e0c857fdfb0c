"""Results that others report: read from the named file, kept in the results folder, read from there later."""

from pathlib import Path
from typing import Annotated

import typer

from headtohead.describe.external.reported import NAME, read_given
from headtohead.describe.home import find_home
from headtohead.model.external.reported import Given
from headtohead.store.convert import read_text
from headtohead.store.durable import whole

GivenOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="A given.toml: results that others report, shown next to those measured here."),
]


def ask_given(named: Path | None) -> None:
    """Raise WordsError if the named file is wrong."""
    if named is not None:
        read_given(named, home=find_home())


def given_results(named: Path | None, results: Path) -> tuple[Given, ...]:
    """Return the results of others that a results folder keeps, after a named file has replaced them."""
    kept = results / NAME
    if named is not None:
        ask_given(named)
        whole(kept, named.read_text("utf-8"))
    if not kept.exists():
        return ()
    read_text(kept, within=results)  # refuses links, which a stranger's folder may have
    return read_given(kept, home=find_home(), known=False)
