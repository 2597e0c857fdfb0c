"""Counts of things that can work in parallel, and the words for such counts on any machine."""

from collections.abc import Iterator

from headtohead.model.quantity import Scalar

COUNTABLE = ("cpus", "copies", "threads", "processes", "workers")
"""Factors and case fields whose values count such things; only ``cpus`` belongs to the host."""

SEVERAL = "doubling"
"""The word that gives several numbers; every other one gives one."""

CPU_WORDS = ("all", "half", SEVERAL)
"""The words that a level of ``cpus`` may have instead of a number."""

COUNT_WORDS = (*CPU_WORDS, "twice")
"""The words of all other counts: more things may work at once than there are CPUs."""


def is_word(value: Scalar) -> bool:
    """Return whether a value is one of the words for a count."""
    return isinstance(value, str) and value in COUNT_WORDS


def numbers(word: str, cpus: int) -> tuple[int, ...]:
    """Return the numbers that a word gives on this number of CPUs, rising.

    >>> numbers("half", 6), numbers("all", 6), numbers("twice", 6), numbers("doubling", 6)
    ((3,), (6,), (12,), (1, 2, 4, 6))
    """
    if word == SEVERAL:
        return (*_powers_below(cpus), cpus)
    return ({"all": cpus, "half": max(1, cpus // 2), "twice": 2 * cpus}[word],)


def _powers_below(limit: int) -> Iterator[int]:
    power = 1
    while power < limit:
        yield power
        power *= 2
