"""Whether a plan follows from its study, and each run's status from its readings, next to what the store finds."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from headtohead import __version__
from headtohead.analyze.findings import judge
from headtohead.describe.home import find_home
from headtohead.describe.study.figures import figures_in
from headtohead.describe.toml.position import Place
from headtohead.model import rules
from headtohead.model.errors import WordsError
from headtohead.model.plan import AddedBlocks, PlannedExperiment
from headtohead.model.proof import Flaw
from headtohead.model.record import Recorded, Recording
from headtohead.plan.contradictions import contradictions
from headtohead.plan.more_blocks import as_planned
from headtohead.store import read
from headtohead.store.added_blocks import read_more
from headtohead.store.layout import Layout
from headtohead.store.untrusted.plain_files import read_plain

_RULES = {each.id for each in rules.OF_RUNS}


def proved(recording: Recording, root: Path) -> Recording:
    """Return a recording with the flaws of its plan and of its judgments added to those of its files."""
    if recording.proof is None:
        return recording
    more = (*_of_plan(Layout(root)), *_of_end(recording), *_of_judgments(recording))
    return replace(recording, proof=replace(recording.proof, flaws=(*recording.proof.flaws, *more)))


def _of_plan(layout: Layout) -> Iterator[Flaw]:
    plan = read.planned(layout)
    yield from (Flaw(layout.more.name, says) for says in as_planned(plan, read_more(layout) or AddedBlocks(())))
    try:
        content = read_plain(layout.study, within=layout.root)
    except OSError:
        yield Flaw(layout.study.name, "is missing or cannot be read")
        return
    if hashlib.sha256(content).hexdigest() != plan.study_sha256:
        yield Flaw(layout.study.name, "is not the study that plan.json was made from: its SHA-256 differs")
        return
    try:
        figures = figures_in(content, home=find_home(), place=Place(layout.study.name))
    except WordsError as error:
        yield Flaw(layout.study.name, f"is not a study of this version: {error.why}")
        return
    for experiment, says in contradictions(plan, figures):
        yield Flaw(layout.plan.name, says, experiment)


def _of_end(recording: Recording) -> Iterator[Flaw]:
    """Yield the experiments that a time limit ended which they do not have."""
    for each in recording.plan.experiments if recording.plan.within_min is None else ():
        if each.within_min is None and (recording.stopped or {}).get(each.name) == "out-of-time":
            yield Flaw("end.json", f"has the time limit as the end of {each.name}, which has none", each.name)


def _of_judgments(recording: Recording) -> Iterator[Flaw]:
    """Yield the invalid runs that nothing in their own files makes so, by the rules that are in force.

    Other versions may have other rules, so their runs are not judged again. The analysis looks at the valid ones.
    """
    planned = {each.name: each for each in recording.plan.experiments}
    for each in recording.runs if recording.plan.version == __version__ else ():
        if each.run.status == "invalid" and not _has_reason(each, planned[each.run.experiment]):
            says = "is marked invalid, and nothing in its files makes it so"
            yield Flaw(f"runs/{each.run.run:04d}", says, each.run.experiment)


def _has_reason(recorded: Recorded, experiment: PlannedExperiment) -> bool:
    """Return whether a run has a reason that its files show, or that only the session saw (a level not read back)."""
    run = recorded.run
    shown = judge(replace(recorded, run=replace(run, status="valid", reasons=())), experiment).reasons
    found, noted = ({each.partition(":")[0] for each in reasons} for reasons in (shown, run.reasons))
    return bool(noted - (_RULES - found))
