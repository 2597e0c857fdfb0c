"""`headtohead setup STUDY...`: install what the subjects need, after showing it."""

import contextlib
import os
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from headtohead.cli.bench import BenchOption, reached
from headtohead.cli.setup import sources
from headtohead.cli.setup.userlands import announce, make_all, makers_lacking, wanted_userlands
from headtohead.cli.wiring import ContentOption, Question, read_question, say
from headtohead.describe.bench import read_bench
from headtohead.describe.home import find_home
from headtohead.hosts.host import Host
from headtohead.hosts.local import LocalHost
from headtohead.hosts.software import packages, subjects_user
from headtohead.hosts.ssh.open_host import install, privilege
from headtohead.model.errors import HostError
from headtohead.model.machine.bench import Bench


def command(
    studies: Annotated[list[Path], typer.Argument(metavar="STUDY...", help="Studies whose packages are installed.")],
    *,
    content: ContentOption = None,
    bench: BenchOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    """Install the packages that studies need.

    Make the userlands that they name too, and fetch the sources of what they compile. Show all first, and ask for
    confirmation unless --yes is given. With --bench, install packages on its servers.
    """
    questions = [read_question(path, content=content or ()) for path in studies]
    if bench is not None:
        set_up(read_bench(bench, find_home()), questions, yes=yes)
        return
    host = LocalHost()
    packages.finish_killed(host=host, show=say)
    userlands = wanted_userlands(questions, host)
    wanted = {**_wanted(questions, host), **makers_lacking(userlands, host)}
    for name, found in wanted.items():
        say(f"{name} needs {', '.join(found)} from Debian (no service is started, and none is enabled).")
    fetched = sources.wanted_sources(questions, host)
    announce(userlands)
    sources.announce(fetched)
    if not wanted:
        say("All packages are installed.")
        if (userlands or fetched) and not yes:
            confirm()
    refused = _install(wanted, yes=yes) if wanted else {}
    user = subjects_user.ensure_user(host, show=say)
    if user is not None:
        refused |= make_all(userlands, host, user=user)
    refused |= sources.fetch_all(fetched, host)
    if refused:
        raise HostError(
            f"{', '.join(refused)} cannot be measured here",
            why=" ".join(f"{name}: {error.what}, {error.why}" for name, error in refused.items()),
            remedy="Experiments that are optional are left out. For the others, read the output of apt.",
        )


def confirm() -> None:
    """Ask for confirmation; HostError if the answer is no."""
    if not typer.confirm("Install them?", err=True):
        raise HostError("Nothing was installed", why="You answered no.", remedy="Run setup again when you want them.")


def set_up(bench: Bench, questions: Iterable[Question], *, yes: bool) -> None:
    """Install what the studies need on each server of a bench.

    Every machine is reached first, and every server that lacks packages lets us install them; else HostError.
    """
    questions = tuple(questions)
    with contextlib.ExitStack() as stack:
        hosts = {each: stack.enter_context(reached(each)) for each in bench.hosts}
        servers = [(each, host) for each, host in hosts.items() if each.role == "server"]
        lacking = {host.label: _wanted(questions, host) for _, host in servers}
        for _, host in servers:
            if lacking[host.label]:
                privilege(host)
        for label, wanted in lacking.items():
            for name, found in wanted.items():
                say(f"On {label}: {name} needs {', '.join(found)} from Debian (no service is started or enabled).")
            if not wanted:
                say(f"On {label}: all packages are installed.")
        if any(lacking.values()) and not yes:
            confirm()
        for _, host in servers:
            names = dict.fromkeys(each for found in lacking[host.label].values() for each in found)
            if names:
                install(names, host=host, show=partial(_say_on, host.label))
        for host in hosts.values():
            subjects_user.ensure_user(host, show=partial(_say_on, host.label), root=host.place.root)


def _say_on(label: str, text: str) -> None:
    say(f"On {label}: {text}")


def _wanted(questions: Iterable[Question], host: Host) -> dict[str, tuple[str, ...]]:
    """Return the packages that each subject lacks, including those of the levels in use."""
    found: dict[str, tuple[str, ...]] = {}
    for question in questions:
        for name, subject in question.subjects.items():
            lacking = packages.missing(subject, host=host, levels=question.levels(subject))
            if lacking:
                found[name] = tuple(dict.fromkeys((*found.get(name, ()), *lacking)))
    return found


def _install(wanted: dict[str, tuple[str, ...]], *, yes: bool) -> dict[str, HostError]:
    """Install all packages at once; if that fails, those of each subject separately, so that the others are installed.

    Each call of apt reads and writes its lists and runs the triggers of packages: one is far quicker than many.
    """
    everything = sorted({each for found in wanted.values() for each in found})
    prefix = packages.privilege(root=os.geteuid() == 0, terminal=sys.stdin.isatty(), names=everything)
    if not yes:
        confirm()
    install = partial(packages.install, host=LocalHost(), prefix=prefix, show=say)
    if len(wanted) > 1:
        try:
            install(everything)
        except HostError as error:
            say(f"{error.what}: the packages of each subject are installed separately.")
        else:
            return {}
    refused = {}
    for name, found in wanted.items():
        try:
            install(found)
        except HostError as error:
            refused[name] = error
    return refused
