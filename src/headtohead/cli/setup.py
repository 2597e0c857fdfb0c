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
    subjects = {name: each for path in studies for name, each in read_question(path).subjects.items()}
    wanted = {name: found for name, each in subjects.items() if (found := packages.missing(each, host=host))}
    for name, found in wanted.items():
        say(f"{name} needs {', '.join(found)}, to be installed from Debian (no service is started).")
    if not wanted:
        say("All packages are there.")
    elif not yes and not typer.confirm("Install them?", err=True):
        raise HostError("Nothing was installed", why="You said no.", remedy="Run setup again when you want them.")
    refused = _install(wanted)
    account.ensure_user(host, show=say)
    if refused:
        raise HostError(
            f"{', '.join(refused)} cannot be measured here",
            why=" ".join(f"{name}: {error.what}, {error.why}" for name, error in refused.items()),
            remedy="Studies that call them optional run without; for the others, see what apt says.",
        )


def _install(wanted: dict[str, tuple[str, ...]]) -> dict[str, HostError]:
    """Install each subject's packages for itself, so that one that cannot be had does not keep out the others."""
    refused = {}
    for name, found in wanted.items():
        try:
            prefix = packages.privilege(root=os.geteuid() == 0, terminal=sys.stdin.isatty())
            packages.install(found, host=LocalHost(), prefix=prefix, show=say)
        except HostError as error:
            refused[name] = error
    return refused
