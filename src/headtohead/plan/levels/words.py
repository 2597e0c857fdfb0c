"""Words for numbers, resolved: those of ``cpus`` by the machine, those of subjects by the treatment."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from headtohead.model.quantity import Scalar, Summary, scalar_text
from headtohead.model.study.count_words import COUNTABLE, SEVERAL, is_word, numbers
from headtohead.model.study.study import Factor
from headtohead.model.study.workload import Load

Choice = tuple[str, Scalar]
"""A resolved level: its label, and its value."""


@dataclass
class CameTo:
    """The numbers of each level of a factor, and which of them an earlier level had already."""

    name: str
    all_: dict[Scalar, list[Scalar]] = field(default_factory=dict)
    merged: dict[Scalar, list[Scalar]] = field(default_factory=dict)

    def add(self, level: Scalar, number: Scalar, *, merged: bool) -> None:
        """Keep the number of a level, as written, in one treatment."""
        for kept in (self.all_, self.merged) if merged else (self.all_,):
            if number not in kept.setdefault(level, []):
                kept[level].append(number)

    def notes(self, *, by_treatment: bool = False) -> Iterator[str]:
        """Yield a sentence for each word, and for each number that was merged with a word."""
        for level, came in self.all_.items():
            merged = self.merged.get(level, [])
            if not is_word(level) and not merged:
                continue
            text = f"The level {self.name} = {_quoted(level)} comes to {_listed(came)} here"
            text += ", by the CPUs of the treatment" if by_treatment else ""
            if merged:
                text += " and " if merged == came else f", and {_listed(merged)} "
                text += f"{'is' if len(merged) == 1 else 'are'} merged with the level before it"
            yield f"{text}."


class Merger:
    """Which combinations of levels a word has made equal to earlier ones; equal numbers as written differ by label."""

    def __init__(self, counted: Sequence[str]) -> None:
        """Follow the ``counted`` factors, the only ones with words other than ``cpus``."""
        self._came = {name: CameTo(name) for name in counted}
        self._seen: dict[tuple[str, ...], bool] = {}

    def has(self, written: Mapping[str, Choice], chosen: Mapping[str, Choice]) -> bool:
        """Return whether the numbers of these levels exist already, and keep them."""
        parts = (scalar_text(value) if name in self._came else label for name, (label, value) in chosen.items())
        key, worded = tuple(parts), any(is_word(written[name][1]) for name in self._came)
        merged = key in self._seen and (worded or self._seen[key])
        for name, came in self._came.items():
            level = written[name][1]
            came.add(level, chosen[name][1], merged=merged and is_word(level) == worded)
        self._seen.setdefault(key, worded)
        return merged

    def notes(self, *, by_treatment: bool) -> Iterator[str]:
        """Yield the notes about the levels."""
        for came in self._came.values():
            yield from came.notes(by_treatment=by_treatment)


def of_machine(factor: Factor, *, most: int, notes: list[str]) -> Iterator[Choice]:
    """Yield the levels of ``cpus``, resolved; a word and a number that are equal are merged.

    ``most`` is the meaning of ``all``.
    """
    came = CameTo(factor.name)
    from_word: dict[int, bool] = {}
    for level in factor.levels:
        word = level.value if isinstance(level.value, str) else None
        for count in numbers(word, most) if word else (int(level.value),):
            merged = count in from_word and (word is not None or from_word[count])
            came.add(level.value, count, merged=merged)
            if not merged:
                from_word[count] = word is not None
                yield (scalar_text(count) if level.label == word else level.label), count
    notes += came.notes()


@dataclass(frozen=True)
class OfTreatment:
    """The words of the ``counted`` factors, resolved by the CPUs of each treatment.

    If the CPUs differ between treatments (``vary``), a word for one number is the label too: "as many as there are
    CPUs" is then what treatments of different CPUs have in common.
    """

    counted: Sequence[str]
    vary: bool

    def levels(self, written: Mapping[str, Choice], cpus: int) -> Iterator[Mapping[str, Choice]]:
        """Yield the levels of a treatment with this number of CPUs; a word for several numbers makes several."""
        resolved = [list(self._choices(name, choice, cpus=cpus)) for name, choice in written.items()]
        for each in itertools.product(*resolved):
            yield dict(zip(written, each, strict=True))

    def _choices(self, name: str, choice: Choice, *, cpus: int) -> Iterator[Choice]:
        label, value = choice
        if name not in self.counted or not is_word(value):
            yield choice
            return
        for number in numbers(str(value), cpus):
            kept = label != value or (self.vary and value != SEVERAL)
            yield (label if kept else scalar_text(number)), number


def of_load(
    load: Load, summaries: Sequence[Summary], *, cpus: int
) -> tuple[Load, tuple[Summary, ...], tuple[str, ...]]:
    """Return a load and its summaries with the words in their cases as numbers, and a note for each such field.

    ``cpus`` is the number of the treatment with the most. Each number occurs once, in the order of the words.
    """
    worded = [name for name, values in load.cases.items() if name in COUNTABLE and any(map(is_word, values))]
    cases = {name: _numbers(values, cpus) if name in worded else values for name, values in load.cases.items()}
    notes = tuple(
        f"In the load, {name} {_quoted(load.cases[name])} comes to {_listed(cases[name])}." for name in worded
    )
    of_cases = tuple(replace(each, where=_where(each.where, cpus=cpus)) for each in summaries)
    return replace(load, cases=cases), of_cases, notes


def _where(where: Mapping[str, tuple[Scalar, ...]], *, cpus: int) -> Mapping[str, tuple[Scalar, ...]]:
    return {name: _numbers(values, cpus) if name in COUNTABLE else values for name, values in where.items()}


def _numbers(values: Sequence[Scalar], cpus: int) -> tuple[Scalar, ...]:
    each = (numbers(str(value), cpus) if is_word(value) else (value,) for value in values)
    return tuple(dict.fromkeys(itertools.chain(*each)))


def _quoted(value: Scalar | Sequence[Scalar]) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool | int | float):
        return scalar_text(value)
    return f"= [{', '.join(map(_quoted, value))}]"


def _listed(values: Sequence[Scalar]) -> str:
    texts = [scalar_text(each) for each in values]
    return " and ".join(filter(None, (", ".join(texts[:-1]), texts[-1])))
