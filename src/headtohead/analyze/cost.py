"""What an answer cost: the subject's CPU beside the bytes sent for it, which compression trades for each other."""

from collections.abc import Iterable, Sequence

from headtohead.analyze import search
from headtohead.analyze.derived import Derived
from headtohead.analyze.estimate import geometric
from headtohead.analyze.records import of_case, planned_cases
from headtohead.model.analysis import Cost, Estimate
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import Case, case_text
from headtohead.model.record import LoadRecord, Recorded


def costs(experiment: PlannedExperiment, runs: Sequence[Recorded]) -> tuple[Cost, ...]:
    """Return what an answer cost in each case, over valid runs; in a search at the highest rate that held in each."""
    cases: tuple[Case, ...] = ({},) if experiment.load.searches else planned_cases(experiment)
    found = (_cost(experiment, case, runs) for case in cases)
    return tuple(each for each in found if each.subject_cpu_ns_per_answer or each.received_bytes_per_answer)


def _cost(experiment: PlannedExperiment, case: Case, runs: Sequence[Recorded]) -> Cost:
    pairs = [
        (Derived(experiment, each), record) for each in runs if (record := _record(experiment, case, each)) is not None
    ]
    return Cost(
        case=case_text(case),
        subject_cpu_ns_per_answer=_estimate(figures.cpu_ns_per_answer(record) for figures, record in pairs),
        received_bytes_per_answer=_estimate(figures.bytes_per_answer(record) for figures, record in pairs),
    )


def _record(experiment: PlannedExperiment, case: Case, recorded: Recorded) -> LoadRecord | None:
    if experiment.load.searches:
        return search.carried(recorded.records, experiment.load)
    return next((each for each in of_case(recorded.records, case) if isinstance(each, LoadRecord)), None)


def _estimate(values: Iterable[float | None]) -> Estimate | None:
    return geometric([each for each in values if each is not None])
