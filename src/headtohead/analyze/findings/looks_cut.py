"""A time limit that came before the last look."""

from collections.abc import Iterator

from headtohead.analyze.findings.whole import Whole
from headtohead.model.finding import Finding, Severity


def looks_cut(whole: Whole) -> Iterator[Finding]:
    """Yield a note when the time limit ended the experiment undecided: it cut precision, never a question."""
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
