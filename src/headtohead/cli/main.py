"""The command `headtohead`: its subcommands, and the output when one of them fails."""

import os
import sys
from typing import Annotated

import typer

from headtohead import __version__
from headtohead.cli import check, clean, compare, host, list_, noise, published, report, run, setup, verify
from headtohead.hosts.paths import cache_dir
from headtohead.model.errors import HeadToHeadError, HostError
from headtohead.report.terminal import summary

INTERRUPTED = 130
"""The exit status that typer uses for Ctrl-C."""

app = typer.Typer(
    name="headtohead",
    help="Which of these servers is faster, by how much, how sure are we, and why?",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("check")(check.command)
app.command("setup")(setup.command)
app.command("run")(run.command)
app.command("report")(report.command)
app.command("compare")(compare.command)
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


def main() -> None:
    """Run the command line; exit 0, 1 (something failed or was not measured) or 2 (the input was wrong)."""
    os.environ.setdefault("MPLCONFIGDIR", str(cache_dir() / "matplotlib"))  # its font cache, kept next to ours
    try:
        app(prog_name="headtohead")
    except HeadToHeadError as error:
        print(summary.render_error(error, color=sys.stderr.isatty()), file=sys.stderr, end="")
        sys.exit(error.exit_code)
    except OSError as error:
        failed = HostError(
            f"{error.filename or 'A file'} cannot be read or written",
            why=f"{error.strerror or error}.",
            remedy="Check that the file exists, its owner, and the disk space. Completed runs are kept.",
        )
        print(summary.render_error(failed, color=sys.stderr.isatty()), file=sys.stderr, end="")
        sys.exit(failed.exit_code)
    except SystemExit as ended:
        if ended.code != INTERRUPTED:
            raise
        print("Interrupted; nothing was left behind.", file=sys.stderr)
        sys.exit(1)
