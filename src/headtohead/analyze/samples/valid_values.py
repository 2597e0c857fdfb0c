"""The valid values of an experiment: the input of the statistics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from headtohead.analyze.samples import values_from_records
from headtohead.analyze.samples.complete_blocks_and_dropped_treatments import by_block, dropped
from headtohead.analyze.samples.refused_quantiles import refused_quantiles
from headtohead.model.analysis.curves import RefusedQuantile
from headtohead.model.analysis.estimates import Key
from headtohead.model.case import WHOLE_RUN
from headtohead.model.errors import RecordError
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import Recorded, counting
from headtohead.model.rules import ERROR

LEAST, MOST = 1e-100, 1e100
"""A measured value is 0 or between these: ratios and squares of others are not finite numbers."""


@dataclass(frozen=True)
class Samples:
    """Values by treatment label, key and block, of the runs that count; quantiles only with enough requests."""

    experiment: PlannedExperiment
    values: Mapping[str, Mapping[Key, Mapping[int, float]]]
    counted: Mapping[str, Mapping[int, Recorded]]
    """The run that counts, by treatment label and block."""
    error: float = ERROR
    """The error that each family of intervals shares at this interim analysis."""
    refused: tuple[RefusedQuantile, ...] = ()
    """The quantiles, and summaries of them, for which some run that counts had too few requests."""

    @property
    def primary(self) -> Key:
        """Return the key on which verdicts rest."""
        return Key(WHOLE_RUN, self.experiment.primary.name)

    def of(self, label: str, key: Key) -> Mapping[int, float]:
        """Return a treatment's values of a key by block, in order of the blocks; empty if there are none."""
        return self.values.get(label, {}).get(key, {})

    def pairs(self, baseline: str, other: str, *, key: Key) -> list[tuple[float, float]]:
        """Return (baseline's value, other's value) of each block in which both are valid and positive."""
        left, right = self.of(baseline, key), self.of(other, key)
        return [(left[block], right[block]) for block in left if block in right and min(left[block], right[block]) > 0]


def gather(experiment: PlannedExperiment, runs: Sequence[Recorded], *, error: float = ERROR) -> Samples:
    """Return the samples of these runs; the caller chooses the blocks, and the error at their interim analysis.

    Raises RecordError for a value, or a margin, that no measurement has: results folders may be of others.
    """
    if not experiment.matters >= 1:
        raise RecordError(
            f"{experiment.name} cannot be analyzed",
            why=f"Its margin is a ratio of {experiment.matters:g}, and a margin is at least 1.",
            remedy="Copy the results folder again from where it was made: its plan.json was changed.",
        )
    values: dict[str, dict[Key, dict[int, float]]] = {}
    counted: dict[str, dict[int, Recorded]] = {}
    own = [each for labels in by_block(experiment, runs).values() for attempts in labels.values() for each in attempts]
    for (block, label), run in counting(own, gone=dropped(experiment, own)).items():
        counted.setdefault(label, {})[block] = run
    every = [run for blocks in counted.values() for run in blocks.values()]
    refused = refused_quantiles(experiment, every)
    without = {each.key for each in refused}
    for label, blocks in counted.items():
        for block, run in blocks.items():
            for key, value in values_from_records.values_of(experiment, run).items():
                if key not in without:
                    _refuse_impossible(value, run, key)
                    values.setdefault(label, {}).setdefault(key, {})[block] = value
    return Samples(experiment=experiment, values=values, counted=counted, error=error, refused=refused)


def _refuse_impossible(value: float, run: Recorded, key: Key) -> None:
    if value != 0 and not LEAST <= abs(value) <= MOST:
        raise RecordError(
            f"Run {run.run.run} of {run.run.experiment} cannot be analyzed",
            why=f"Its {key.metric} is {value:g}{f' in {key.case}' if key.case else ''}: no measurement has that.",
            remedy="Copy the results folder again from where it was made, or leave this run out.",
        )
