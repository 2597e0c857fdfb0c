"""Walk the cases of a run: gate and measure each, and repeat the cases that a rule excludes."""

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from headtohead.execute.context.run_context import RunContext
from headtohead.model.case import Case

Walk = tuple[Case, Sequence[Case]]
"""The fields that one start names, and the cases that it walks."""
Once = Callable[[Case, Sequence[Case], str], list[dict[str, Any]]]
"""Walks the cases of one start under its own name, and returns their records."""
Gate = Callable[[Case], None]
"""Waits until a case may begin."""
AGAIN = 3
"""The number of times that an excluded case is repeated. On a busy machine three cases in ten are excluded, and a sweep
has seven: with one repeat, every other run would be repeated as a whole; with three, one in twenty."""
AGAIN_ALONE = 6
"""The same for a program that walks its cases itself: a repeat takes only the excluded cases. If every other of 34
kernels is excluded each time, one run in four is still repeated as a whole."""


def walk(context: RunContext, walks: Sequence[Walk], once: Once, *, gate: Gate) -> None:
    """Gate and walk each start's cases; then repeat the cases that a rule excludes, except for wrong answers.

    If a program walks several cases and gives times for each, only the excluded ones are repeated, in a new start; else
    all cases of the start are. A run with one start and one case is repeated as a whole instead.
    """
    names = (f"walk-{number}" for number in count(1))
    stamped = [walk_one(context, each, once, gate=gate, name=next(names)) for each in walks]
    for _ in range(AGAIN_ALONE if any(stamped) else AGAIN if len(walks) > 1 else 0):
        for each, alone in zip(walks, stamped, strict=True):
            named, walked = each
            excluded = _excluded(context, [(case,) for case in walked] if alone else [walked])
            if excluded and not alone:
                context.log.forget(named)
            if excluded:
                walk_one(context, (named, excluded), once, gate=gate, name=next(names))


def _excluded(context: RunContext, groups: Sequence[Sequence[Case]]) -> Sequence[Case]:
    """Return the cases of one start to repeat, and note why; the cases of a group are judged together."""
    found: list[Case] = []
    for cases in groups:
        reasons = context.excluded_by(*cases) if context.all_correct(*cases) else ()
        if reasons:
            found += cases
            for case in cases:
                context.log.repeat(case, reasons)
    return found


def walk_one(context: RunContext, walk: Walk, once: Once, *, gate: Gate, name: str) -> bool:
    """Gate and walk one start's cases; return whether there are several, each with its own times."""
    named, walked = walk
    gate(named)
    with context.log.phase("measure", named):
        documents = once(named, walked, name)
    context.log.keep(documents)
    return len(walked) > 1 and all(each.get("from_ns") is not None for each in documents)
