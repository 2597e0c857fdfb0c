"""The CPU time and the bytes of a response: the subject's CPU, which compression trades for bytes sent."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from headtohead.analyze.capacity.search_result import highest_held
from headtohead.analyze.runs.records_and_times_of_case import of_case, planned_cases
from headtohead.analyze.samples.derived_figures import DerivedFigures
from headtohead.analyze.statistics.estimate import geometric
from headtohead.model.analysis.cost import Cost
from headtohead.model.analysis.estimates import Estimate
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import LoadRecord, Recorded


@dataclass(frozen=True)
class AnswerCost:
    """What a response of one case cost in one run; None if it could not be read."""

    cpu_ns: float | None
    sent_bytes: float | None


def costs(experiment: PlannedExperiment, runs: Sequence[Recorded]) -> tuple[Cost, ...]:
    """Return the cost of a response in each case, over valid runs; in a search at the highest rate that held."""
    found = (_cost(experiment, case, runs) for case in cases_of(experiment))
    return tuple(each for each in found if each.subject_cpu_ns_per_answer or each.received_bytes_per_answer)


def cases_of(experiment: PlannedExperiment) -> tuple[Case, ...]:
    """Return the cases in which a response has a cost; one without fields for a search."""
    return (WHOLE_RUN,) if experiment.load.searches else planned_cases(experiment)


def answer_cost(experiment: PlannedExperiment, case: Case, recorded: Recorded) -> AnswerCost | None:
    """Return what a response of a case cost in one run, None if the case has no load record."""
    record = load_record(experiment, case, recorded)
    if record is None:
        return None
    figures = DerivedFigures(experiment, recorded)
    return AnswerCost(figures.cpu_ns_per_answer(record), figures.bytes_per_answer(record))


def load_record(experiment: PlannedExperiment, case: Case, recorded: Recorded) -> LoadRecord | None:
    """Return the driver's record of a case, in a search that of the highest rate that held; None if there is none."""
    if experiment.load.searches:
        return highest_held(recorded.records, experiment.load)
    return next((each for each in of_case(recorded.records, case) if isinstance(each, LoadRecord)), None)


def _cost(experiment: PlannedExperiment, case: Case, runs: Sequence[Recorded]) -> Cost:
    costs = [each for run in runs if (each := answer_cost(experiment, case, run)) is not None]
    return Cost(
        case=case,
        subject_cpu_ns_per_answer=_estimate(each.cpu_ns for each in costs),
        received_bytes_per_answer=_estimate(each.sent_bytes for each in costs),
    )


def _estimate(values: Iterable[float | None]) -> Estimate | None:
    return geometric([each for each in values if each is not None])
