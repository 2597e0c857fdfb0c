"""When an experiment may stop: at the first interim analysis where every comparison is decided.

The session and the analysis agree: both use the functions of this file, and an interim analysis uses its own blocks
only.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from headtohead.analyze.samples import valid_values
from headtohead.analyze.samples.complete_blocks_and_dropped_treatments import (
    complete,
    dropped,
    why_dropped,
    within,
)
from headtohead.analyze.samples.valid_values import Samples
from headtohead.analyze.verdicts import compare
from headtohead.analyze.verdicts.compare import Progress
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import Recorded


@dataclass(frozen=True)
class StopDecision:
    """The samples that count, the interim analysis they belong to, and whether every comparison is decided there."""

    progress: Progress
    samples: Samples
    decided: bool


def decided(experiment: PlannedExperiment, runs: Sequence[Recorded], look: int) -> bool:
    """Return whether every comparison has a verdict after ``look`` blocks (not inconclusive), or cannot be measured.

    ``look`` is a number of blocks, one of the experiment's looks (ValueError for any other). False while the blocks are
    not all complete. Runs of later blocks make no difference.
    """
    place = experiment.looks.index(look)
    done = complete(experiment, runs)
    return len(done) >= look and _at(experiment, runs, place=place).decided


def look_reached(looks: Sequence[int], *, done: int, decided_at: Callable[[int], bool]) -> tuple[int | None, bool]:
    """Return the place of the interim analysis that ``done`` complete blocks have reached, and whether it decides.

    It is the first one that decides, else the last one reached; None before the first.
    """
    passed: int | None = None
    for place, look in enumerate(looks):
        if look > done:
            break
        passed = place
        if decided_at(place):
            return place, True
    return passed, False


def stop_decision(experiment: PlannedExperiment, runs: Sequence[Recorded]) -> StopDecision:
    """Return what the blocks so far decide; nothing before the first interim analysis."""
    done = complete(experiment, runs)
    place, _ = look_reached(
        experiment.looks, done=len(done), decided_at=lambda each: _at(experiment, runs, place=each).decided
    )
    return _at(experiment, runs, place=place)


def why_stopped(at: StopDecision, recorded: str | None) -> str:
    """Return why no more blocks are run: decided, last-look, nothing-to-compare, out-of-time; or unfinished.

    ``recorded`` is the session's reason, None while the study runs: only the session knows that time ran out, or that
    it gave up every comparison. An experiment that it recorded as decided, and whose runs no longer decide
    it, has lost some since.
    """
    experiment = at.samples.experiment
    if at.progress.look is not None:
        if not experiment.comparisons:
            return "nothing-to-compare"
        if at.decided:
            return "decided"
        if at.progress.look == experiment.looks[-1]:
            return "last-look"
    return recorded if recorded in ("out-of-time", "nothing-to-compare") else "unfinished"


def _at(experiment: PlannedExperiment, runs: Sequence[Recorded], *, place: int | None) -> StopDecision:
    done = complete(experiment, runs)
    look = None if place is None else experiment.looks[place]
    chosen = within(runs, experiment, blocks=done[:look])
    gone = {each: why_dropped(chosen, each) for each in dropped(experiment, chosen)}
    progress = Progress(blocks=len(done[:look]), look=look, place=place, dropped=gone)
    gathered = valid_values.gather(experiment, chosen, error=compare.error_at(experiment, place))
    settled = place is not None and compare.all_decided(experiment.comparisons, gathered, progress=progress)
    return StopDecision(progress=progress, samples=gathered, decided=settled)
