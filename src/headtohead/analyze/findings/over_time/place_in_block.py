"""Whether the place of a run within its block changed what it measured."""

import math
from collections.abc import Iterator

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.wording import percent
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
            f"{'more' if change > 0 else 'less'} than the first (p {p:.2g}): a run affects the next one.",
            advice="Lengthen the warm-up, or find what remains: page cache, sockets, heat.",
            evidence={"change_share": change, "p": p, "blocks": blocks},
        )
