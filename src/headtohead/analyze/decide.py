"""When an experiment may stop: at the first look where every comparison is decided.

The session and the analysis agree, because both use the functions of this file and each look sees its own blocks only.
"""

import datetime
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from headtohead.analyze import blocks, compare, samples
from headtohead.analyze.compare import Stand
from headtohead.analyze.samples import Samples
from headtohead.model.plan import Plan, PlannedExperiment
from headtohead.model.record import Recorded

BETWEEN_RUNS_S = 120.0
"""A longer pause between two runs is an interruption of the study, not time that it took."""

TIME_TOLD = 0.9
"""Share of a time limit beyond which a study that ended at a look is held to have run out of time: starting the
session and preparing data also count for the limit, and leave no trace in the runs."""


@dataclass(frozen=True)
class Stop:
    """Where an experiment stands: the samples that count, the look they belong to, and whether all is decided there."""

    stand: Stand
    samples: Samples
    decided: bool


def decided(experiment: PlannedExperiment, runs: Sequence[Recorded], look: int) -> bool:
    """Tell whether, after ``look`` blocks, every comparison has a verdict (not inconclusive) or cannot be measured.

    ``look`` is a number of blocks, one of the experiment's looks (ValueError for any other). False while the blocks
    are not all complete; runs of later blocks make no difference.
    """
    place = experiment.looks.index(look)
    done = blocks.complete(experiment, runs)
    return len(done) >= look and _at(experiment, runs, place).decided


def walk(looks: Sequence[int], *, done: int, decided_at: Callable[[int], bool]) -> tuple[int | None, bool]:
    """Return the place of the look at which an experiment of ``done`` complete blocks stands, and if it is decided.

    It is the first look that is decided, else the last one passed; None before the first.
    """
    passed: int | None = None
    for place, look in enumerate(looks):
        if look > done:
            break
        passed = place
        if decided_at(place):
            return place, True
    return passed, False


def stop(experiment: PlannedExperiment, runs: Sequence[Recorded]) -> Stop:
    """Return where the experiment stands; before its first look all complete blocks count, and nothing is decided."""
    done = blocks.complete(experiment, runs)
    place, _ = walk(experiment.looks, done=len(done), decided_at=lambda each: _at(experiment, runs, each).decided)
    return _at(experiment, runs, place)


def why_stopped(plan: Plan, at: Stop, *, runs: Sequence[Recorded]) -> str:
    """Return why no more blocks are made: decided, last-look, nothing-to-compare, out-of-time; or unfinished.

    ``runs`` are those of the whole study: its time limit is told from what all of them took.
    """
    experiment = at.samples.experiment
    if at.stand.look is None:
        return "unfinished"
    if not experiment.comparisons:
        return "nothing-to-compare"
    if at.decided:
        return "decided"
    if at.stand.look == experiment.looks[-1]:
        return "last-look"
    return "out-of-time" if _out_of_time(plan, experiment, runs) else "unfinished"


def took_s(runs: Sequence[Recorded]) -> float:
    """Return how long these runs took, in seconds, with the short pauses between them, without interruptions."""
    spans = []
    for each in runs:
        begin = datetime.datetime.fromisoformat(each.run.started_at).timestamp()
        spans.append((begin, begin + max((phase.to_ns for phase in each.run.phases), default=0) / 1e9))
    spans.sort()
    pauses = (after[0] - before[1] for before, after in itertools.pairwise(spans))
    return sum(end - begin for begin, end in spans) + sum(pause for pause in pauses if 0 < pause < BETWEEN_RUNS_S)


def _out_of_time(plan: Plan, experiment: PlannedExperiment, runs: Sequence[Recorded]) -> bool:
    own = [each for each in runs if each.run.experiment == experiment.name]
    done = len(blocks.complete(experiment, own))
    own_s = took_s(own)
    upcoming = next((look for look in experiment.looks if look > done), done)
    ahead_s = own_s / max(1, done) * (upcoming - done)
    limits = ((plan.within_min, took_s(runs)), (experiment.within_min, own_s))
    return any(limit is not None and spent_s + ahead_s > TIME_TOLD * 60 * limit for limit, spent_s in limits)


def _at(experiment: PlannedExperiment, runs: Sequence[Recorded], place: int | None) -> Stop:
    done = blocks.complete(experiment, runs)
    look = None if place is None else experiment.looks[place]
    chosen = blocks.within(runs, experiment, blocks=done[:look])
    stand = Stand(
        blocks=len(done[:look]), look=look, place=place, dropped=frozenset(blocks.dropped(experiment, chosen))
    )
    gathered = samples.gather(experiment, chosen)
    settled = place is not None and compare.all_ruled(experiment.comparisons, gathered, stand)
    return Stop(stand=stand, samples=gathered, decided=settled)
