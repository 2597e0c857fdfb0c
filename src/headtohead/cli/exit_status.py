"""The exit status of a study: from its verdicts, and from what the caller calls a failure."""

from enum import Enum
from typing import Annotated

import typer

from headtohead.model.analysis.results import Analysis

NOT_MEASURED = 1
WORSE = 3


class FailIf(Enum):
    """A verdict that the caller calls a failure."""

    WORSE = "worse"


FailIfOption = Annotated[
    FailIf | None,
    typer.Option(help=f"Exit with {WORSE} if a comparison has this verdict: a later level is worse than the first."),
]


def exit_code(analysis: Analysis, *, fail_if: FailIf | None = None) -> int:
    """Return 0 if every comparison has a verdict, 1 if something failed or was not measured.

    With ``fail_if``, return 3 if a comparison has that verdict, even if another one was not measured.
    """
    verdicts = [each.verdict for experiment in analysis.experiments for each in experiment.comparisons]
    if fail_if is not None and fail_if.value in verdicts:
        return WORSE
    lost = any(each.dropped or not each.runs_valid for one in analysis.experiments for each in one.treatments)
    return NOT_MEASURED if lost or not analysis.complete or "not-measured" in verdicts else 0
