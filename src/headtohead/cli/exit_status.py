"""What continuous integration takes from a study: its exit status, a JUnit document, a summary in Markdown."""

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from headtohead.cli.main import INTERRUPTED
from headtohead.model.analysis.results import Analysis
from headtohead.model.errors import WordsError
from headtohead.report.formats.continuous_integration import junit, pull_request
from headtohead.store.durable import whole

NOT_MEASURED = 1
WORSE = 3


class StudyInterrupted(SystemExit):
    """The end of a study that was interrupted, and that has printed what is kept of it."""

    def __init__(self) -> None:
        super().__init__(INTERRUPTED)


class FailIf(Enum):
    """A verdict that the caller calls a failure."""

    WORSE = "worse"


FailIfOption = Annotated[
    FailIf | None,
    typer.Option(help=f"Exit with {WORSE} if a comparison has this verdict: a later level is worse than the first."),
]


JunitOption = Annotated[
    Path | None, typer.Option("--junit", metavar="FILE", help="Write the verdicts to this file as JUnit XML.")
]
MarkdownOption = Annotated[
    Path | None, typer.Option("--markdown", metavar="FILE", help="Write a summary for a pull request to this file.")
]

WaitOption = Annotated[
    bool, typer.Option("--wait", help="Wait for the end of another measurement here, and up to 10 minutes for quiet.")
]

TolerateNoiseOption = Annotated[
    bool,
    typer.Option(
        "--tolerate-noise", help="Let runs count that other programs or the hypervisor disturbed, and give no verdict."
    ),
]


def ask_verdicts(fail_if: FailIf | None, *, tolerate_noise: bool) -> None:
    """Raise WordsError if a verdict is to be a failure, and none will be given."""
    if fail_if is not None and tolerate_noise:
        raise WordsError(
            "--fail-if with --tolerate-noise",
            why="Where noise is tolerated no verdict is given, so that nothing could ever fail.",
            remedy="Leave out one of the two.",
        )


def ask_writable(*files: Path | None) -> None:
    """Raise WordsError if the folder of a named file does not exist: that is found out before anything starts."""
    for each in files:
        if each is not None and not each.parent.is_dir():
            raise WordsError(
                f"{each} cannot be written", why=f"There is no folder {each.parent}.", remedy="Make it first."
            )


def write_verdicts(analysis: Analysis, *, as_junit: Path | None, as_markdown: Path | None) -> None:
    """Write the verdicts to the named files."""
    if as_junit is not None:
        whole(as_junit, junit(analysis))
    if as_markdown is not None:
        whole(as_markdown, pull_request(analysis))


def reason(code: int, fail_if: FailIf) -> str:
    """Return why a command that was given ``--fail-if`` ends with this status, as its last line."""
    why = {WORSE: f"one was found to be {fail_if.value}", 0: f"none was found to be {fail_if.value}"}
    return f"Exit status {code}: {why.get(code, 'something failed, or was not measured')} (--fail-if {fail_if.value})."


def exit_code(analysis: Analysis, *, fail_if: FailIf | None = None) -> int:
    """Return 0 if every comparison was measured, 1 if something failed or was not measured.

    With ``fail_if``, return 3 if a comparison has that verdict, even if another one was not measured.
    """
    verdicts = [each.verdict for experiment in analysis.experiments for each in experiment.comparisons]
    if fail_if is not None and fail_if.value in verdicts:
        return WORSE
    lost = any(each.dropped or not each.runs_valid for one in analysis.experiments for each in one.treatments)
    return NOT_MEASURED if lost or not analysis.complete or "not-measured" in verdicts else 0
