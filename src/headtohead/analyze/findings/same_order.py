"""Blocks that all have one order: what drifts within a block is then taken for the treatments (METHOD.md 1.2 and 9)."""

import math
from collections.abc import Iterator

from headtohead.analyze.findings.whole import SURE, Whole
from headtohead.analyze.samples import blocks
from headtohead.model.finding import Finding, Severity


def same_order(whole: Whole) -> Iterator[Finding]:
    """Yield a finding when the treatments ran in one order in every block, and chance does so in less than 1 of 100."""
    orders = [
        tuple(sorted(labels, key=lambda label: labels[label][0].run.place))
        for labels in blocks.by_block(whole.experiment, whole.runs).values()
        if len(labels) == len(whole.experiment.treatments)
    ]
    if len(set(orders)) != 1 or len(orders[0]) < 2:
        return
    likely = math.exp((1 - len(orders)) * math.lgamma(len(orders[0]) + 1))
    if likely < SURE:
        yield Finding(
            id="same-order",
            severity=Severity.DOUBT,
            says=f"All {len(orders)} blocks ran in one order, {', then '.join(orders[0])}: what changes within a block "
            "cannot be told from a difference between the treatments.",
            advice="Measure again with orders drawn by lot, as `headtohead run` does.",
            evidence={"blocks": len(orders), "by_chance": likely},
        )
