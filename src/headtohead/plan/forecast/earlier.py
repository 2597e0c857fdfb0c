"""What runs took on this machine before: recorded when a study ends, and taken in place of what would be assumed."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import median

from headtohead.model.machine.durations import RecordedDuration, RecordedDurations
from headtohead.model.machine.host import HostFacts
from headtohead.model.machine.noise import steady
from headtohead.model.plan import Plan, PlannedExperiment, Treatment
from headtohead.model.record import Recorded, Run
from headtohead.model.rules import GATE

MOST = 2000
"""As many treatments are kept, the newest first: 0.5 MB, and more than all studies here have."""

AS_LONG = 0.5
"""A run under another load shows that a planned one is shorter than assumed only if it is at least so long."""


@dataclass(frozen=True)
class AsBefore:
    """A plan with the durations of earlier runs where there are any: for ``known`` of its ``treatments``."""

    plan: Plan
    known: int
    treatments: int


def as_before(plan: Plan, durations: RecordedDurations | None) -> AsBefore:
    """Return the plan with ``run_s`` as earlier runs took; for forecasts only.

    Runs of the same test and treatment count as they are. Those of the same treatment under another load, such as files
    of another size, count by how much longer they took than was assumed (``_times_longer``).
    """
    newest_last = durations.tests[::-1] if durations else ()
    same = {each.key: each.seconds for each in newest_last}
    others = {each.alike: each for each in newest_last}
    experiments, known = [], 0
    for experiment in plan.experiments:
        run_s = dict(experiment.run_s)
        for each in experiment.treatments:
            key, alike = _key(experiment, each), _alike(experiment, each)
            times = _times_longer(others.get(alike), run_s[each.label])
            known += key in same or times is not None
            run_s[each.label] = same.get(key, run_s[each.label] * (times or 1.0))
        experiments.append(replace(experiment, run_s=run_s))
    treatments = sum(len(each.treatments) for each in experiments)
    return AsBefore(replace(plan, experiments=tuple(experiments)), known, treatments)


def _times_longer(other: RecordedDuration | None, planned_s: float) -> float | None:
    """Return how many times as long a run under another load took as was assumed; None if that shows nothing.

    A much shorter run that took less than assumed shows little: most of its time was for what every run has.
    """
    if other is None:
        return None
    times = other.seconds / other.planned_s
    return times if times >= 1 or other.planned_s >= AS_LONG * planned_s else None


def recorded(
    plan: Plan, runs: Sequence[Recorded], *, hosts: Iterable[HostFacts], earlier: RecordedDurations | None
) -> RecordedDurations | None:
    """Return the durations of these runs, then those of earlier studies; None if no run has a duration.

    ``earlier`` has what this machine, as it is now, is known to have taken.
    """
    new = [found for experiment in plan.experiments for found in _of(experiment, runs)]
    if not new:
        return None
    keys = {each.key for each in new}
    old = [each for each in earlier.tests if each.key not in keys] if earlier else []
    return RecordedDurations((*new, *old)[:MOST], tuple(steady(hosts)))


def _of(experiment: PlannedExperiment, runs: Sequence[Recorded]) -> Iterable[RecordedDuration]:
    for each in experiment.treatments:
        key = (experiment.name, each.label)
        own = [took_s(one.run) for one in runs if (one.run.experiment, one.run.label) == key and _counts(one.run)]
        if own:
            same, alike = _key(experiment, each), _alike(experiment, each)
            yield RecordedDuration(same, alike, *key, len(own), median(own), experiment.run_s[each.label])


def _counts(run: Run) -> bool:
    """Return whether a run went as planned: it is valid, and no case was measured again."""
    return run.status == "valid" and not run.repeats and bool(run.phases)


def took_s(run: Run) -> float:
    """Return how long a run took, without waits for quiet beyond the shortest.

    Gates that waited for the subject itself (``subject_cpus``) count whole: an overloaded server works on.
    """
    waited_s = sum(float(each["waited_s"]) - GATE.for_s for each in run.gates if "subject_cpus" not in each)
    return max(each.to_ns for each in run.phases) / 1e9 - max(0.0, waited_s)


def _key(experiment: PlannedExperiment, treatment: Treatment) -> str:
    """Return a text that is equal for equal work on equal CPUs, however the experiment and its labels are named."""
    return _sum(experiment.same_test, *_of_treatment(treatment), treatment.cpus, *_settling(experiment))


def _alike(experiment: PlannedExperiment, treatment: Treatment) -> str:
    """Return a text that is equal for the same kind of work by an equal treatment, whatever the size of the work is.

    Searches are alike if their objectives are: the time limit decides how long their trials are.
    """
    load = experiment.load
    workload = (experiment.workload, experiment.workload_version)
    searched = load.searches and sorted(load.objective.items())
    return _sum(*workload, load.loop, searched, *_of_treatment(treatment), *_settling(experiment))


def _settling(experiment: PlannedExperiment) -> Iterable[object]:
    """Yield how long subjects settle, if they do: others have the key that they had before any did."""
    return () if experiment.load.settle_s is None else (experiment.load.settle_s,)


def _of_treatment(treatment: Treatment) -> tuple[object, ...]:
    levels, settings = (sorted(each.items()) for each in (treatment.levels, treatment.settings))
    return treatment.subject, levels, settings, treatment.server


def _sum(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()
