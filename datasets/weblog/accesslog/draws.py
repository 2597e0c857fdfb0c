"""Chance, made from ``random()`` and whole numbers alone, so that the same seed gives the same bytes everywhere."""

from bisect import bisect_right
from collections.abc import Sequence
from random import Random

ONSETS = ("b", "br", "c", "ch", "d", "f", "g", "h", "l", "m", "n", "p", "pl", "r", "s", "st", "t", "tr", "v", "w")
VOWELS = ("a", "e", "i", "o", "u", "ea", "ou")
ENDS = ("", "", "", "l", "n", "r", "s", "t", "nd", "st")


def draw(rng: Random, count: int) -> int:
    """Return a number from 0 to ``count`` - 1, each as likely."""
    return int(rng.random() * count)


def low(rng: Random, count: int) -> int:
    """Return a number from 0 to ``count`` - 1, the low ones more often."""
    return int(rng.random() * rng.random() * count)


def running_sums(weights: Sequence[int]) -> list[int]:
    """Return the running sums of whole weights."""
    sums, total = list[int](), 0
    for weight in weights:
        total += weight
        sums.append(total)
    return sums


def zipf_sums(count: int) -> list[int]:
    """Return the running sums of Zipf's weights, 1 / rank in integers."""
    return running_sums([10_000_000 // rank for rank in range(1, count + 1)])


def ranked(rng: Random, sums: Sequence[int]) -> int:
    """Return a place from 0, drawn by the weights whose running sums are given."""
    return bisect_right(sums, draw(rng, sums[-1]))


def shuffled(rng: Random, count: int) -> list[int]:
    """Return the numbers from 0 to ``count`` - 1 in an order drawn at random (Fisher and Yates)."""
    order = list(range(count))
    for place in range(count - 1, 0, -1):
        other = draw(rng, place + 1)
        order[place], order[other] = order[other], order[place]
    return order


def word(rng: Random, *, most: int = 3) -> str:
    """Return a word of one to ``most`` syllables, lower case, ASCII."""
    parts = (kind[draw(rng, len(kind))] for _ in range(1 + draw(rng, most)) for kind in (ONSETS, VOWELS, ENDS))
    return "".join(parts)
