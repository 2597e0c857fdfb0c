"""Walking the cases of a run: gate, measure, and again what a rule struck."""

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from headtohead.execute.making import Making
from headtohead.model.quantity import Case

Walk = tuple[Case, Sequence[Case]]
"""The fields that one start names, and the cases that it walks."""
Once = Callable[[Case, Sequence[Case], str], list[dict[str, Any]]]
"""Walks the cases of one start under a name of its own, and returns their records."""
Gate = Callable[[Case], None]
"""Waits until a case may begin."""
AGAIN = 3
"""So often a struck case is walked again. Three in ten are struck on a restless machine, and a sweep has seven: walked
again once, every other run would be made again as a whole; three times, one in twenty."""


def walk(making: Making, walks: Sequence[Walk], once: Once, *, gate: Gate) -> None:
    """Gate and walk each start's cases; walk again at the end what a rule struck, but for wrong answers: they stay."""
    names = (f"walk-{number}" for number in count(1))
    for each in walks:
        walk_one(making, each, once, gate=gate, name=next(names))
    for _ in range(AGAIN if len(walks) > 1 else 0):
        for named, walked in walks:
            if making.right(*walked) and not making.holds(*walked):
                making.diary.forget(named)
                walk_one(making, (named, walked), once, gate=gate, name=next(names))


def walk_one(making: Making, walk: Walk, once: Once, *, gate: Gate, name: str) -> None:
    """Gate and walk one start's cases."""
    named, walked = walk
    gate(named)
    with making.diary.phase("measure", named):
        documents = once(named, walked, name)
    making.diary.keep(documents)
