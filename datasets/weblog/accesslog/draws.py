"""Draws that only the log of a web server needs."""

from random import Random

from draws import draw, make_word


def low(rng: Random, count: int) -> int:
    """Return a number from 0 to ``count`` - 1, the low ones more often."""
    return int(rng.random() * rng.random() * count)


def shuffled(rng: Random, count: int) -> list[int]:
    """Return the numbers from 0 to ``count`` - 1 in an order drawn at random (Fisher and Yates)."""
    order = list(range(count))
    for place in range(count - 1, 0, -1):
        other = draw(rng, place + 1)
        order[place], order[other] = order[other], order[place]
    return order


def word(rng: Random, *, most: int = 3) -> str:
    """Return a word of one to ``most`` syllables, lower case, ASCII."""
    return make_word(rng, syllables=1 + draw(rng, most))
