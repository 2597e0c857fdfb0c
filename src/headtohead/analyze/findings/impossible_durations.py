"""Cases that take longer than their run lasted: such values were not measured."""

import math
from collections.abc import Iterator

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord

SLACK = 1.05
"""A driver's clock and the machine's may differ, but not by this factor."""


def more_than_passed(whole: Whole) -> Iterator[Finding]:
    """Yield a doubt if the cases of some runs take longer than these runs lasted, as recorded or as planned."""
    load = whole.experiment.load
    if load.loop == "batch" or load.searches:
        return
    planned_s = 0.0 if load.settings.get("requests") else load.measure_s
    over = []
    for seen in whole.seen:
        lengths_s = [each.record.elapsed_ns / 1e9 for each in seen.cases if isinstance(each.record, LoadRecord)]
        needed_s = max(math.fsum(lengths_s), planned_s * len(lengths_s))
        lasted_s = seen.run.phases[-1].to_ns / 1e9 if seen.run.phases else math.inf
        if needed_s > SLACK * lasted_s:
            over.append((seen.run.run, len(lengths_s), needed_s, lasted_s))
    if over:
        run, cases, needed_s, lasted_s = over[0]
        yield Finding(
            id="more-than-passed",
            severity=Severity.DOUBT,
            says=f"In {len(over)} of {len(whole.seen)} runs the cases take longer than the run lasted: in run {run}, "
            f"{cases} cases take {needed_s:.3g} s, and it lasted {lasted_s:.3g} s. Such values were not measured.",
            advice="Ask where these values come from: they were made up, or changed.",
            evidence={"runs": len(over), "needed_s": needed_s, "lasted_s": lasted_s},
        )
