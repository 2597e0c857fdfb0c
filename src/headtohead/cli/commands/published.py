"""`headtohead published`: figures that articles printed, as tables."""

import sys
from typing import Annotated

import typer

from headtohead.cli.wiring import JsonOption
from headtohead.describe.external.published import read_published
from headtohead.describe.home import find_home
from headtohead.model.errors import WordsError
from headtohead.report.terminal.published import render_published
from headtohead.store.convert import to_json


def command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A source or a benchmark. Default: list all.")] = "",
    *,
    json: JsonOption = False,
) -> None:
    """List figures that articles printed.

    Also list which workloads are of the same kind.
    """
    found = read_published(find_home())
    named = [each for each in found.figures if name in ("", each.source, each.benchmark)]
    if not named:
        known = ", ".join(sorted({text for each in found.figures for text in (each.source, each.benchmark)}))
        raise WordsError(
            f"published {name}", why="No source and no benchmark has that name.", remedy=f"Name one of: {known}."
        )
    if json:
        print(to_json({"figures": named, "alike": found.alike}), end="")
    else:
        print(render_published(found, named if name else (), color=sys.stdout.isatty()), end="")
