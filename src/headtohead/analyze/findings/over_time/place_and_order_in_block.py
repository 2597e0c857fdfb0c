"""Whether the place of a run in its block changed its values, and whether one order of all blocks hides that."""

import math
from collections.abc import Iterator

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.wording import percent
from headtohead.analyze.samples.complete_blocks_and_dropped_treatments import by_block
from headtohead.analyze.statistics.error_of_checks import SURE
from headtohead.analyze.statistics.over_time.place_in_block import effect
from headtohead.model.finding import Finding, Severity


def position(whole: Whole) -> Iterator[Finding]:
    """Yield a finding if later places of a block differ from the first, after removing treatments and blocks."""
    residuals = whole.residuals()
    found = effect(residuals, first=min((each.place for each in whole.experiment.runs), default=1))
    if found is None:
        return
    log, p, blocks = found
    if p < SURE:
        change = math.expm1(log)
        yield Finding(
            id="position-effect",
            severity=Severity.DOUBT,
            says=f"Runs that were not the first of their block gave {percent(abs(change))} "
            f"{'more' if change > 0 else 'less'} than the first (p {p:.2g}): a run may affect the next one.",
            advice="Lengthen the warm-up, or find what remains: page cache, sockets, heat.",
            evidence={"change_share": change, "p": p, "blocks": blocks},
        )


def same_order(whole: Whole) -> Iterator[Finding]:
    """Yield a finding if every block ran in the same order, which chance does in less than 1 of 100."""
    orders = [
        tuple(sorted(labels, key=lambda label: labels[label][0].run.place))
        for labels in by_block(whole.experiment, whole.runs).values()
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
