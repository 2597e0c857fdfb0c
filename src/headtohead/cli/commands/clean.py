"""`headtohead clean`: remove leftovers of killed runs, and what setup and earlier studies keep."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from headtohead.cli.bench import BenchOption, reached
from headtohead.cli.terminal import wrapped
from headtohead.cli.wiring import say
from headtohead.describe.bench import read_bench
from headtohead.describe.home import find_home
from headtohead.hosts.local import LocalHost
from headtohead.hosts.software import packages as debian
from headtohead.hosts.software import removal
from headtohead.hosts.supervise.remove_leftovers import Swept, clean
from headtohead.model.errors import HostError, WordsError


def command(
    *,
    caches: Annotated[
        bool,
        typer.Option(
            "--caches",
            help="Also remove data sets, prepared copies, sources, builds and programs kept for the next study.",
        ),
    ] = False,
    packages: Annotated[
        bool, typer.Option("--packages", help="Also remove the packages that setup installed, and no others.")
    ] = False,
    bench: BenchOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    """Remove leftovers of killed runs.

    These are processes, cgroups and directories. With --bench, do so on each machine of the bench.
    """
    if bench is not None:
        _clean_bench(bench, elsewhere_only=caches or packages)
        return
    removed = clean(caches=caches)
    print(wrapped("\n".join(map(_in_words, removed)) or "Nothing was left behind.", sys.stdout))
    if packages:
        _remove_packages(yes=yes)


def _clean_bench(path: Path, *, elsewhere_only: bool) -> None:
    if elsewhere_only:
        why = "Caches and packages are removed on this machine only."
        raise WordsError("clean", why=why, remedy="Leave out --bench, or --caches and --packages.")
    for each in read_bench(path, find_home()).hosts:
        with reached(each) as host:
            removed = host.sweep()
        lines = [f"{each.label}: {one}" for one in [*map(_in_words, removed)] or ["nothing was left behind"]]
        print(wrapped("\n".join(lines), sys.stdout))


def _in_words(swept: Swept) -> str:
    """Return what was done, as a line of its own; the text of what could not be removed has the reason."""
    return str(swept) if swept.why_not else f"Removed: {swept}"


def _remove_packages(*, yes: bool) -> None:
    """Remove what setup installed, after showing it; its services were disabled when it was installed."""
    host = LocalHost()
    debian.finish_killed(host=host, show=say)
    names = removal.removable(host)
    if not names:
        say("No package that setup installed is left.")
        return
    say(f"Setup installed {', '.join(names)}. Their configuration files and data stay.")
    if not yes and not typer.confirm("Remove them?", err=True):
        raise HostError("Nothing was removed", why="You answered no.", remedy="Run clean again when you want it.")
    prefix = debian.privilege(root=os.geteuid() == 0, terminal=sys.stdin.isatty(), removing=True)
    removal.remove(names, host=host, show=say, prefix=prefix)
