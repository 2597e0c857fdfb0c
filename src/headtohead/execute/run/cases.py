"""Walking the cases of a run: gate, measure, and again what a rule struck."""

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from headtohead.execute.context.run_context import Making
from headtohead.model.case import Case

Walk = tuple[Case, Sequence[Case]]
"""The fields that one start names, and the cases that it walks."""
Once = Callable[[Case, Sequence[Case], str], list[dict[str, Any]]]
"""Walks the cases of one start under a name of its own, and returns their records."""
Gate = Callable[[Case], None]
"""Waits until a case may begin."""
AGAIN = 3
"""So often a struck case is walked again. Three in ten are struck on a restless machine, and a sweep has seven: walked
again once, every other run would be made again as a whole; three times, one in twenty."""
AGAIN_ALONE = 6
"""The same where a program walks its cases itself: each time costs only what was struck. Of 34 kernels with every other
one struck, one run in four is still made again as a whole."""


def walk(making: Making, walks: Sequence[Walk], once: Once, *, gate: Gate) -> None:
    """Gate and walk each start's cases; walk again at the end what a rule struck, but for wrong answers: they stay.

    Of a program that walks several cases and stamps each, the struck ones alone are walked again, in a start of their
    own; of one that does not, all. A run whose only start has but one case is made again as a whole instead.
    """
    names = (f"walk-{number}" for number in count(1))
    stamped = [walk_one(making, each, once, gate=gate, name=next(names)) for each in walks]
    for _ in range(AGAIN_ALONE if any(stamped) else AGAIN if len(walks) > 1 else 0):
        for each, alone in zip(walks, stamped, strict=True):
            named, walked = each
            struck = _struck(making, walked, alone=alone)
            if struck and not alone:
                making.diary.forget(named)
            if struck:
                walk_one(making, (named, struck), once, gate=gate, name=next(names))


def _struck(making: Making, walked: Sequence[Case], *, alone: bool) -> Sequence[Case]:
    """Return the cases of one start that are to be walked again: each judged alone, or all as one."""
    if not alone:
        return walked if making.right(*walked) and not making.holds(*walked) else ()
    return [case for case in walked if making.right(case) and not making.holds(case)]


def walk_one(making: Making, walk: Walk, once: Once, *, gate: Gate, name: str) -> bool:
    """Gate and walk one start's cases; return whether they are several, each with instants of its own."""
    named, walked = walk
    gate(named)
    with making.diary.phase("measure", named):
        documents = once(named, walked, name)
    making.diary.keep(documents)
    return len(walked) > 1 and all(each.get("from_ns") is not None for each in documents)
