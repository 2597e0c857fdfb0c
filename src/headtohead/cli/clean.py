"""`headtohead clean`: remove leftovers of killed runs."""

from typing import Annotated

import typer

from headtohead.hosts.supervise.sweep import clean


def command(
    *,
    caches: Annotated[
        bool,
        typer.Option(
            "--caches", help="Also remove data sets, prepared copies, builds and programs kept for the next study."
        ),
    ] = False,
) -> None:
    """Remove leftovers of killed runs.

    These are processes, cgroups and directories.
    """
    removed = clean(caches=caches)
    print("\n".join(str(each) for each in removed) if removed else "Nothing was left behind.")
