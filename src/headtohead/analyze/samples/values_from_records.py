"""Measurements from records: one value of one metric for one case of one run. Missing is never zero."""

import math
from collections.abc import Iterable, Sequence

from headtohead.analyze.capacity.search_result import search_keys, search_values
from headtohead.analyze.runs.records_and_times_of_case import measured_enough, of_case, planned_cases
from headtohead.analyze.samples import summary_over_cases
from headtohead.analyze.samples.complete_blocks_and_dropped_treatments import dropped
from headtohead.analyze.samples.derived_figures import DerivedFigures
from headtohead.analyze.samples.refused_quantiles import refused_quantiles
from headtohead.model.analysis.estimates import Key, Measurement
from headtohead.model.case import WHOLE_RUN
from headtohead.model.plan import Plan, PlannedExperiment
from headtohead.model.quantity import Metric
from headtohead.model.record import BatchRecord, CaseRecord, LoadRecord, Recorded, Run, counting

WITHIN = ("1/s", "B/s", "s")
"""Units of metrics that count within the measured time of a load; times of requests are in ns."""


def measurements(plan: Plan, runs: Sequence[Recorded]) -> list[Measurement]:
    """Return every value of the runs, in the order of the plan's experiments, the runs, the cases.

    Runs that do not count are included, with their status; ``uncounted`` are valid ones of a repeated block that does
    not count (``counting``). A quantile that some valid run has too few requests for is
    left out. Single trials of a search are no measurements: each run chose their rates itself.
    """
    lines: list[Measurement] = []
    by_experiment: dict[str, list[Recorded]] = {}
    for each in sorted(runs, key=lambda each: each.run.run):
        by_experiment.setdefault(each.run.experiment, []).append(each)
    for experiment in plan.experiments:
        own, every = by_experiment.get(experiment.name, []), keys(experiment)
        valid = [each for each in own if each.run.status == "valid"]
        refused = {each.key for each in refused_quantiles(experiment, valid)}
        counted = counting(own, gone=dropped(experiment, own))
        for each in own:
            last = counted.get((each.run.block, each.run.label))
            stale = each.run.status == "valid" and (last is None or each.run.run > last.run.run)
            values = values_of(experiment, each)
            there = values.keys() - refused
            status = "uncounted" if stale else each.run.status
            lines.extend(_line(each.run, key, status=status, value=values[key]) for key in every if key in there)
    return lines


def keys(experiment: PlannedExperiment) -> tuple[Key, ...]:
    """Return every key that can be measured, in the order shown: summaries (the primary first), cases, whole runs."""
    named: dict[Key, None] = {
        Key(WHOLE_RUN, summary.name): None for summary in summary_over_cases.summaries(experiment)
    }
    if experiment.load.searches:
        named |= dict.fromkeys(search_keys(experiment.metrics))
    else:
        for case in planned_cases(experiment):
            named |= {Key(case, name): None for name, each in experiment.metrics.items() if each.source != "run"}
    named |= {Key(WHOLE_RUN, name): None for name, each in experiment.metrics.items() if each.source == "run"}
    return tuple(named)


def values_of(experiment: PlannedExperiment, recorded: Recorded) -> dict[Key, float]:
    """Return one run's values, cases first; a value that its records do not have is absent."""
    values: dict[Key, float] = {}
    derived = DerivedFigures(experiment, recorded)
    if experiment.load.searches:
        for key, value in search_values(recorded.records, experiment.load).items():
            _put(values, key, value=value if key[1] in experiment.metrics else None)
    for metric in experiment.metrics.values():
        if metric.source == "run":
            _put(values, Key(WHOLE_RUN, metric.name), value=of_run(metric.name, recorded.run))
        elif not experiment.load.searches:
            for case in planned_cases(experiment):
                latest_first = of_case(recorded.records, case)
                _put(values, Key(case, metric.name), value=_first(metric, latest_first, derived=derived))
    for summary in summary_over_cases.summaries(experiment):
        _put(
            values,
            Key(WHOLE_RUN, summary.name),
            value=summary_over_cases.value_of(summary, values, experiment=experiment),
        )
    return values


def of_run(name: str, run: Run) -> float | None:
    """Return a figure of the run as a whole: its memory peak, CPU seconds (``subject_cpu_s``), or one of its usage."""
    if name == "subject_memory_peak_bytes":
        return None if run.subject_memory_peak_bytes is None else float(run.subject_memory_peak_bytes)
    cpu_s = {
        "subject_cpu_s": run.cpu_s.subject,
        "driver_cpu_s": run.cpu_s.driver,
        "harness_cpu_s": run.cpu_s.harness,
        "foreign_cpu_s": run.cpu_s.foreign,
        "steal_s": run.cpu_s.steal,
    }
    return cpu_s[name] if name in cpu_s else run.usage.get(name)


def of_record(metric: Metric, record: CaseRecord, *, derived: DerivedFigures) -> float | None:
    """Return the metric's value in one record of its case, None if neither the record nor the readings have it."""
    if isinstance(record, LoadRecord):
        if metric.source != "load" or (metric.unit in WITHIN and not measured_enough(record, derived.load)):
            return None
        recorded = record.values.get(metric.name)
        return derived.of(metric, record) if recorded is None else recorded
    return _of_batch(metric, record, derived) if isinstance(record, BatchRecord) and metric.source == "batch" else None


def _of_batch(metric: Metric, record: BatchRecord, derived: DerivedFigures) -> float | None:
    if metric.work is None:
        return record.metrics.get(metric.name, derived.of(metric, record))
    if record.work_in != metric.work or record.elapsed_ns <= 0:
        return None
    rate = record.work / (record.elapsed_ns / 1e9)
    if metric.per is None:
        return rate
    share = record.metrics.get(metric.per)
    return rate / share if share else None


def _first(metric: Metric, latest_first: Iterable[CaseRecord], *, derived: DerivedFigures) -> float | None:
    return next((value for r in latest_first if (value := of_record(metric, r, derived=derived)) is not None), None)


def _put(values: dict[Key, float], key: Key, *, value: float | None) -> None:
    if value is not None and math.isfinite(value):
        values[key] = float(value)


def _line(run: Run, key: Key, *, status: str, value: float) -> Measurement:
    return Measurement(
        experiment=run.experiment,
        run=run.run,
        block=run.block,
        treatment=run.label,
        status=status,
        case=key.case,
        metric=key.metric,
        value=value,
    )
