"""A few systems next to each other, case by case: levels x machines, key sizes x machines, response times."""

from collections.abc import Iterator, Sequence

from headtohead.analyze.fleet.machine_sessions import Machine, day_of
from headtohead.analyze.fleet.same_test import ComparedTreatment, arms_of
from headtohead.analyze.runs.records_and_times_of_case import planned_cases
from headtohead.analyze.statistics.estimate import geometric
from headtohead.model.analysis.estimates import Estimate, Key
from headtohead.model.analysis.systems import ArmKey, GridRow, SystemsGrid

TIMES = ("response_time_p50_ns", "response_time_p99_ns")
"""The metrics shown next to the primary one, if they were measured."""
Sessions = dict[str, list[float]]


def grids_of(arm: ComparedTreatment, machines: Sequence[Machine]) -> Iterator[SystemsGrid]:
    """Yield the grids of a treatment: its primary metric in each case, then its response times.

    Only systems that have some of its values are in a grid. There is none if fewer than two have, or the metric was
    measured in one case, which its table shows already. Cases are those that were planned: the trials of a search are
    not the same from run to run.
    """
    experiment = arm.experiment
    for metric in dict.fromkeys((experiment.primary.of, *(each for each in TIMES if each in experiment.metrics))):
        keys = [Key(case, metric) for case in planned_cases(experiment) if case]
        found = [(each, [_sessions(arm, each, key) for key in keys]) for each in machines]
        having = [(each, of_keys) for each, of_keys in found if any(of_keys)]
        rows = tuple(
            GridRow(key.case, tuple(_estimate(of_keys[place]) for _, of_keys in having))
            for place, key in enumerate(keys)
            if any(of_keys[place] for _, of_keys in having)
        )
        if len(having) > 1 and (len(rows) > 1 or (rows and metric != experiment.primary.of)):
            yield SystemsGrid(
                experiment=experiment.name,
                treatment=arm.label,
                metric=experiment.metrics[metric],
                loop=experiment.load.loop,
                systems=tuple(each.name for each, _ in having),
                within_session=tuple(max(map(len, of_keys)) < 2 for _, of_keys in having),
                rows=rows,
            )


def _sessions(arm: ComparedTreatment, machine: Machine, key: Key) -> Sessions:
    """Return the values of a key by session; a session is known by its day, or by its folder if no day is known."""
    found: Sessions = {}
    for folder in machine.folders:
        own = next((each for each in arms_of(folder.plan) if each.key == arm.key), None)
        if own is None:
            continue
        values = folder.cases.get(ArmKey(own.experiment.name, own.treatment.label), {}).get(key, ())
        if values:
            found.setdefault(day_of(folder.name) or folder.name, []).extend(values)
    return found


def _estimate(sessions: Sessions) -> Estimate | None:
    """Return the mean over sessions, or over the runs of the only one; None without values."""
    if len(sessions) < 2:
        return geometric(next(iter(sessions.values()), []))
    means = [found.value for each in sessions.values() if (found := geometric(each)) is not None]
    return geometric(means)
