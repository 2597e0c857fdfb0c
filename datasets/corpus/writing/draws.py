"""Draws that are the same everywhere: integers, from ``random.random()`` alone."""

from bisect import bisect_right
from collections.abc import Sequence
from random import Random

ONSETS = ("b", "br", "c", "ch", "d", "f", "g", "h", "l", "m", "n", "p", "pl", "r", "s", "st", "t", "tr", "v", "w")
VOWELS = ("a", "e", "i", "o", "u", "ea", "ou")
ENDS = ("", "", "", "l", "n", "r", "s", "t", "nd", "st")


def draw(rng: Random, count: int) -> int:
    """Return a number from 0 to ``count`` - 1, each as likely."""
    return int(rng.random() * count)


def one_of(rng: Random, choices: Sequence[str]) -> str:
    """Return one of several texts."""
    return choices[draw(rng, len(choices))]


def names(rng: Random, count: int) -> list[str]:
    """Return so many different names of one to four syllables, the short ones first, as frequent words are short."""
    found: dict[str, None] = {}
    while len(found) < count:
        syllables = 1 + draw(rng, 1 + min(3, len(found) // 150))
        found["".join(one_of(rng, ONSETS) + one_of(rng, VOWELS) + one_of(rng, ENDS) for _ in range(syllables))] = None
    return list(found)


class Ranked:
    """Draws from a list, the first ones most: Zipf's law in integers."""

    def __init__(self, rng: Random, choices: Sequence[str]) -> None:
        self._rng, self._choices, self._sums, total = rng, choices, [], 0
        for rank in range(1, len(choices) + 1):
            total += 10_000_000 // rank
            self._sums.append(total)

    def draw(self) -> str:
        """Return one of the choices."""
        return self._choices[bisect_right(self._sums, draw(self._rng, self._sums[-1]))]
