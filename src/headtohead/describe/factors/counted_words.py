"""``"all"``, ``"half"``, ``"doubling"`` and ``"twice"``: where what works at once is counted, and only there."""

from collections.abc import Sequence

from headtohead.describe.toml.position import Place, nearest, toml_text
from headtohead.model.quantity import Scalar
from headtohead.model.study.counts import COUNT_WORDS, COUNTABLE, CPU_WORDS, SEVERAL, is_word
from headtohead.model.study.subject import SubjectFactor

_OWN = tuple(name for name in COUNTABLE if name != "cpus")


def check_cpus(value: Scalar, place: Place) -> None:
    """Raise WordsError unless the value is a number of CPUs, or a word for one."""
    if isinstance(value, str) and value in CPU_WORDS:
        return
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        why = 'CPUs are a whole number from 1, "all", "half" or "doubling".'
        remedy = (isinstance(value, str) and nearest(value, CPU_WORDS)) or 'For example cpus = [1, "all"].'
        raise place.wrong(f"{toml_text(value)} is no number of CPUs", why=why, remedy=remedy)


def check_word(factor: SubjectFactor, value: str, *, place: Place) -> None:
    """Raise WordsError unless a text, where levels are a range, is a word that this factor knows."""
    if factor.counted:
        if value not in COUNT_WORDS:
            why = f"A level of {factor.name} is a number, or goes by the CPUs: {_listed(COUNT_WORDS)}."
            remedy = nearest(value, COUNT_WORDS) or f'For example {factor.name} = [1, "all"].'
            raise place.wrong(f"{toml_text(value)} is no number of {factor.name}", why=why, remedy=remedy)
    elif is_word(value):
        why = f"Words for a number are of what counts the things that work at once: cpus, {', '.join(_OWN)}."
        raise place.wrong(f"{toml_text(value)} is no number of {factor.name}", why=why, remedy="Write a number.")


def check_single(name: str, value: Scalar, *, place: Place) -> None:
    """Raise WordsError for the word that comes to several numbers where there can be one level only."""
    if name in COUNTABLE and value == SEVERAL:
        why = "It comes to several levels: 1, 2, 4 and so on, up to all CPUs."
        remedy = f'Write {name} = ["{SEVERAL}"] under factors, or "all" here.'
        raise place.wrong(f'"{SEVERAL}" is no single level', why=why, remedy=remedy)


def is_count(field: str, value: object) -> bool:
    """Return whether a field of the load stands as one text for a number of things that work at once."""
    return field in _OWN and isinstance(value, str)


def check_cases(field: str, values: Sequence[Scalar], *, place: Place) -> None:
    """Raise WordsError for a text among the numbers of a case field, unless it is a word that the field may hold."""
    texts = [each for each in values if isinstance(each, str)]
    if field in _OWN:
        for each in texts:
            if each not in COUNT_WORDS:
                why = f"Cases of {field} are numbers, or go by the machine's CPUs: {_listed(COUNT_WORDS)}."
                remedy = nearest(each, COUNT_WORDS) or f'For example {field} = ["{SEVERAL}", "twice"].'
                raise place.wrong(f"{toml_text(each)} is no number of {field}", why=why, remedy=remedy)
    elif len(texts) < len(values) and any(map(is_word, texts)):
        why = f"Words for a number are of what counts the things that work at once: {', '.join(_OWN)}."
        raise place.wrong(f"{toml_text(values)} among the numbers", why=why, remedy="Write numbers alone.")


def _listed(words: Sequence[str]) -> str:
    quoted = [f'"{each}"' for each in words]
    return f"{', '.join(quoted[:-1])} or {quoted[-1]}"
