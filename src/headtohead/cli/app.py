"""The command `headtohead`: its subcommands, and the output when one of them fails."""

import errno
import os
import shutil
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from headtohead import __version__
from headtohead.cli.commands import check, clean, contract, host, list_, new, noise, published, setup
from headtohead.cli.commands import run as run_command
from headtohead.cli.commands.results import compare, history, report, verify
from headtohead.cli.exit_status import StudyInterrupted
from headtohead.cli.main import INTERRUPTED, NOTHING_LEFT
from headtohead.cli.race import command as race
from headtohead.cli.stopped_by_signals import ended_by_ctrl_c
from headtohead.cli.terminal import look
from headtohead.hosts.paths import cache_dir
from headtohead.model.errors import HeadToHeadError, HostError
from headtohead.report.terminal.lists_and_errors import render_error

FULL = (errno.ENOSPC, errno.EDQUOT)
MB = 1_000_000

app = typer.Typer(
    name="headtohead",
    help="Which of these servers is faster, by how much, how sure are we, and why?",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("race")(race.command)
app.command("new")(new.command)
app.command("check")(check.command)
app.command("test-content")(contract.command)
app.command("setup")(setup.command)
app.command("run")(run_command.command)
app.command("report")(report.command)
app.command("compare")(compare.command)
app.command("history")(history.command)
app.command("verify")(verify.command)
app.command("host")(host.command)
app.command("list")(list_.command)
app.command("noise")(noise.command)
app.command("published")(published.command)
app.command("clean")(clean.command)


def _version(asked: bool) -> None:
    if asked:
        print(f"headtohead {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Which of these servers is faster, by how much, how sure are we, and why?"""


def run() -> None:
    """Run the command line, with every failure in words, and exit."""
    os.environ.setdefault("MPLCONFIGDIR", str(cache_dir() / "matplotlib"))  # its font cache, kept next to ours
    try:
        with ended_by_ctrl_c():
            app(prog_name="headtohead")
    except HeadToHeadError as error:
        _fail(error)
    except OSError as error:
        _fail(_disk_full(error) if error.errno in FULL else _not_accessible(error))
    except KeyboardInterrupt:  # while typer still reads our commands, or in place of a library's error
        _leave()
    except StudyInterrupted:
        raise
    except SystemExit as ended:  # typer exits with this status on Ctrl-C
        if ended.code == INTERRUPTED:
            print(NOTHING_LEFT, file=sys.stderr)
        raise


def _leave() -> NoReturn:
    print(NOTHING_LEFT, file=sys.stderr)
    sys.exit(INTERRUPTED)


def _fail(error: HeadToHeadError) -> NoReturn:
    print(render_error(error, **look(sys.stderr)), file=sys.stderr, end="")
    sys.exit(error.exit_code)


def _not_accessible(error: OSError) -> HostError:
    return HostError(
        f"{error.filename or 'A file'} cannot be read or written",
        why=f"{error.strerror or error}.",
        remedy="Check that the file exists, its owner, and the disk space. Completed runs are kept.",
    )


def _disk_full(error: OSError) -> HostError:
    """Return the error for a full disk, with its mount point, its size and what is free on it."""
    path = Path(error.filename or Path.cwd()).absolute()
    there = next(each for each in (path, *path.parents) if each.exists())
    mount = next(each for each in (there, *there.parents) if each.is_mount())
    size = shutil.disk_usage(there)
    why = f"{size.free / MB:,.0f} of its {size.total / MB:,.0f} MB are free ({error.strerror})."
    remedy = "Free some space there, or name another folder with --results. Completed runs are kept."
    return HostError(f"The disk of {mount} is full: {path} cannot be written", why=why, remedy=remedy)
