"""``--more``: add blocks to a study that has ended without a verdict."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated

import typer

from headtohead.analyze.verdicts.when_to_stop import stop_decision, why_stopped
from headtohead.cli.wiring import say
from headtohead.model.errors import WordsError
from headtohead.model.plan import AddedBlocks, Plan
from headtohead.model.record import Recording
from headtohead.model.rules import FEWEST_ADDED
from headtohead.plan.more_blocks import more_blocks
from headtohead.report.text.wording import listed
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
OnlyOption = Annotated[
    list[str] | None,
    typer.Option(metavar="EXPERIMENT", help="With --more: go on with this experiment alone (repeatable)."),
]


def ask_only(only: Collection[str] | None, more: int | None) -> None:
    """Raise WordsError if experiments are named that nothing is added to."""
    if only and more is None:
        raise WordsError("run", why="--only names what --more goes on with.", remedy="Add --more N.")


def with_more_blocks(study: bytes, results: Path, plan: Plan, *, blocks: int, only: Collection[str] = ()) -> Layout:
    """Return the newest ended results folder of a study, which may now go on; raises WordsError if there is none.

    An experiment that ran out of time goes on to its planned analyses; one that reached the last gets another. ``only``
    names those that go on; without a name all do.
    """
    only = sorted(set(only))
    _ask_known(only, plan)
    for found in sorted(results.glob("*/end.json"), key=lambda each: each.stat().st_mtime, reverse=True):
        layout = Layout(found.parent)
        if _is_of(layout, study, plan):
            recording = read.recording(layout.root)
            _ask_as_recorded(layout, recording)
            why = {name: each for name, each in _undecided(recording).items() if not only or name in only}
            if not why:
                raise WordsError(
                    f"Nothing to add in {layout.root}",
                    why=f"Each comparison{f' of {listed(only)}' if only else ''} has a verdict, or cannot be measured.",
                    remedy=f"Leave out --{'only' if only else 'more to begin anew'}.",
                )
            last = [name for name, each in why.items() if each == "last-look"]
            earlier = read_more(layout) or AddedBlocks(())
            added = more_blocks(recording.plan, experiments=last, blocks=blocks, earlier=earlier.more)
            add_more(layout, added, only=only)
            if ended := [each for each in only if each not in why]:
                say(f"Nothing is added to {listed(ended)}: no comparison of it is open.")
            if len(last) < len(why):
                say("Its time limit had ended it: it goes on to its planned checks, which no limit ends.")
            return layout
    raise WordsError(
        "--more without ended results",
        why=f"No folder in {results} has ended results of this study, by this version and on these CPUs.",
        remedy="Leave out --more: the study begins, or goes on.",
    )


def _ask_known(only: Sequence[str], plan: Plan) -> None:
    known = [each.name for each in plan.experiments]
    if unknown := [each for each in only if each not in known]:
        raise WordsError(
            f"--only {unknown[0]}",
            why="The study has no experiment of that name here.",
            remedy=f"It has {listed(known)}.",
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
