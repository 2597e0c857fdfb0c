"""`headtohead clean`: remove leftovers of killed runs, and what setup and earlier studies keep."""

import os
import sys
from typing import Annotated

import typer

from headtohead.cli.wiring import say
from headtohead.hosts.local import LocalHost
from headtohead.hosts.software import packages as debian
from headtohead.hosts.software import removal
from headtohead.hosts.supervise.sweep import clean
from headtohead.model.errors import HostError


def command(
    *,
    caches: Annotated[
        bool,
        typer.Option(
            "--caches", help="Also remove data sets, prepared copies, builds and programs kept for the next study."
        ),
    ] = False,
    packages: Annotated[
        bool, typer.Option("--packages", help="Also remove the packages that setup installed, and no others.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    """Remove leftovers of killed runs.

    These are processes, cgroups and directories.
    """
    removed = clean(caches=caches)
    print("\n".join(str(each) for each in removed) if removed else "Nothing was left behind.")
    if packages:
        _remove_packages(yes=yes)


def _remove_packages(*, yes: bool) -> None:
    """Remove what setup installed, after showing it; its services were disabled when it was installed."""
    host = LocalHost()
    names = removal.removable(host)
    if not names:
        say("No package that setup installed is left.")
        return
    say(f"Setup installed {', '.join(names)}. Their configuration files and data stay.")
    if not yes and not typer.confirm("Remove them?", err=True):
        raise HostError("Nothing was removed", why="You answered no.", remedy="Run clean again when you want it.")
    prefix = debian.privilege(root=os.geteuid() == 0, terminal=sys.stdin.isatty())
    removal.remove(names, host=host, show=say, prefix=prefix)
