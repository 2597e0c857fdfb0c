"""What the plan left out, with the reasons."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from headtohead.model.plan import LeftOut
from headtohead.report.context import StudyContext
from headtohead.report.document import Blocks, Section, Span, Terms, Text
from headtohead.report.text.verdicts import as_sentence

_ANCHOR, _TITLE = "left-out", "Left out"


@dataclass(frozen=True)
class LeftOutText:
    """What was left out, and why."""

    what: str
    reason: str


def left_out_text(left_out: LeftOut) -> LeftOutText:
    """Return what was left out and why, as text."""
    what = f"{left_out.experiment}: {left_out.treatment}" if left_out.treatment else left_out.experiment
    return LeftOutText(what, as_sentence(left_out.reason))


def left_out_blocks(every: Sequence[LeftOut]) -> Blocks:
    """Yield one line that names what was left out and leads to the reasons; nothing if nothing was."""
    if every:
        names = ", ".join(left_out_text(each).what for each in every)
        yield Text(f": {names}.", "left-out", (Span(_TITLE, target=_ANCHOR),))


def left_out_section(study: StudyContext) -> Iterator[Section]:
    """Yield the section with the reason for each; nothing if nothing was left out."""
    lines = [left_out_text(each) for each in study.analysis.left_out]
    if lines:
        yield Section(_TITLE, (Terms(tuple((each.what, each.reason) for each in lines)),), anchor=_ANCHOR, folded=True)
