"""Quantiles that are refused, as some run sent too few requests for them (METHOD.md 3.3)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from headtohead.analyze.runs.records_and_times_of_case import of_case, planned_cases
from headtohead.analyze.samples.summary_over_cases import cases_of, summaries
from headtohead.model.analysis.curves import RefusedQuantile
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantiles import carries, needed, quantile_of
from headtohead.model.record import LoadRecord, Recorded


class _Place(NamedTuple):
    """One case of one treatment."""

    treatment: str
    case: Case


def refused_quantiles(experiment: PlannedExperiment, runs: Sequence[Recorded]) -> tuple[RefusedQuantile, ...]:
    """Return the quantiles, and the summaries of them, for which a treatment's smallest run had too few requests.

    A quantile that no run holds a value of is not among them; in a search there is none.
    """
    if experiment.load.searches:
        return ()
    records = _records(experiment, runs)
    least = {place: min(each.sent for each in found) for place, found in records.items()}
    figures = (figure for found in records.values() for each in found for figure in each.values.items())
    recorded = {name for name, value in figures if value is not None}
    names = [name for name in experiment.metrics if quantile_of(name) is not None and name in recorded]
    return (*_of_summaries(experiment, names, least), *_of_cases(names, least))


def _records(experiment: PlannedExperiment, runs: Sequence[Recorded]) -> dict[_Place, list[LoadRecord]]:
    """Return what the driver recorded of each case, by treatment, in the order of the plan."""
    found: dict[_Place, list[LoadRecord]] = {}
    for treatment in experiment.treatments:
        own = [each for each in runs if each.run.label == treatment.label]
        for case in planned_cases(experiment):
            loads = ([each for each in of_case(run.records, case) if isinstance(each, LoadRecord)] for run in own)
            records = [latest for latest, *_ in filter(None, loads)]
            if records:
                found[_Place(treatment.label, case)] = records
    return found


def _of_summaries(
    experiment: PlannedExperiment, names: Sequence[str], least: Mapping[_Place, int]
) -> Iterator[RefusedQuantile]:
    for summary in summaries(experiment):
        if summary.of not in names:
            continue
        within = cases_of(summary, experiment)
        for treatment in experiment.treatments:
            sent = [least[place] for case in within if (place := _Place(treatment.label, case)) in least]
            if sent and not carries(min(sent), summary.of):
                yield RefusedQuantile(WHOLE_RUN, summary.name, treatment.label, needed(summary.of), min(sent))


def _of_cases(names: Sequence[str], least: Mapping[_Place, int]) -> Iterator[RefusedQuantile]:
    for name in names:
        for place, sent in least.items():
            if not carries(sent, name):
                yield RefusedQuantile(place.case, name, place.treatment, needed(name), sent)
