"""Figures that articles printed of tests of the same kind, next to an experiment. For context only."""

from collections.abc import Iterator, Mapping, Sequence

from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.printed import Now, Printed, Then
from headtohead.model.analysis.results import TreatmentResult
from headtohead.model.case import Case
from headtohead.model.external.published import LEVEL, Alike, Figure, Published
from headtohead.model.plan import PlannedExperiment, Treatment
from headtohead.model.quantity import Scalar, scalar_text


def published_figures(
    experiment: PlannedExperiment, treatments: Sequence[TreatmentResult], published: Published | None
) -> tuple[Then, ...]:
    """Return a comparison for each printed benchmark that is like the experiment's workload and shares a level."""
    if published is None:
        return ()
    alike = [each for each in published.alike if each.workload == experiment.workload]
    pairs = ((each, name) for each in alike for name in each.benchmarks)
    found = (_then(experiment, treatments, published, alike=each, benchmark=name) for each, name in pairs)
    return tuple(each for each in found if each is not None)


def _then(
    experiment: PlannedExperiment,
    treatments: Sequence[TreatmentResult],
    published: Published,
    *,
    alike: Alike,
    benchmark: str,
) -> Then | None:
    figures = [each for each in published.figures if (each.benchmark, each.metric) == (benchmark, alike.metric)]
    cases = {level: tuple(_cases(experiment, alike, level)) for level in dict.fromkeys(each.level for each in figures)}
    levels = tuple(level for level, printed in cases.items() if printed)
    counterparts = {each.label for each in experiment.treatments if _is_of(alike.program, each)}
    now = tuple(
        Now(
            each.label,
            each.label in counterparts,
            tuple(_best(each, alike.of, cases[level], experiment) for level in levels),
        )
        for each in treatments
        if not each.floor
    )
    if not any(estimate for each in now for estimate in each.estimates):
        return None
    return Then(
        source=published.sources[figures[0].source],
        benchmark=benchmark,
        metric=alike.of,
        level_kind=figures[0].level_kind,
        levels=levels,
        printed=tuple(_printed(figures, levels, times=alike.times)),
        now=now,
        caveat=alike.caveat,
    )


def _cases(experiment: PlannedExperiment, alike: Alike, level: str) -> Iterator[Case]:
    """Yield the planned cases that a printed level corresponds to."""
    field, _, text = alike.level.partition("=")
    wanted = {name: scalar_text(value) for name, value in alike.where.items()}
    if field:
        wanted[field] = text.replace(LEVEL, alike.levels.get(level, level))
    for case in experiment.cases:
        if all(name in case and scalar_text(case[name]) == value for name, value in wanted.items()):
            yield case


def _is_of(program: Mapping[str, Scalar], treatment: Treatment) -> bool:
    own = {**treatment.settings, **treatment.levels, "subject": treatment.subject}
    return all(scalar_text(own.get(name, "")) == scalar_text(value) for name, value in program.items())


def _best(
    treatment: TreatmentResult, metric: str, cases: Sequence[Case], experiment: PlannedExperiment
) -> Estimate | None:
    found = [each.estimate for each in treatment.cells if each.metric == metric and each.case in cases]
    higher = metric in experiment.metrics and experiment.metrics[metric].better == "higher"
    chosen = max if higher else min
    return chosen(found, key=lambda each: each.value) if found else None


def _printed(figures: Sequence[Figure], levels: Sequence[str], *, times: float) -> Iterator[Printed]:
    """Yield each system that the article names at one of the levels, in its order."""
    values = {(each.system, each.level): each.value * times for each in figures}
    for system in dict.fromkeys(each.system for each in figures):
        printed = tuple(values.get((system, level)) for level in levels)
        if any(value is not None for value in printed):
            yield Printed(system, printed)
