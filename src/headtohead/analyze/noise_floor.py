"""The noise floor: a long series of one subject, replayed as many short comparisons with itself."""

import statistics
from collections.abc import Iterator

import numpy as np

from headtohead.analyze.samples.values_from_records import values_of
from headtohead.analyze.statistics.binomial import most_by_chance, shares_held
from headtohead.analyze.statistics.paired import Floats, blocking_gain, center_and_half_width, detectable
from headtohead.analyze.verdicts.when_to_stop import look_reached
from headtohead.analyze.verdicts.winner import verdict_of
from headtohead.model.analysis.estimates import Key
from headtohead.model.case import WHOLE_RUN
from headtohead.model.errors import RecordError
from headtohead.model.machine.noise import NoiseFloor, steady
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import Recording

LOOKS = (6, 10)
ALPHA = 0.028
"""Interim analyses of a short study, and the level of each (METHOD.md 2.3); more would leave few places to start."""
ARMS = 2
LEAST_RUNS = 2 * ARMS * LOOKS[-1]
"""Fewer runs repeat the same comparisons; 200 are needed (METHOD.md 1.5)."""
SEED = 20261120


def replay(recording: Recording, *, comparisons: int = 1000) -> NoiseFloor:
    """Return the noise floor from a results folder of a subject compared with itself.

    Each comparison takes consecutive runs from a random place, two for each block, chooses at random which of them is
    the baseline, and is judged at the interim analyses and levels of a study without margin. Invalid runs are left out.

    Raises RecordError if the treatments differ in more than their label, or there are too few runs.
    """
    experiment = _against_itself(recording)
    own = [each for each in recording.runs if each.run.experiment == experiment.name and each.run.status == "valid"]
    measured = [values_of(experiment, each).get(Key(WHOLE_RUN, experiment.primary.name)) for each in own]
    values = np.asarray([each for each in measured if each is not None and each > 0], dtype=np.float64)
    if len(values) < LEAST_RUNS:
        raise RecordError(
            f"{recording.name} is too short for a noise floor",
            why=f"It holds {len(values)} valid runs of {experiment.name}; {LEAST_RUNS} are the least, 200 are needed.",
            remedy="Run the study noise, which makes 200: `headtohead run noise`.",
        )
    drawn = list(_drawn(np.log(values), comparisons))
    logs = [other - baseline for baseline, other in drawn]
    false = sum(_names_a_winner(each) for each in logs)
    gains = [gain for baseline, other in drawn if (gain := blocking_gain(baseline, other)) is not None]
    return NoiseFloor(
        folder=recording.name,
        experiment=experiment.name,
        subject=experiment.treatments[0].subject,
        began=min(each.run.started_at for each in own),
        runs=len(values),
        looks=LOOKS,
        comparisons=comparisons,
        false_winners=false,
        detectable=tuple(statistics.median(detectable(each[:look], alpha=ALPHA) for each in logs) for look in LOOKS),
        spread=statistics.median(float(each.std(ddof=1)) for each in logs),
        blocking_gain=statistics.median(gains) if gains else None,
        facts=steady(recording.hosts),
        false_interval=shares_held(false, comparisons),
        most_by_chance=most_by_chance(comparisons),
    )


def _against_itself(recording: Recording) -> PlannedExperiment:
    """Return the experiment whose two treatments differ only in their label."""
    for experiment in recording.plan.experiments:
        if len(experiment.treatments) == ARMS and experiment.treatments[0].alike(experiment.treatments[1]):
            return experiment
    raise RecordError(
        f"{recording.name} has no noise floor",
        why="None of its experiments sets a subject against itself.",
        remedy="Run the study noise and name its results: `headtohead run noise`.",
    )


def _drawn(logs: Floats, comparisons: int) -> Iterator[tuple[Floats, Floats]]:
    """Yield baseline and other of each comparison, in the order of the blocks."""
    chance, length = np.random.Generator(np.random.PCG64(SEED)), ARMS * LOOKS[-1]
    for _ in range(comparisons):
        start = int(chance.integers(0, len(logs) - length + 1))
        blocks = logs[start : start + length].reshape(LOOKS[-1], ARMS)
        which = chance.integers(0, ARMS, size=LOOKS[-1])
        place = np.arange(LOOKS[-1])
        yield blocks[place, which], blocks[place, 1 - which]


def _names_a_winner(logs: Floats) -> bool:
    """Return whether some interim analysis excludes 1, without a margin."""

    def decided_at(place: int) -> bool:
        look = LOOKS[place]
        center, half = center_and_half_width(logs[:look], alpha=ALPHA)
        verdict = verdict_of(float(center), float(half), n=look, matters=1.0, better="higher")
        return verdict.verdict in ("better", "worse")

    return look_reached(LOOKS, done=LOOKS[-1], decided_at=decided_at)[1]
