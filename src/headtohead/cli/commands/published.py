"""`headtohead published`: figures that articles printed, as tables."""

import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from headtohead.cli.terminal import look
from headtohead.cli.wiring import JsonOption
from headtohead.describe.external.published import read_published
from headtohead.describe.home import find_home
from headtohead.model.errors import WordsError
from headtohead.model.external.published import Computed, Figure, Published
from headtohead.report.terminal.published_figures import names_of, render_published
from headtohead.store.convert import to_json


def command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A source or a benchmark. Default: list all.")] = "",
    *,
    json: JsonOption = False,
) -> None:
    """List figures, percentages and prices that articles printed.

    Also list which workloads are of the same kind.
    """
    found = read_published(find_home())
    known = names_of(found)
    if name and name not in known:
        why = "No source and no benchmark has that name."
        raise WordsError(f"published {name}", why=why, remedy=f"Name one of: {', '.join(known)}.")
    if json:
        print(to_json(_chosen(found, name)), end="")
    else:
        print(render_published(found, name, **look(sys.stdout)), end="")


def _chosen(found: Published, name: str) -> Mapping[str, Any]:
    def of(every: Sequence[Figure | Computed]) -> list[Figure | Computed]:
        return [each for each in every if name in ("", each.source, each.benchmark)]

    facts = [each for each in found.facts if name in ("", each.source)]
    return {
        "figures": of(found.figures),
        "computed": of(found.computed),
        "facts": facts,
        "alike": found.alike,
        "unlike": found.unlike,
    }
