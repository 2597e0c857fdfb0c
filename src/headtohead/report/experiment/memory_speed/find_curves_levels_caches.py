"""Find the curves of a treatment, the levels of memory that it has a latency of, and the caches of a host."""

from collections.abc import Sequence

from headtohead.model.analysis.curves import PointCurve
from headtohead.model.analysis.results import TreatmentResult
from headtohead.model.case import Case
from headtohead.model.machine.host import Fact
from headtohead.report.context import ExperimentContext
from headtohead.report.experiment.memory_speed.sizes_and_titles_in_words import size_text


def curves_of(treatment: TreatmentResult, *, x: str, y: str) -> list[PointCurve]:
    """Return the curves whose points have both figures."""
    every = treatment.point_curves
    return [each for each in every if each.points and all({x, y} <= point.figures.keys() for point in each.points)]


def level_cases(context: ExperimentContext, treatment: TreatmentResult) -> list[tuple[str, Case]]:
    """Return the levels that the treatment has a latency of, with their cases, in the order of caches."""
    found = []
    for case in context.cases_of("load_latency_ns"):
        level = case.levels.get("level")
        if level and context.cell(treatment, case=case, metric="load_latency_ns"):
            found.append((level, case))
    return sorted(found, key=lambda each: (not each[0].startswith("L"), each[0], each[1].text))


def value(
    context: ExperimentContext, treatment: TreatmentResult, case: Case, metric: str = "load_latency_ns"
) -> float | None:
    """Return the value of a metric in a case, or None if it has none."""
    cell = context.cell(treatment, case=case, metric=metric)
    return cell.estimate.value if cell else None


def caches_of(facts: Sequence[Fact]) -> tuple[tuple[float, str], ...]:
    """Return the sizes of the caches for data as the host shows them, each with its name: ``L2 1 MiB``."""
    sizes = [each for each in facts if each.group == "caches" and each.name.endswith(" size")]
    named = ((each.name.removesuffix(" size").removesuffix(" data"), each.value) for each in sizes)
    known = ((name, float(size)) for name, size in named if isinstance(size, int | float) and size > 0)
    return tuple(sorted((size, f"{name} {size_text(size)}") for name, size in known if "instruction" not in name))
