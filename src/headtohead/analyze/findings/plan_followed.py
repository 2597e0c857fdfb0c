"""Whether the plan was followed: its error, the order of runs, their length, and the time limit."""

import math
from collections.abc import Iterator

from headtohead.analyze.findings.input_of_findings import SURE, Whole
from headtohead.analyze.samples import complete_blocks
from headtohead.model import rules
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord


def loose_error(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each comparison with more error at an interim analysis than all of them may spend."""
    for each in whole.experiment.comparisons:
        most = max(each.alpha, default=0.0)
        if most > rules.ERROR:
            yield Finding(
                id="loose-error",
                severity=Severity.INVALID,
                says=f"The plan allows {100 * most:.2g} % error in one interim analysis of {each.other} against "
                f"{each.baseline}, "
                f"with {len(whole.experiment.looks)} interim analyses and {100 * rules.ERROR:g} % for all of them.",
                advice="Let `headtohead run` make the plan: the primary summary, interim analyses and error are "
                "fixed before the first run.",
                evidence={"alpha": most, "limit_alpha": rules.ERROR, "looks": len(whole.experiment.looks)},
                of=(each.baseline, each.other),
            )


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


def looks_cut(whole: Whole) -> Iterator[Finding]:
    """Yield a note if the time limit ended the experiment undecided."""
    if whole.stopped == "out-of-time":
        done = len({block for by_block in whole.samples.counted.values() for block in by_block})
        planned = whole.experiment.looks[-1]
        yield Finding(
            id="looks-cut",
            severity=Severity.NOTE,
            says=f"The time limit ended this experiment after {done} of up to {planned} blocks, before it was decided.",
            advice="Raise within_min for a narrower interval.",
            evidence={"blocks": done, "planned_blocks": planned},
        )
