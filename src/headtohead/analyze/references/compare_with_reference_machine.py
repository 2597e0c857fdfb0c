"""An experiment compared with the reference machine: another machine on another day, never interleaved."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose

import numpy as np

from headtohead.analyze.samples.valid_values import Samples
from headtohead.analyze.statistics.estimate import Center, geometric, welch_center
from headtohead.analyze.statistics.paired import Floats
from headtohead.analyze.verdicts.suite_mean import SuiteCases, SuitePair, better_of, broken_down, logs_by_run, suite_of
from headtohead.model.analysis.estimates import Cell, Key
from headtohead.model.analysis.suite import Reference, ReferenceMachine, Suite, Yardstick
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.plan import Plan, PlannedExperiment
from headtohead.model.quantity import Metric, Scalar, scalar_text
from headtohead.model.study.workload import Load

DAY = re.compile(r"\d{4}-\d{2}-\d{2}(?=-|$)")
"""The name of a results folder starts with the day of its first run."""

ROUNDED = 1e-8
"""Values in files have nine significant digits."""

ALIKE = ("workload_version", "asks", "data")
"""Fields of a plan that must be equal, as well as workload, load, cases and metric."""


@dataclass(frozen=True)
class HeldAgainst:
    """The comparison of an experiment with the reference machine, or a note why there is none."""

    yardstick: Yardstick | None = None
    suites: tuple[Suite, ...] = ()
    notes: tuple[str, ...] = ()


def named(reference: ReferenceMachine) -> Reference:
    """Return the reference machine's name, CPU and day, as far as its folder records them."""
    facts = [fact for host in reference.hosts for fact in host.facts if (fact.group, fact.name) == ("cpu", "model")]
    known = [str(fact.value) for fact in facts if fact.value is not None]
    day = DAY.match(reference.name)
    return Reference(
        name=reference.name,
        machine=", ".join(dict.fromkeys(known)) or None,
        day=day.group() if day else None,
        measurements_sha256=reference.measurements_sha256,
    )


def incomparable(plan: Plan, reference: ReferenceMachine) -> str | None:
    """Return why nothing in the plan can be compared with the reference machine; None if something can."""
    suites = [each for each in plan.experiments if suite_of(each)]
    if not suites:
        return "the study has no geometric mean over eight or more kernels or programs"
    twins = [_twin(each, reference) for each in suites]
    why = [f"for {each.name}, {twin}" for each, twin in zip(suites, twins, strict=True) if isinstance(twin, str)]
    return None if len(why) < len(twins) else "; ".join(why)


def compare_with_reference(samples: Samples, reference: ReferenceMachine | None) -> HeldAgainst:
    """Compare each treatment with the reference machine's first one, or return a note why that is not possible.

    A workload that the reference machine never ran gives no note.
    """
    cases = suite_of(samples.experiment)
    if cases is None or reference is None or not _asked_of(reference, samples.experiment):
        return HeldAgainst()
    twin = _twin(samples.experiment, reference)
    if isinstance(twin, str):
        return HeldAgainst(notes=(f"Not held against the reference machine {reference.name}: {twin}.",))
    label = _first(twin)
    values = _values(reference, twin, label=label, metric=samples.experiment.primary.of)
    if _its_own(samples, values, label=label):
        why = "these results are its own"
        return HeldAgainst(notes=(f"The reference machine {reference.name} was made of this very study: {why}.",))
    runs = [each for each in values.values() if all(each.get(case, 0.0) > 0 for case in cases.cases)]
    if len(runs) < 2:
        why = f"it has fewer than two valid runs of {label}"
        return HeldAgainst(notes=(f"Not held against the reference machine {reference.name}: {why}.",))
    table = np.log(np.asarray([[each[case] for case in cases.cases] for each in runs], dtype=np.float64))
    return HeldAgainst(
        yardstick=Yardstick(named(reference), label, tuple(_cells(samples.experiment, cases, table))),
        suites=tuple(_suites(samples, cases, table, label=label)),
    )


def _first(experiment: PlannedExperiment) -> str:
    """Return the treatment to compare others with: the first baseline, else the first one that is not a floor."""
    arms = [each.label for each in experiment.treatments if not each.floor]
    return next((each.baseline for each in experiment.comparisons), next(iter(arms), ""))


def _its_own(samples: Samples, values: Mapping[int, Mapping[Case, float]], *, label: str) -> bool:
    """Return whether these are the reference machine's own runs: all values of all runs are the same."""
    name, cases = samples.experiment.primary.of, next(iter(values.values()), {})
    runs = samples.counted.get(label, {})
    ours = {
        recorded.run.run: [samples.of(label, Key(case, name)).get(block) for case in cases]
        for block, recorded in runs.items()
    }
    theirs = {run: [of_run.get(case) for case in cases] for run, of_run in values.items()}
    return bool(ours) and ours.keys() <= theirs.keys() and all(_same(each, theirs[run]) for run, each in ours.items())


