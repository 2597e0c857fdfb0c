"""Results that were changed or made up: changed or unsealed files, runs wrongly marked valid, impossible durations.

What is not as it was recorded forbids every verdict that may rest on it.
"""

import math
from collections.abc import Iterator

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord

MOST_NAMED = 3
"""The number of places that are named; ``headtohead verify`` lists them all."""


def not_as_recorded(whole: Whole) -> Iterator[Finding]:
    """Yield a finding if files were changed, runs added or removed, or values are in them that cannot be."""
    flaws = whole.proof.flaws if whole.proof else ()
    own = [each for each in flaws if each.experiment in ("", whole.experiment.name)]
    if own:
        more = f"; and {len(own) - MOST_NAMED} more" if len(own) > MOST_NAMED else ""
        yield Finding(
            id="not-as-recorded",
            severity=Severity.INVALID,
            says=f"The results are not as they were recorded: {'; '.join(map(str, own[:MOST_NAMED]))}{more}.",
            advice="Copy the results folder again from where it was made; `headtohead verify` lists every place.",
            evidence={"places": len(own), "runs_left_out": sum(each.excluded for each in own)},
        )


def marked_valid(whole: Whole) -> Iterator[Finding]:
    """Yield a finding if a run counts that the rules exclude by its files; of folders of this version alone."""
    if whole.proof is None or not whole.same_rules:
        return
    for seen, noticed in zip(whole.seen, whole.noticed, strict=True):
        excluding = next((each for each in noticed if each.severity is Severity.INVALID), None)
        if excluding is not None:
            yield Finding(
                id="not-as-recorded",
                severity=Severity.INVALID,
                says=f"Run {seen.run.run} is marked valid, but its files show otherwise: {excluding.says}.",
                advice="Copy the results folder again from where it was made.",
                evidence={"run": seen.run.run},
            )
            return


def not_sealed(whole: Whole) -> Iterator[Finding]:
    """Yield a doubt if the files have no seal, or some were written after the last one."""
    if whole.proof is None or whole.proof.flaws:
        return
    if not whole.proof.seal:
        yield Finding(
            id="not-sealed",
            severity=Severity.DOUBT,
            says="No seal: later changes to the results cannot be detected.",
            advice="Measure again: `headtohead run` now seals what it writes.",
        )
    elif whole.proof.after:
        yield Finding(
            id="not-sealed",
            severity=Severity.DOUBT,
            says=f"{', '.join(whole.proof.after)}: written after the last seal, because the session was interrupted.",
            advice="Run the study again: it resumes where it stopped, and seals the rest.",
            evidence={"files": len(whole.proof.after)},
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
