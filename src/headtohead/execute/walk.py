"""Walking the cases of a run: gate, measure, and once more what a rule struck."""

from collections.abc import Callable, Sequence
from typing import Any

from headtohead.execute.making import Making
from headtohead.model.quantity import Case

Walk = tuple[Case, Sequence[Case]]
"""The fields that one start names, and the cases that it walks."""
Once = Callable[[Case, Sequence[Case], str], list[dict[str, Any]]]
"""Walks the cases of one start under a name of its own, and returns their records."""
Gate = Callable[[Case], None]
"""Waits until a case may begin."""


def walk(making: Making, walks: Sequence[Walk], once: Once, *, gate: Gate) -> None:
    """Gate and walk each start's cases; walk again, once and at the end, what a rule struck."""
    for number, each in enumerate(walks, start=1):
        walk_one(making, each, once, gate=gate, name=f"walk-{number}")
    struck = [each for each in walks if len(walks) > 1 and not making.holds(*each[1])]
    for number, (named, walked) in enumerate(struck, start=len(walks) + 1):
        making.diary.forget(named)
        walk_one(making, (named, walked), once, gate=gate, name=f"walk-{number}")


def walk_one(making: Making, walk: Walk, once: Once, *, gate: Gate, name: str) -> None:
    """Gate and walk one start's cases."""
    named, walked = walk
    gate(named)
    with making.diary.phase("measure", named):
        documents = once(named, walked, name)
    making.diary.keep(documents)
