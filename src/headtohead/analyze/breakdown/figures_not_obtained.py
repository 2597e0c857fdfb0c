"""The figures that programs could not give, with their reasons."""

from collections import defaultdict
from collections.abc import Sequence

from headtohead.analyze.breakdown.batch_curves_and_matrices import batch_records
from headtohead.analyze.runs.records_and_times_of_case import planned_cases
from headtohead.model.analysis.curves import NotObtained
from headtohead.model.case import Case
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import Recorded


def not_obtained(experiment: PlannedExperiment, runs: Sequence[Recorded]) -> tuple[NotObtained, ...]:
    """Return the figures that programs could not give: each reason of a case, with the number of runs."""
    found: dict[tuple[Case, str], int] = defaultdict(int)
    for case in planned_cases(experiment):
        for record in batch_records(runs, case):
            if record.why_not:
                found[case, record.why_not] += 1
    return tuple(NotObtained(case, why, count) for (case, why), count in found.items())
