"""Complete blocks: every block holds every treatment once, every run every case, in random order.

If a study requests it, the orders of treatments are balanced for predecessors instead.
"""

import hashlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import TypeVar

from headtohead.model.case import Case
from headtohead.model.plan import PlannedExperiment, PlannedRun
from headtohead.model.quantity import Scalar

_Thing = TypeVar("_Thing")


def chance(seed: int, name: str) -> Random:
    """Return the source of all random orders of one experiment: its numbers depend on the study's seed and its name."""
    digest = hashlib.sha256(f"{seed}:{name}".encode()).digest()
    return Random(int.from_bytes(digest[:8], "big"))


def shuffled(things: Sequence[_Thing], *, rng: Random) -> tuple[_Thing, ...]:
    """Return the things in random order.

    Fisher and Yates's shuffle over ``rng.random()``: Python promises never to change its numbers, unlike those of
    ``rng.shuffle``.
    """
    order = list(things)
    for last in range(len(order) - 1, 0, -1):
        chosen = int(rng.random() * (last + 1))
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def walk(cases: Mapping[str, Sequence[Scalar]]) -> tuple[Case, ...]:
    """Return every combination of the case fields, in the order written; one empty case if there are no fields."""
    return tuple(Case(dict(zip(cases, values, strict=True))) for values in itertools.product(*cases.values()))


def drawn(planned: PlannedExperiment, *, seed: int) -> tuple[PlannedRun, ...]:
    """Return the runs of all blocks of an experiment in the order they are made; its seed depends on its name."""
    labels, rng = [each.label for each in planned.treatments], chance(seed, planned.name)
    draw = balanced if planned.orders == "balanced" else randomized
    return draw(labels, planned.cases, blocks=planned.looks[-1], rng=rng)


def randomized(treatments: Sequence[str], cases: Sequence[Case], *, blocks: int, rng: Random) -> tuple[PlannedRun, ...]:
    """Return the runs of blocks in the order they are made; blocks and places are counted from 1."""
    runs: list[PlannedRun] = []
    for block in range(1, blocks + 1):
        runs += _block(block, shuffled(treatments, rng=rng), cases, rng=rng)
    return tuple(runs)


def balanced(treatments: Sequence[str], cases: Sequence[Case], *, blocks: int, rng: Random) -> tuple[PlannedRun, ...]:
    """Return runs of which each treatment comes after each other one equally often in the blocks of a square.

    A square has a block for each treatment if their number is even, two for each if it is odd; the last may be cut off.
    Which treatment is which, and the order of the blocks, are drawn for each square.

    Invariant:  in a whole square each treatment is at each place equally often.
    Reference:  Williams (1949), Aust. J. Sci. Res. A 2.
    """
    runs: list[PlannedRun] = []
    while len(runs) < blocks * len(treatments):
        labels = shuffled(treatments, rng=rng)
        for row in shuffled(_square(len(treatments)), rng=rng):
            runs += _block(len(runs) // len(treatments) + 1, [labels[each] for each in row], cases, rng=rng)
    return tuple(runs[: blocks * len(treatments)])


def _square(count: int) -> list[tuple[int, ...]]:
    """Return the rows of a Williams square over 0 to count - 1; of an odd number also each row reversed.

    >>> _square(4)
    [(0, 1, 3, 2), (1, 2, 0, 3), (2, 3, 1, 0), (3, 0, 2, 1)]
    """
    steps = [(place + 1) // 2 if place % 2 else -(place // 2) for place in range(count)]
    rows = [tuple((first + step) % count for step in steps) for first in range(count)]
    return rows if count % 2 == 0 else [*rows, *(row[::-1] for row in rows)]


def _block(block: int, order: Sequence[str], cases: Sequence[Case], *, rng: Random) -> Iterator[PlannedRun]:
    """Yield the runs of a block in this order of treatments."""
    for place, treatment in enumerate(order, start=1):
        yield PlannedRun(block=block, place=place, treatment=treatment, cases=shuffled(cases, rng=rng))
