"""Response times of each kind of query of a mix, in the case with the fewest at once."""

from collections.abc import Mapping, Sequence

from headtohead.analyze.breakdown.sweeps_and_highest_level import sweep_of
from headtohead.analyze.runs.records_and_times_of_case import of_case, planned_cases
from headtohead.analyze.statistics.estimate import geometric
from headtohead.model.analysis.curves import QueryTime
from headtohead.model.case import Case
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import LoadRecord, Recorded

MEAN, RIGHT = "response_time_mean_ns", "right"

Queries = Mapping[str, Mapping[str, float | None]]
"""The values of each kind of query in a load record."""


def query_times(experiment: PlannedExperiment, runs: Sequence[Recorded]) -> tuple[QueryTime, ...]:
    """Return the mean response time of each kind over valid runs, in the first case (in a sweep the least level).

    Empty if a case has one kind alone, whose time is then the case's, and for a search.
    """
    if experiment.load.searches:
        return ()
    case = _first(experiment)
    recorded = [record.queries for each in runs if (record := _record(each, case)) is not None]
    names = tuple(dict.fromkeys(name for queries in recorded for name in queries))
    if len(names) < 2:
        return ()
    estimates = ((name, _values(recorded, name)) for name in names)
    return tuple(
        QueryTime(name, case, estimate, _share(recorded, name))
        for name, values in estimates
        if (estimate := geometric(values)) is not None
    )


def _first(experiment: PlannedExperiment) -> Case:
    sweep, cases = sweep_of(experiment), planned_cases(experiment)
    return sweep.cases[0] if sweep else cases[0]


def _record(recorded: Recorded, case: Case) -> LoadRecord | None:
    return next((each for each in of_case(recorded.records, case) if isinstance(each, LoadRecord)), None)


def _share(recorded: Sequence[Queries], name: str) -> float | None:
    """Return the share of correct responses that are of one kind, over all runs; None without any."""
    counts = [{each: found.get(RIGHT) or 0.0 for each, found in queries.items()} for queries in recorded]
    whole = sum(sum(each.values()) for each in counts)
    return sum(each.get(name, 0.0) for each in counts) / whole if whole else None


def _values(recorded: Sequence[Queries], name: str) -> list[float]:
    found = (queries.get(name, {}).get(MEAN) for queries in recorded)
    return [value for value in found if value is not None]
