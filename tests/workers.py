"""CPUs for each of several processes that run tests side by side."""

from collections.abc import Collection

FEWEST = 2
"""A server and its load generator need a CPU each."""


def share(cpus: Collection[int], number: int, *, of: int) -> frozenset[int]:
    """Return the CPUs of one of several workers, numbered from 0; all CPUs if there are too few to go round."""
    each = len(cpus) // of
    if each < FEWEST:
        return frozenset(cpus)
    first = number % of * each
    return frozenset(sorted(cpus)[first : first + each])
