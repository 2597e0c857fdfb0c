"""Whether a plan can be what its study expands to: every figure that follows from the study is computed again."""

import math
from collections.abc import Iterator

from headtohead.model.plan import Plan, PlannedExperiment
from headtohead.model.study.figures import ExperimentFigures, StudyFigures
from headtohead.plan.blocks import drawn
from headtohead.plan.interim_analyses import alpha_per_look

_ROUNDED = 1e-6
"""Numbers in files have 9 significant digits."""


def contradictions(plan: Plan, study: StudyFigures) -> Iterator[tuple[str, str]]:
    """Yield what in a plan does not follow from its study: the experiment (empty: all), and what it is.

    Not checked is what follows from the machine and from the content of workloads: CPUs, levels, cases, metrics.
    """
    for what, planned, asked in (
        ("the title", plan.title, study.title),
        ("the seed", plan.seed, study.seed),
        ("within_min", plan.within_min, study.within_min),
    ):
        if planned != asked and not _rounded(planned, asked):
            yield "", _differs(what, planned, asked)
    asked_for = {each.name: each for each in study.experiments}
    there = {each.name for each in plan.experiments} | {each.experiment for each in plan.left_out}
    for name in sorted(asked_for.keys() - there):
        yield "", f"lacks the experiment {name}, and does not say that it was left out"
    for experiment in plan.experiments:
        of_study = asked_for.get(experiment.name)
        if of_study is None:
            yield experiment.name, "has an experiment that the study does not"
        else:
            found = list(_figures(experiment, of_study))
            for says in found or _derived(experiment, seed=plan.seed):
                yield experiment.name, says


def _figures(planned: PlannedExperiment, asked: ExperimentFigures) -> Iterator[str]:
    """Yield each figure of an experiment that is another in the study."""
    for what in ("looks", "matters", "within_min", "share_driver", "orders"):
        if getattr(planned, what) != getattr(asked, what) and not _rounded(
            getattr(planned, what), getattr(asked, what)
        ):
            yield _differs(what, getattr(planned, what), getattr(asked, what))
    if asked.compare is not None and planned.compare != asked.compare:
        yield _differs("compare", planned.compare, asked.compare)
    if asked.primary is not None and planned.primary.name != asked.primary:
        yield _differs("primary", planned.primary.name, asked.primary)


def _derived(planned: PlannedExperiment, *, seed: int) -> Iterator[str]:
    """Yield what a plan draws or computes, if it differs: the order of its runs, its error."""
    if planned.runs != drawn(planned, seed=seed):
        yield "has its runs in another order than the seed gives"
    levels = alpha_per_look(planned.looks)
    for each in planned.comparisons:
        right = [level / len(planned.comparisons) for level in levels]
        close = [math.isclose(a, b, rel_tol=_ROUNDED) for a, b in zip(each.alpha, right, strict=False)]
        if len(each.alpha) != len(right) or not all(close):
            spent = ", ".join(f"{100 * alpha:.3g} %" for alpha in each.alpha)
            yield f"spends {spent} of error on the looks at {each.other}, where {100 * right[0]:.3g} % follow"


def _rounded(planned: object, asked: object) -> bool:
    """Return whether both are one number, which plan.json has with fewer digits."""
    if not isinstance(planned, float) or not isinstance(asked, float):
        return False
    return math.isclose(planned, asked, rel_tol=_ROUNDED)


def _differs(what: str, planned: object, asked: object) -> str:
    return f"has {planned} as {what}, where study.toml has {asked}"
