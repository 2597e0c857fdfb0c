"""`headtohead setup STUDY...`: install what the subjects need, after showing it."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from headtohead.cli.wiring import ContentOption, Question, read_question, say
from headtohead.hosts.host import Host
from headtohead.hosts.local import LocalHost
from headtohead.hosts.software import account, packages
from headtohead.model.errors import HostError


def command(
    studies: Annotated[list[Path], typer.Argument(metavar="STUDY...", help="Studies whose packages are installed.")],
    *,
    content: ContentOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    """Install the packages that studies need.

    Show them first, and ask for confirmation unless --yes is given.
    """
    host = LocalHost()
    wanted = _wanted([read_question(path, content=content or ()) for path in studies], host)
    for name, found in wanted.items():
        say(f"{name} needs {', '.join(found)} from Debian (no service is started, and none is enabled).")
    if not wanted:
        say("All packages are installed.")
    elif not yes and not typer.confirm("Install them?", err=True):
        raise HostError("Nothing was installed", why="You answered no.", remedy="Run setup again when you want them.")
    refused = _install(wanted)
    account.ensure_user(host, show=say)
    if refused:
        raise HostError(
            f"{', '.join(refused)} cannot be measured here",
            why=" ".join(f"{name}: {error.what}, {error.why}" for name, error in refused.items()),
            remedy="Experiments that are optional are left out. For the others, read the output of apt.",
        )


def _wanted(questions: Iterable[Question], host: Host) -> dict[str, tuple[str, ...]]:
    """Return the packages that each subject lacks, including those of the levels in use."""
    found: dict[str, tuple[str, ...]] = {}
    for question in questions:
        for name, subject in question.subjects.items():
            lacking = packages.missing(subject, host=host, levels=question.levels(subject))
            if lacking:
                found[name] = tuple(dict.fromkeys((*found.get(name, ()), *lacking)))
    return found


def _install(wanted: dict[str, tuple[str, ...]]) -> dict[str, HostError]:
    """Install the packages of each subject separately, so that one failure does not affect the others."""
    refused = {}
    for name, found in wanted.items():
        try:
            prefix = packages.privilege(root=os.geteuid() == 0, terminal=sys.stdin.isatty())
            packages.install(found, host=LocalHost(), prefix=prefix, show=say)
        except HostError as error:
            refused[name] = error
    return refused
