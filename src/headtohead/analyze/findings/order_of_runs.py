"""Whether every block ran in the same order, so that a change within a block looks like a difference."""

import math
from collections.abc import Iterator

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.samples import complete_blocks
from headtohead.analyze.statistics.error_of_checks import SURE
from headtohead.model.finding import Finding, Severity


def same_order(whole: Whole) -> Iterator[Finding]:
    """Yield a finding if every block ran in the same order, which chance does in less than 1 of 100."""
    orders = [
        tuple(sorted(labels, key=lambda label: labels[label][0].run.place))
        for labels in complete_blocks.by_block(whole.experiment, whole.runs).values()
        if len(labels) == len(whole.experiment.treatments)
    ]
    if len(set(orders)) != 1 or len(orders[0]) < 2:
        return
    likely = math.exp((1 - len(orders)) * math.lgamma(len(orders[0]) + 1))
    if likely < SURE:
        yield Finding(
            id="same-order",
            severity=Severity.DOUBT,
            says=f"All {len(orders)} blocks ran in the same order, {', then '.join(orders[0])}: a change within a "
            "block cannot be distinguished from a difference between the treatments.",
            advice="Measure again in random order, as `headtohead run` does.",
            evidence={"blocks": len(orders), "by_chance": likely},
        )
