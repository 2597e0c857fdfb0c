"""Energy of a unit of work, from the processors' counters or from the given power; else nothing."""

from collections.abc import Iterator, Sequence

from headtohead.analyze.breakdown.cost.cpu_and_bytes_per_response import cases_of, load_record
from headtohead.analyze.breakdown.cost.price_of_work import MILLION, UNITS, unit_of
from headtohead.analyze.runs.records_and_times_of_case import measured_window, of_case
from headtohead.analyze.samples.derived_figures import DerivedFigures
from headtohead.analyze.statistics.estimate import geometric, over, scaled
from headtohead.model.analysis.cost import Energy
from headtohead.model.analysis.estimates import Estimate
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.external.prices import Stated, Tariff
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import Metric
from headtohead.model.record import BatchRecord, LoadRecord, Recorded

KWH_J = 3.6e6


def energies(
    experiment: PlannedExperiment,
    runs: Sequence[Recorded],
    *,
    primary: Estimate | None,
    stated: Stated,
    tariff: Tariff,
) -> tuple[Energy, ...]:
    """Return the energy of a unit of work in each case, as read; if it was not read, from the given power.

    Empty if there is neither. The given power was not measured during this work, so the energy is right only as far as
    the work is similar.
    """
    measured = tuple(_read(experiment, runs, tariff=tariff))
    power = stated.system.power if stated.system else None
    unit = unit_of(experiment.metrics[experiment.primary.of])
    if measured or power is None or power.load_w is None or unit is None or primary is None:
        return measured
    joules = over(unit * power.load_w, primary)
    return (Energy(WHOLE_RUN, "given", joules, None, _per_million(joules, tariff)),) if joules else ()


def _read(experiment: PlannedExperiment, runs: Sequence[Recorded], *, tariff: Tariff) -> Iterator[Energy]:
    """Yield the energy of a unit of work in each case in which every valid run has it."""
    metric = experiment.metrics[experiment.primary.of]
    for case in cases_of(experiment):
        joules_and_work = [_of_run(experiment, case, each, metric) for each in runs]
        known = [each for each in joules_and_work if each is not None]
        joules = geometric([each[0] for each in known]) if len(known) == len(joules_and_work) else None
        if joules is not None:
            watts = geometric([each[1] for each in known])
            yield Energy(case, "read", joules, watts, _per_million(joules, tariff))


def _of_run(
    experiment: PlannedExperiment, case: Case, recorded: Recorded, metric: Metric
) -> tuple[float, float] | None:
    """Return joules for each unit of work, and watts, of a case in one run; None if not read, or without work."""
    record = _record(experiment, case, recorded, metric)
    window = measured_window(record, recorded.run.phases) if record is not None else None
    if record is None or window is None:
        return None
    used, units = DerivedFigures(experiment, recorded).package_j(record), _units(record)
    return None if used is None or not units else (used / units, used / window.seconds)


def _record(
    experiment: PlannedExperiment, case: Case, recorded: Recorded, metric: Metric
) -> LoadRecord | BatchRecord | None:
    asked = load_record(experiment, case, recorded)
    if asked is not None:
        return asked
    made = (each for each in of_case(recorded.records, case) if isinstance(each, BatchRecord))
    return next((each for each in made if each.work_in == metric.work), None)


def _units(record: LoadRecord | BatchRecord) -> float | None:
    """Return the correct responses, or the work done, while the case was measured."""
    if isinstance(record, BatchRecord):
        return record.work / UNITS["B/s"] if record.work_in == "bytes" else record.work
    right = record.values.get("goodput_per_s")
    return None if right is None else right * record.elapsed_ns / 1e9


def _per_million(joules: Estimate, tariff: Tariff) -> Estimate | None:
    return scaled(joules, MILLION * tariff.per_kwh / KWH_J if tariff.per_kwh is not None else None)
