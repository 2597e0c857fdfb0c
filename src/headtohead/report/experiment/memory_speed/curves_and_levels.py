"""The curves of a treatment, the levels of memory that it has a latency of, and mixes of traffic as words."""

from headtohead.model.analysis.curves import PointCurve
from headtohead.model.analysis.results import TreatmentResult
from headtohead.model.case import Case
from headtohead.report.context import ExperimentContext
from headtohead.report.text.names import case_title

MIXES = {"1r0w": "reads alone", "2r1w": "2 reads, 1 write", "1r1w": "1 read, 1 write"}


def curves_of(treatment: TreatmentResult, *, x: str, y: str) -> list[PointCurve]:
    """Return the curves whose points have both figures."""
    every = treatment.point_curves
    return [each for each in every if each.points and all({x, y} <= point.figures.keys() for point in each.points)]


def mix_title(case: Case) -> str:
    """Return a mix of traffic as words: ``2 reads, 1 write``."""
    return MIXES.get(case.levels.get("traffic", ""), case_title(case))


def title_of(context: ExperimentContext, treatment: TreatmentResult) -> str:
    """Return which treatment a chart is of, with a leading space; empty if there is one only."""
    return f" of {treatment.label}" if len(context.result.treatments) > 1 else ""


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
