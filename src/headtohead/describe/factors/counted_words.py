"""The count words ``"all"``, ``"half"``, ``"doubling"`` and ``"twice"``, for counts of things that work at once."""

from collections.abc import Sequence

from headtohead.describe.toml.position import Place, nearest, toml_text
from headtohead.model.quantity import Scalar
from headtohead.model.study.count_words import COUNT_WORDS, COUNTABLE, CPU_WORDS, SEVERAL, is_word
from headtohead.model.study.subject import SubjectFactor

_OWN = tuple(name for name in COUNTABLE if name != "cpus")


def check_cpus(value: Scalar, place: Place) -> None:
    """Raise WordsError unless the value is a number of CPUs, or a word for one."""
    if isinstance(value, str) and value in CPU_WORDS:
        return
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        why = 'CPUs are a whole number from 1, "all", "half" or "doubling".'
        remedy = (isinstance(value, str) and nearest(value, CPU_WORDS)) or 'For example cpus = [1, "all"].'
        raise place.wrong(f"{toml_text(value)} is not a number of CPUs", why=why, remedy=remedy)


def check_word(factor: SubjectFactor, value: str, *, place: Place) -> None:
    """Raise WordsError unless a text among the levels of a range is a count word that the factor accepts."""
    if factor.counted:
        if value not in COUNT_WORDS:
            why = f"A level of {factor.name} is a number, or a word that counts CPUs: {_listed(COUNT_WORDS)}."
            remedy = nearest(value, COUNT_WORDS) or f'For example {factor.name} = [1, "all"].'
            raise place.wrong(f"{toml_text(value)} is not a number of {factor.name}", why=why, remedy=remedy)
    elif is_word(value):
        why = f"Words for a number are only for counts of things that work at once: cpus, {', '.join(_OWN)}."
        raise place.wrong(f"{toml_text(value)} is not a number of {factor.name}", why=why, remedy="Write a number.")


def check_single(name: str, value: Scalar, *, place: Place) -> None:
    """Raise WordsError for the word that means several numbers in a place that takes one level."""
    if name in COUNTABLE and value == SEVERAL:
        why = "It means several levels: 1, 2, 4 and so on, up to all CPUs."
        remedy = f'Write {name} = ["{SEVERAL}"] under factors, or "all" here.'
        raise place.wrong(f'"{SEVERAL}" is not a single level', why=why, remedy=remedy)


def is_count(field: str, value: object) -> bool:
    """Return whether a field of the load is one count word for a number of things that work at once."""
    return field in _OWN and isinstance(value, str)


def check_cases(field: str, values: Sequence[Scalar], *, place: Place) -> None:
    """Raise WordsError for a text among the numbers of a case field, unless the field accepts it as a count word."""
    texts = [each for each in values if isinstance(each, str)]
    if field in _OWN:
        for each in texts:
            if each not in COUNT_WORDS:
                why = f"Cases of {field} are numbers, or words that count CPUs: {_listed(COUNT_WORDS)}."
                remedy = nearest(each, COUNT_WORDS) or f'For example {field} = ["{SEVERAL}", "twice"].'
                raise place.wrong(f"{toml_text(each)} is not a number of {field}", why=why, remedy=remedy)
    elif len(texts) < len(values) and any(map(is_word, texts)):
        why = f"Words for a number are only for counts of things that work at once: {', '.join(_OWN)}."
        raise place.wrong(f"{toml_text(values)} among the numbers", why=why, remedy="Write only numbers.")


def _listed(words: Sequence[str]) -> str:
    quoted = [f'"{each}"' for each in words]
    return f"{', '.join(quoted[:-1])} or {quoted[-1]}"
