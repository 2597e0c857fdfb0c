"""The results folder in which a study goes on, or the name of a new one, and that it is still there."""

import itertools
from collections.abc import Sequence
from pathlib import Path

from headtohead.cli.wiring import say
from headtohead.model.errors import RecordError
from headtohead.model.plan import Plan
from headtohead.model.record import Recorded
from headtohead.store import read
from headtohead.store.convert import read_document, read_text, to_json
from headtohead.store.layout import Layout
from headtohead.store.proof.inspection import emptied

MOST_NAMED = 5


def folder_for(study: bytes, results: Path, *, plan: Plan, base: str) -> tuple[Layout, bool]:
    """Return the newest unfinished folder of this study and plan, and True; else a free one named ``base``, and False.

    The plan records the version, the CPUs and the content of workloads: a study begun with others is not resumed.
    """
    for found in sorted(results.glob("*/plan.json"), key=lambda each: each.stat().st_mtime, reverse=True):
        layout = Layout(found.parent)
        finished = layout.end.exists() and layout.markdown.exists()
        if not finished and layout.study.is_file() and layout.study.read_bytes() == study:
            why = _why_other(layout, plan)
            if not why:
                return layout, True
            say(f"{layout.root} is unfinished, but {why}: it stays as it is.")
    names = (base if number == 1 else f"{base}-{number}" for number in itertools.count(1))
    return Layout(next(results / name for name in names if not (results / name / "plan.json").exists())), False


def _why_other(layout: Layout, plan: Plan) -> str:
    """Return why a folder cannot be resumed with this plan; empty if it can."""
    try:
        if read_text(layout.plan, within=layout.root) != to_json(plan):
            read_document(layout.plan, Plan, within=layout.root)
            return "of another version, machine or workload"
    except RecordError as error:
        return f"its plan.json is damaged ({error.why.rstrip('.')})"
    try:
        if emptied(layout):
            return ""
        proof = read.recording(layout.root).proof
    except RecordError as error:
        return f"not as it was recorded ({error.what}: {error.why.rstrip('.')})"
    return f"not as it was recorded ({proof.flaws[0]})" if proof and proof.flaws else ""


def ask_kept(layout: Layout, runs: Sequence[Recorded]) -> None:
    """Raise RecordError if the folder of a run that this study made, or found, is no longer there."""
    lost = layout.vanished(each.run.run for each in runs)
    if lost:
        more = f" and {len(lost) - MOST_NAMED} more" if len(lost) > MOST_NAMED else ""
        names = ", ".join(layout.run(each).name for each in lost[:MOST_NAMED])
        raise RecordError(
            f"{layout.runs}/{names}{more} vanished while the study ran",
            why="Somebody else removed or renamed what belongs to finished runs.",
            remedy="Put the folders back, then run the study again: it resumes.",
        )
