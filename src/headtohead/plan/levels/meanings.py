"""The meaning of a number that a count word gave on this machine: what it has in common with other machines."""

from collections.abc import Mapping, Sequence

from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.study.count_words import SEVERAL, is_word, numbers
from headtohead.model.study.study import Experiment
from headtohead.model.study.subject import SubjectFactor

CPUS = "cpus"


def meanings(
    experiment: Experiment,
    factors: Mapping[str, SubjectFactor],
    levels: Mapping[str, Scalar],
    settings: Mapping[str, Scalar],
    *,
    cpus: int,
    most: int,
) -> Mapping[str, tuple[str, ...]]:
    """Return, for each factor whose number a word gave, the words as the study writes them.

    A level that the study also writes as a number has the number's text among them: both meanings are its own.
    ``levels`` are the treatment's levels as written, but for those of the experiment's factors; ``settings`` are the
    resolved values of ``factors``; ``cpus`` is the number of the treatment's CPUs, and ``most`` the meaning of "all" in
    the factor of that name.

    >>> _texts(("half", "all"), 1, cpus=1)
    ('half', 'all')
    """
    written = {each.name: [level.value for level in each.levels] for each in experiment.factors}
    found = {CPUS: _texts(written[CPUS], int(levels[CPUS]), cpus=most)} if CPUS in written else {}
    for name, value in settings.items():
        if factors[name].counted:
            choices = written.get(name, [levels.get(name, factors[name].default)])
            found[name] = _texts(choices, value, cpus=cpus)
    return {name: texts for name, texts in found.items() if any(map(is_word, texts))}


def _texts(written: Sequence[Scalar], value: Scalar, *, cpus: int) -> tuple[str, ...]:
    """Return the levels as written that stand for a value; of a word for several numbers, the number itself."""
    texts = []
    for each in written:
        if is_word(each):
            texts += [scalar_text(value) if each == SEVERAL else str(each)] if value in numbers(str(each), cpus) else []
        elif scalar_text(each) == scalar_text(value):
            texts.append(scalar_text(value))
    return tuple(dict.fromkeys(texts))
