"""An experiment as a whole: the input of everything that is looked for over all its runs."""

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from headtohead.analyze.runs.cpu_use_by_case import RunSeen
from headtohead.analyze.samples.valid_values import Samples
from headtohead.analyze.statistics.over_time.residual import Residual
from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.suite import Suite
from headtohead.model.finding import Finding
from headtohead.model.machine.host import HostFacts
from headtohead.model.plan import Comparison, PlannedExperiment, Treatment
from headtohead.model.proof import Proof
from headtohead.model.record import Recorded, Run

SECOND = 2
"""The attempt that repeats a run at the end of its block."""


@dataclass(frozen=True)
class Whole:
    """All runs of an experiment, what was seen of those that count, why it stopped, and its results so far.

    ``hosts`` are the machines, if they were described; ``comparisons`` have their verdicts before any is withheld.
    """

    experiment: PlannedExperiment
    runs: Sequence[Recorded]
    samples: Samples
    seen: Sequence[RunSeen]
    noticed: Sequence[Sequence[Finding]]
    """The findings of each of them alone, in the same order."""
    stopped: str
    hosts: Sequence[HostFacts] = ()
    comparisons: Sequence[ComparisonResult] = ()
    suites: Sequence[Suite] = ()
    proof: Proof | None = None
    """The result of checking the files that all this was read from; None if it never was in files."""
    same_rules: bool = False
    """Whether this version made the runs, so that the rules of today judged them."""

    def counting(self, label: str) -> Sequence[Recorded]:
        """Return the runs of a treatment that count, in order of their blocks."""
        return tuple(self.samples.counted.get(label, {}).values())

    def decided(self) -> Iterator[ComparisonResult]:
        """Yield the comparisons with a verdict of better or worse."""
        yield from (each for each in self.comparisons if each.verdict in ("better", "worse"))

    def pairs(self) -> Iterator[tuple[Comparison, Treatment, Treatment]]:
        """Yield each planned comparison with its two treatments, the baseline first."""
        arms = {each.label: each for each in self.experiment.treatments}
        for each in self.experiment.comparisons:
            if each.baseline in arms and each.other in arms:
                yield each, arms[each.baseline], arms[each.other]

    def primary(self, label: str) -> dict[int, float]:
        """Return the positive primary values of a treatment, by block."""
        return {block: value for block, value in self.samples.of(label, self.samples.primary).items() if value > 0}

    def _place(self, run: Run) -> int:
        """Return the place of a run in its block: a repetition is made after all the others."""
        return run.place if run.attempt != SECOND else run.place + len(self.experiment.treatments)

    def residuals(self) -> list[Residual]:
        """Return the residuals of every treatment except floors; treatments with a single value have none."""
        found = []
        made = {each.run.run: each.run.label for each in self.runs}
        for treatment in self.experiment.treatments:
            values = {} if treatment.floor else self.primary(treatment.label)
            if len(values) < 2:
                continue
            logs = {block: float(np.log(value)) for block, value in values.items()}
            mean = statistics.fmean(logs.values())
            runs = {block: each.run for block, each in self.samples.counted[treatment.label].items()}
            found += [
                Residual(b, self._place(runs[b]), treatment.label, log - mean, after=made.get(runs[b].run - 1))
                for b, log in logs.items()
            ]
        return found