def _same(ours: Sequence[float | None], theirs: Sequence[float | None]) -> bool:
    """Return whether values are equal to the precision of the files."""
    both = zip(ours, theirs, strict=True)
    return all(one is not None and other is not None and isclose(one, other, rel_tol=ROUNDED) for one, other in both)


def _suites(samples: Samples, cases: SuiteCases, reference: Floats, *, label: str) -> Iterator[Suite]:
    """Yield each treatment's ratio to the reference machine; means share one error, and so do ratios of cases."""
    arms = [each.label for each in samples.experiment.treatments if not each.floor]
    tables = {arm: list(logs_by_run(samples, arm, cases=cases).values()) for arm in arms}
    tables = {arm: runs for arm, runs in tables.items() if len(runs) > 1}
    for arm, runs in tables.items():
        own = np.asarray(runs)
        places, among = range(len(cases.cases)), len(tables) * len(cases.cases)
        centers = [welch_center(reference[:, place], own[:, place], among=among) for place in places]
        alone = [each.estimate(alpha=samples.error / among) for each in centers]
        mean: Center = welch_center(reference.mean(axis=1), own.mean(axis=1))
        pair = SuitePair(arm, label, reference=True, alpha=samples.error / len(tables))
        yield broken_down(pair, cases, alone, center=mean, better=better_of(samples.experiment))


def _cells(experiment: PlannedExperiment, cases: SuiteCases, table: Floats) -> Iterator[Cell]:
    """Yield the reference machine's own values: their geometric mean over the cases, and each case."""
    columns = {Key(WHOLE_RUN, experiment.primary.name): table.mean(axis=1)}
    columns |= {Key(case, experiment.primary.of): table[:, place] for place, case in enumerate(cases.cases)}
    for (case, metric), logs in columns.items():
        estimate = geometric([float(each) for each in np.exp(logs)])
        if estimate is not None:
            yield Cell(case=case, metric=metric, estimate=estimate)


def _values(
    reference: ReferenceMachine, experiment: PlannedExperiment, *, label: str, metric: str
) -> Mapping[int, Mapping[Case, float]]:
    """Return the values of a metric by run and case, of the valid runs of one treatment."""
    values: dict[int, dict[Case, float]] = {}
    for each in reference.measurements:
        mine = (each.experiment, each.treatment, each.metric) == (experiment.name, label, metric)
        if mine and each.status == "valid" and each.case:
            values.setdefault(each.run, {})[each.case] = each.value
    return values


def _twin(experiment: PlannedExperiment, reference: ReferenceMachine) -> PlannedExperiment | str:
    """Return the reference machine's experiment with the same work, or why there is none."""
    others = _asked_of(reference, experiment)
    why = [f"it measured no {experiment.workload}"] if not others else []
    for other in others:
        found = list(_differences(experiment, other))
        if not found:
            return other
        why.append(f"it measured {experiment.workload} otherwise ({'; '.join(found)})")
    return why[0]


def _asked_of(reference: ReferenceMachine, experiment: PlannedExperiment) -> list[PlannedExperiment]:
    """Return the reference machine's experiments of the same workload."""
    return [each for each in reference.plan.experiments if each.workload == experiment.workload]


def _differences(ours: PlannedExperiment, theirs: PlannedExperiment) -> Iterator[str]:
    """Yield the differences between two experiments of a workload; factors and subjects may differ."""
    for name in ALIKE:
        if getattr(ours, name) != getattr(theirs, name):
            yield f"{name.replace('_', ' ')}: {getattr(theirs, name)} there, {getattr(ours, name)} here"
    metric = ours.primary.of
    if metric not in theirs.metrics or _worked_out(ours.metrics[metric]) != _worked_out(theirs.metrics[metric]):
        yield f"{metric} is not there, or is another figure"
    settings = [_settings(each.load) for each in (theirs, ours)]
    for name in dict.fromkeys([*settings[0], *settings[1]]):
        both = [_text(each.get(name)) for each in settings]
        if both[0] != both[1]:
            yield f"{name}: {both[0]} there, {both[1]} here"
    if Counter(ours.cases) != Counter(theirs.cases):
        yield f"other cases: {len(theirs.cases)} there, {len(ours.cases)} here"
    elif _asked_alike(ours, theirs) and ours.same_test != theirs.same_test:
        yield "the files of the workload or of its data differ"


def _asked_alike(ours: PlannedExperiment, theirs: PlannedExperiment) -> bool:
    """Return whether everything that same_test hashes is equal, except files: plans do not hold them."""
    fields = ("compare", "primary", "load", "metrics")
    return all(getattr(ours, name) == getattr(theirs, name) for name in fields)


def _worked_out(metric: Metric) -> tuple[object, ...]:
    """Return what determines a metric's values: everything but its words."""
    return (metric.unit, metric.better, metric.source, metric.work, metric.per)


def _settings(load: Load) -> Mapping[str, Scalar | None]:
    times = {"warm_up_s": load.warm_up_s, "measure_s": load.measure_s, "timeout_s": load.timeout_s}
    return {"loop": load.loop, **load.settings, **times, "settle_s": load.settle_s}


def _text(value: Scalar | None) -> str:
    return "not set" if value is None else scalar_text(value)
