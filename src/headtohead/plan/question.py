"""The question of an experiment as this machine answers it: ``{from}`` and ``{to}`` become the levels compared."""

from collections.abc import Sequence

from headtohead.model.plan import Treatment
from headtohead.model.quantity import scalar_text
from headtohead.model.study.study import FROM, TO, Experiment


def filled(experiment: Experiment, treatments: Sequence[Treatment]) -> str:
    """Return the question with the first and the last compared level of the treatments in its words."""
    levels = [each.levels[experiment.compare] for each in treatments if experiment.compare and not each.floor]
    if not levels:
        return experiment.question
    first, last = scalar_text(levels[0]), scalar_text(levels[-1])
    return experiment.question.replace(FROM, first).replace(TO, last)
