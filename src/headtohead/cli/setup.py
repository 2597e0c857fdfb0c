"""`headtohead setup STUDY...`: install what the subjects need, after showing it."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from headtohead.cli.wiring import read_question, say
from headtohead.hosts import account, packages
from headtohead.hosts.local import LocalHost
from headtohead.model.errors import HostError


def command(
    studies: Annotated[list[Path], typer.Argument(metavar="STUDY...", help="Studies whose subjects are wanted.")],
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Install what the studies' subjects need, after showing it; asks, unless --yes."""
    host = LocalHost()
    wanted: dict[str, None] = {}
    for path in studies:
        for subject in read_question(path).subjects.values():
            wanted |= dict.fromkeys(packages.missing(subject, host=host))
    if not wanted:
        say("All packages are there.")
    else:
        say(f"To be installed from Debian: {', '.join(wanted)} (no service is started).")
        if not yes and not typer.confirm("Install them?", err=True):
            raise HostError("Nothing was installed", why="You said no.", remedy="Run setup again when you want them.")
        prefix = packages.privilege(root=os.geteuid() == 0, terminal=sys.stdin.isatty())
        packages.install(tuple(wanted), host=host, prefix=prefix, show=say)
    account.ensure_user(host, show=say)
