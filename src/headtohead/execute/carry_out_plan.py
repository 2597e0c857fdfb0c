"""Carry out a plan: each experiment to its first interim analysis, then the undecided ones to their next."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from headtohead.model.plan import Plan, PlannedExperiment, PlannedRun
from headtohead.model.record import REPLACEMENT, Recorded

ATTEMPTS = (1, 2)
"""A run, and its repetition at the end of its block if it is not valid."""

Decided = Callable[[PlannedExperiment, Sequence[Recorded], int], bool]
"""Returns whether every comparison of the experiment has a verdict, or cannot have one, at that number of blocks."""

Dropped = Callable[[PlannedExperiment, Sequence[Recorded]], Mapping[str, int]]
"""Returns the treatments that are dropped, each with its last block."""


class Watcher(Protocol):
    """Receives the events of a session: the progress bar, or a test."""

    def began(self, experiment: PlannedExperiment, look: int, *, runs_done: int, runs_to_look: int) -> None:
        """Note that an experiment continues to its next interim analysis."""

    def making(self, experiment: PlannedExperiment, planned: PlannedRun, *, attempt: int) -> None:
        """Note that a run starts."""

    def made(self, experiment: PlannedExperiment, recorded: Recorded) -> None:
        """Note that a run has ended and is stored."""

    def ended(self, experiment: PlannedExperiment, why: str, *, runs: Sequence[Recorded]) -> None:
        """Note that an experiment has ended; ``runs`` are all of its runs."""


@dataclass(frozen=True)
class StoppingRules:
    """The rules that end an experiment or drop a treatment: made in ``analyze``, passed in by ``cli``."""

    decided: Decided
    dropped: Dropped
    permanent: Callable[[Recorded], object]
    """Returns whether each repetition of a run would fail alike."""


@dataclass
class Session:
    """One walk over a plan. ``runs`` has the stored runs, those of earlier sessions first.

    ``make`` carries out one planned run: (experiment, planned run, attempt, run number). ``clock_s`` is a monotonic
    clock; ``spent_s`` is the time of earlier sessions in this folder. Both are in seconds.
    """

    plan: Plan
    make: Callable[[PlannedExperiment, PlannedRun, int, int], Recorded]
    rules: StoppingRules
    watcher: Watcher
    clock_s: Callable[[], float]
    runs: list[Recorded] = field(default_factory=list)
    spent_s: float = 0.0

    def __post_init__(self) -> None:
        """Start the clock for the time limits."""
        self._began_s = self.clock_s() - self.spent_s

    def walk(self) -> Mapping[str, str]:
        """Carry out every remaining run; return why each experiment ended."""
        stopped: dict[str, str] = {}
        for stage in range(max((len(each.looks) for each in self.plan.experiments), default=0)):
            for experiment in self.plan.experiments:
                if experiment.name not in stopped and stage < len(experiment.looks):
                    self._to_look(experiment, stage, stopped)
        return stopped

    def _to_look(self, experiment: PlannedExperiment, stage: int, stopped: dict[str, str]) -> None:
        look = experiment.looks[stage]
        if stage > 0 and not self._time_for(experiment, look):
            self._stop(experiment, "out-of-time", stopped)
            return
        kept = self._of(experiment)
        todo = len([each for each in experiment.runs if each.block <= look])
        done = len({(each.run.block, each.run.place) for each in kept if each.run.block <= look})
        self.watcher.began(experiment, look, runs_done=done, runs_to_look=todo)
        for block in range(1, look + 1):
            if experiment.goes_on:
                self._block(experiment, block)
            if self._hopeless(experiment):
                self._stop(experiment, "nothing-to-compare", stopped)
                return
        self._replace(experiment, after=experiment.looks[stage - 1] if stage else 0, look=look)
        if not experiment.comparisons:
            self._stop(experiment, "nothing-to-compare", stopped)
        elif self.rules.decided(experiment, self._of(experiment), look):
            self._stop(experiment, "decided", stopped)
        elif look == experiment.looks[-1]:
            self._stop(experiment, "last-look", stopped)

    def _hopeless(self, experiment: PlannedExperiment) -> bool:
        """Return whether no comparison is left: of each a treatment failed in a way that no repetition mends."""
        failed = {each.run.label for each in self._of(experiment) if self.rules.permanent(each)}
        return bool(experiment.comparisons) and all({c.baseline, c.other} & failed for c in experiment.comparisons)

    def _stop(self, experiment: PlannedExperiment, why: str, stopped: dict[str, str]) -> None:
        stopped[experiment.name] = why
        self.watcher.ended(experiment, why, runs=self._of(experiment))

    def valid(self, experiment: PlannedExperiment, label: str) -> tuple[Recorded, ...]:
        """Return the valid runs of a treatment so far."""
        return tuple(each for each in self._of(experiment) if (each.run.label, each.run.status) == (label, "valid"))

    def _of(self, experiment: PlannedExperiment) -> list[Recorded]:
        return [each for each in self.runs if each.run.experiment == experiment.name]

    def _time_for(self, experiment: PlannedExperiment, look: int) -> bool:
        """Return whether the blocks up to ``look`` fit into the time limits; blocks short of it would be wasted."""
        ahead = look - len({each.run.block for each in self._of(experiment)})
        return ahead <= 0 or self._time_for_blocks(experiment, ahead)

    def _time_for_blocks(self, experiment: PlannedExperiment, ahead: int) -> bool:
        """Return whether this number of blocks more fits into the time limits, at the average time of a block."""
        kept = self._of(experiment)
        took_s = sum(wall_s(each) for each in kept)
        ahead_s = took_s / max(1, len({each.run.block for each in kept})) * ahead
        study_s = self.clock_s() - self._began_s
        if self.plan.within_min is not None and study_s + ahead_s > 60 * self.plan.within_min:
            return False
        return experiment.within_min is None or took_s + ahead_s <= 60 * experiment.within_min

    def _replace(self, experiment: PlannedExperiment, *, after: int, look: int) -> None:
        """Repeat, once and as a whole, the blocks after ``after`` that rules excluded, before their interim analysis.

        METHOD.md section 11, line 7. Ends at the first one that is excluded again: what disturbs them does not pass.
        """
        until = [each for each in self._of(experiment) if each.run.block <= look]
        known = [each for each in until if each.run.block <= after or each.run.attempt != REPLACEMENT]
        gone = self.rules.dropped(experiment, known)
        for block in range(after + 1, look + 1):
            planned = [each for each in _of_block(experiment, block) if each.treatment not in gone]
            if not any(self._excluded(experiment, each) for each in planned):
                continue
            begun = any(_is(each, run, REPLACEMENT) for run in planned for each in self._of(experiment))
            if not begun and not self._time_for_blocks(experiment, 1):
                return
            made = [self._once(experiment, each, attempt=REPLACEMENT) for each in planned]
            if any(each.run.status != "valid" for each in made):
                return

    def _excluded(self, experiment: PlannedExperiment, planned: PlannedRun) -> bool:
        """Return whether rules excluded a run and its repetition; one that failed both times is not noise."""
        own = [each.run.status for n in ATTEMPTS for each in self._of(experiment) if _is(each, planned, n)]
        return "valid" not in own and "invalid" in own

    def _block(self, experiment: PlannedExperiment, block: int) -> None:
        planned = _of_block(experiment, block)
        gone = self.rules.dropped(experiment, self._of(experiment))
        dropped = {label for label, last in gone.items() if last < block}
        first = [(each, self._once(experiment, each, attempt=1)) for each in planned if each.treatment not in dropped]
        for each, made in first:
            if made.run.status != "valid" and not self.rules.permanent(made):
                self._once(experiment, each, attempt=2)

    def _once(self, experiment: PlannedExperiment, planned: PlannedRun, *, attempt: int) -> Recorded:
        """Return a run of the plan, made now unless an earlier session has made it."""
        for each in self._of(experiment):
            if _is(each, planned, attempt):
                return each
        self.watcher.making(experiment, planned, attempt=attempt)
        number = 1 + max((each.run.run for each in self.runs), default=0)
        recorded = self.make(experiment, planned, attempt, number)
        self.runs.append(recorded)
        self.watcher.made(experiment, recorded)
        return recorded


def _of_block(experiment: PlannedExperiment, block: int) -> list[PlannedRun]:
    """Return the planned runs of a block in their order."""
    return sorted((each for each in experiment.runs if each.block == block), key=lambda each: each.place)


def _is(recorded: Recorded, planned: PlannedRun, attempt: int) -> bool:
    run = recorded.run
    return (run.block, run.place, run.attempt) == (planned.block, planned.place, attempt)


def wall_s(recorded: Recorded) -> float:
    """Return the duration of a run in seconds, from its start to the end of its last phase."""
    return max((phase.to_ns for phase in recorded.run.phases), default=0) / 1e9
