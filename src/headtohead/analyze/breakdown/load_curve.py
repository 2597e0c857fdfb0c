"""A treatment's results over the offered load: a point for each rate offered in each valid run."""

from collections.abc import Sequence

from headtohead.analyze.capacity.objective import passes
from headtohead.analyze.capacity.search_result import offered_per_s
from headtohead.analyze.runs.cpu_use_by_case import RunSeen
from headtohead.analyze.runs.records_and_times_of_case import counted
from headtohead.analyze.samples.derived_figures import error_share
from headtohead.model.analysis.curves import CurvePoint
from headtohead.model.record import CaseRecord, LoadRecord
from headtohead.model.study.trials import calls_of
from headtohead.model.study.workload import Load


def curve(runs: Sequence[RunSeen]) -> tuple[CurvePoint, ...]:
    """Return the points of all runs, by run and load; empty if the load has no rate (closed loop, batch work)."""
    found = [
        _point(seen.run.run, each, load=seen.experiment.load)
        for seen in runs
        for each in _rated([case.record for case in seen.cases])
    ]
    return tuple(sorted(found, key=lambda each: (each.run, each.offered_load_per_s)))


def _rated(records: Sequence[CaseRecord]) -> list[LoadRecord]:
    return [each for each in counted(records) if isinstance(each, LoadRecord) and "rate_per_s" in each.case]


def _point(run: int, record: LoadRecord, *, load: Load) -> CurvePoint:
    past = record.case.get("overload_percent")
    objective = load.objective if past is None else {}
    return CurvePoint(
        run=run,
        offered_load_per_s=offered_per_s(record.case, load),
        response_rate_per_s=record.values.get("response_rate_per_s"),
        goodput_per_s=record.values.get("goodput_per_s"),
        response_time_p50_ns=record.values.get("response_time_p50_ns"),
        response_time_p99_ns=record.values.get("response_time_p99_ns"),
        error_share=error_share(record),
        held=passes(record, objective, calls=calls_of(load)) if objective else None,
        overload_percent=None if past is None else float(past),
    )
