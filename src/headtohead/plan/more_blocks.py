"""Blocks for a study that has ended: one more interim analysis, with a level of its own."""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from headtohead.model.plan import AddedBlocks, MoreBlocks, Plan, PlannedExperiment
from headtohead.model.rules import ADDED_ERROR
from headtohead.plan.blocks import drawn

ROUNDED: Final = 1e-6
"""Numbers in files have 9 significant digits."""


def more_blocks(
    plan: Plan, *, experiments: Collection[str], blocks: int, earlier: Sequence[MoreBlocks] = ()
) -> Iterator[MoreBlocks]:
    """Yield the blocks that are added to these experiments.

    ``plan`` already has the ``earlier`` ones. The planned analyses have spent their 5 %, so whoever adds blocks because
    a verdict is missing needs new error: by Bonferroni at most 1 % for any number of additions (ADR 56).
    """
    for each in (one for one in plan.experiments if one.name in experiments):
        rounds = sum(one.experiment == each.name for one in earlier)
        yield _more(each, seed=plan.seed, blocks=blocks, level=ADDED_ERROR / 2**rounds)


def _more(planned: PlannedExperiment, *, seed: int, blocks: int, level: float) -> MoreBlocks:
    last = planned.looks[-1]
    whole = drawn(replace(planned, looks=(*planned.looks, last + blocks)), seed=seed)
    runs = tuple(each for each in whole if each.block > last)
    return MoreBlocks(planned.name, last + blocks, level / max(1, len(planned.comparisons)), runs)


def as_planned(base: Plan, every: AddedBlocks) -> Iterator[str]:
    """Yield what in added blocks does not follow from the plan: their number is free, all else is not."""
    for name in set(every.only) - {each.name for each in base.experiments}:
        yield f"goes on with {name[:80]!r}, which the plan does not have"
    for place, added in enumerate(every.more):
        before = every.more[:place]
        plan = base.with_more(AddedBlocks(before))
        own = next((each for each in plan.experiments if each.name == added.experiment), None)
        if own is None or added.look <= own.looks[-1]:
            yield f"adds blocks to {added.experiment[:80]!r} that cannot be added"
            return
        blocks = added.look - own.looks[-1]
        (right,) = more_blocks(plan, experiments=[own.name], blocks=blocks, earlier=before)
        if right.runs != added.runs or not math.isclose(right.alpha, added.alpha, rel_tol=ROUNDED):
            yield f"has other runs, or another level, in the blocks added to {own.name} than the seed and ADR 56 give"
