"""Whether all values rose or fell over the blocks of a study."""

import math
from collections.abc import Iterator

import numpy as np

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.wording import rose_or_fell
from headtohead.analyze.statistics.error_of_checks import ENOUGH, SURE
from headtohead.analyze.statistics.over_time.straight_line import slope
from headtohead.analyze.statistics.over_time.trend import SMALL
from headtohead.model.finding import Finding, Severity


def drift(whole: Whole) -> Iterator[Finding]:
    """Yield a note if the block means follow a straight line, and the line of each treatment goes the same way.

    Ratios within blocks remove what changes all alike.
    """
    logs: dict[int, list[float]] = {}
    by_label: dict[str, dict[int, float]] = {}
    for each in whole.residuals():
        logs.setdefault(each.block, []).append(each.log)
        by_label.setdefault(each.label, {})[each.block] = each.log
    blocks = sorted(logs)
    if len(blocks) < ENOUGH:
        return
    steep, p = slope([float(block) for block in blocks], [float(np.mean(logs[block])) for block in blocks])
    change = math.exp(steep * (blocks[-1] - blocks[0])) - 1
    ways = [slope([float(block) for block in own], [*own.values()])[0] * change > 0 for own in by_label.values()]
    if p < SURE and abs(change) > SMALL and all(ways):
        yield Finding(
            id="drift",
            severity=Severity.NOTE,
            says=f"From the first block to the last all values {rose_or_fell(change)} (p {p:.2g}).",
            advice="Ratios within blocks cancel what changes every setup alike; absolute values are those of a "
            "changing machine.",
            evidence={"change_share": change, "p": p, "blocks": len(blocks)},
        )
