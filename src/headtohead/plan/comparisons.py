"""Which treatments are compared, how much error each comparison may spend, and the question in these levels."""

from collections.abc import Sequence

from headtohead.model.machine.bench import SERVER
from headtohead.model.plan import Comparison, Treatment
from headtohead.model.quantity import scalar_text
from headtohead.model.study.study import FROM, TO, Experiment
from headtohead.plan.arms import Arm
from headtohead.plan.interim_analyses import alpha_per_look


def make_comparisons(experiment: Experiment, arms: Sequence[Arm]) -> tuple[Comparison, ...]:
    """Return, for each combination of the other factors' levels, the baseline against every other level of ``compare``.

    Floors are compared only if there are only floors. Each of K comparisons gets 1 / K of an interim analysis's error.
    """
    factor = experiment.compare
    if factor is None:
        return ()
    kept = [arm for arm in arms if not arm.treatment.floor] or list(arms)
    levels = list(dict.fromkeys(arm.labels[factor] for arm in kept))
    others = [name for name in experiment_factors(kept) if name != factor and _varies(kept, name)]
    pairs = []
    for combination in dict.fromkeys(_at(arm, others) for arm in kept):
        by_level = {arm.labels[factor]: arm for arm in kept if _at(arm, others) == combination}
        baseline = by_level.get(levels[0])
        if baseline:
            pairs += [(baseline, by_level[level]) for level in levels[1:] if level in by_level]
    alpha = tuple(level / len(pairs) for level in alpha_per_look(experiment.looks)) if pairs else ()
    return tuple(
        Comparison(
            factor=factor,
            baseline=baseline.treatment.label,
            other=other.treatment.label,
            fixed={
                name: baseline.labels[name] if _is_named(name, baseline) else baseline.treatment.levels[name]
                for name in others
            },
            alpha=alpha,
        )
        for baseline, other in pairs
    )


def filled_question(experiment: Experiment, treatments: Sequence[Treatment]) -> str:
    """Return the question with the first and the last compared level of the treatments in its words."""
    levels = [each.levels[experiment.compare] for each in treatments if experiment.compare and not each.floor]
    if not levels:
        return experiment.question
    first, last = scalar_text(levels[0]), scalar_text(levels[-1])
    return experiment.question.replace(FROM, first).replace(TO, last)


def _is_named(factor: str, arm: Arm) -> bool:
    """Return whether a fixed level goes by its label: a subject's, and on a bench every one, as "all" is there."""
    return factor == "subject" or SERVER in arm.labels


def experiment_factors(arms: Sequence[Arm]) -> tuple[str, ...]:
    """Return the names of the factors, in the order they are written."""
    return tuple(arms[0].labels) if arms else ()


def _varies(arms: Sequence[Arm], factor: str) -> bool:
    return len({arm.labels[factor] for arm in arms}) > 1


def _at(arm: Arm, factors: Sequence[str]) -> tuple[str, ...]:
    return tuple(arm.labels[name] for name in factors)
