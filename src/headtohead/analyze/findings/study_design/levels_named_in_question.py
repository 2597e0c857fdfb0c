"""Whether the words of a question name the levels that were compared."""

import re
from collections.abc import Iterator

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.model.finding import Finding, Severity
from headtohead.model.quantity import scalar_text

NOUNS = {
    "cpus": "CPUs?|cores?|processors?",
    "copies": "cop(?:y|ies)",
    "threads": "threads?|CPUs?|cores?|processors?",
    "processes": "process(?:es)?",
}
"""What questions call the units of a factor."""
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "sixteen")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "sixteenth")
VALUES = (1, 2, 3, 4, 5, 6, 7, 8, 16)
WORTH = {**dict(zip(NUMBERS, VALUES, strict=True)), **dict(zip(ORDINALS, VALUES, strict=True))}


def other_levels(whole: Whole) -> Iterator[Finding]:
    """Yield a doubt if the question names a number of the compared factor that is none of its levels here.

    A "second" CPU is compared with one less: it needs the levels 1 and 2.
    """
    factor = whole.experiment.compare
    if factor is None or factor not in NOUNS:
        return
    levels = list(dict.fromkeys(each.levels[factor] for each in whole.experiment.treatments if factor in each.levels))
    if len(levels) < 2:
        return
    named = _named(whole.experiment.question, NOUNS[factor])
    missing = [number for number in named if number not in levels]
    if missing:
        yield Finding(
            id="question-differs",
            severity=Severity.DOUBT,
            says=f"The question names {missing[0]} {factor}, but {_listed(levels)} were compared.",
            advice="Give the factor the levels that the question names, or write {from} and {to} in the question.",
            evidence={"named": missing[0], "levels": _listed(levels)},
        )


def _named(question: str, noun: str) -> list[int]:
    """Return the numbers before the noun; an ordinal names the one before it too.

    >>> _named("What does a second CPU buy?", NOUNS["cpus"])
    [1, 2]
    >>> _named("What do 4 CPUs buy?", NOUNS["cpus"])
    [4]
    """
    found: list[int] = []
    for word in re.findall(rf"\b(\w+)[ -](?:{noun})\b", question, re.IGNORECASE):
        plain = word.lower()
        number = int(plain) if plain.isascii() and plain.isdigit() and len(plain) < 5 else WORTH.get(plain)
        if number is not None:
            found += [number - 1, number] if plain in ORDINALS and number > 1 else [number]
    return list(dict.fromkeys(found))


def _listed(levels: list[str | int | float | bool]) -> str:
    return " and ".join(map(scalar_text, levels))
