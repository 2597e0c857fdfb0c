"""Randomized complete blocks: every block holds every treatment once, every run every case, in random order."""

import hashlib
import itertools
from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeVar

from headtohead.model.case import Case
from headtohead.model.plan import PlannedRun
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


def randomized(treatments: Sequence[str], cases: Sequence[Case], *, blocks: int, rng: Random) -> tuple[PlannedRun, ...]:
    """Return the runs of all blocks in the order they are made; blocks and places are counted from 1."""
    runs = []
    for block in range(1, blocks + 1):
        for place, treatment in enumerate(shuffled(treatments, rng=rng), start=1):
            order = shuffled(cases, rng=rng)
            runs.append(PlannedRun(block=block, place=place, treatment=treatment, cases=order))
    return tuple(runs)
