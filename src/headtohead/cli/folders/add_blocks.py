"""``--more``: add blocks to a study that has ended without a verdict."""

from pathlib import Path
from typing import Annotated

import typer

from headtohead.analyze.verdicts.when_to_stop import stop_decision, why_stopped
from headtohead.cli.wiring import say
from headtohead.model.errors import WordsError
from headtohead.model.plan import Plan
from headtohead.model.record import Recording
from headtohead.model.rules import FEWEST_ADDED
from headtohead.plan.more_blocks import more_blocks
from headtohead.store import read
from headtohead.store.added_blocks import add_more, read_more
from headtohead.store.convert import read_text, to_json
from headtohead.store.layout import Layout

MOST = 100

MoreOption = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=FEWEST_ADDED,
        max=MOST,
        help="Add N blocks to the newest ended results of this study, if undecided.",
    ),
]


def with_more_blocks(study: bytes, results: Path, *, plan: Plan, blocks: int) -> Layout:
    """Return the newest ended results folder of a study, which may now go on; raises WordsError if there is none.

    An experiment that ran out of time goes on to its planned analyses; one that reached the last gets another.
    """
    for found in sorted(results.glob("*/end.json"), key=lambda each: each.stat().st_mtime, reverse=True):
        layout = Layout(found.parent)
        if _is_of(layout, study, plan):
            recording = read.recording(layout.root)
            _ask_as_recorded(layout, recording)
            why = _undecided(recording)
            if not why:
                raise WordsError(
                    f"Nothing to add in {layout.root}",
                    why="Each of its comparisons has a verdict, or cannot be measured.",
                    remedy="Leave out --more to begin anew.",
                )
            last = [name for name, each in why.items() if each == "last-look"]
            earlier = read_more(layout) or ()
            add_more(layout, more_blocks(recording.plan, experiments=last, blocks=blocks, earlier=earlier))
            if len(last) < len(why):
                say("Its time limit had ended it: it goes on to its planned checks, which no limit ends.")
            return layout
    raise WordsError(
        "--more without ended results",
        why=f"No folder in {results} has ended results of this study, by this version and on these CPUs.",
        remedy="Leave out --more: the study begins, or goes on.",
    )


def _is_of(layout: Layout, study: bytes, plan: Plan) -> bool:
    ours = layout.study.is_file() and layout.study.read_bytes() == study
    return ours and layout.plan.is_file() and read_text(layout.plan, within=layout.root) == to_json(plan)


def _ask_as_recorded(layout: Layout, recording: Recording) -> None:
    if recording.proof is not None and recording.proof.flaws:
        raise WordsError(
            f"{layout.root} cannot go on",
            why=f"It is not as it was recorded ({recording.proof.flaws[0]}).",
            remedy="Leave out --more to begin anew.",
        )


def _undecided(recording: Recording) -> dict[str, str]:
    """Return why each experiment ended that has no verdict yet and may get one."""
    ended = {
        each.name: why_stopped(
            stop_decision(each, recording.runs_of(each.name)), (recording.stopped or {}).get(each.name)
        )
        for each in recording.plan.experiments
    }
    return {name: why for name, why in ended.items() if why in ("last-look", "out-of-time")}
