"""Arms that answer with another amount of bytes: not the same service (METHOD.md 9, apples and oranges)."""

import statistics
from collections.abc import Iterator

from headtohead.analyze.findings.say import at
from headtohead.analyze.findings.whole import Whole
from headtohead.analyze.runs.records import of_case, planned_cases
from headtohead.analyze.samples.derived import Derived
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord

LIMIT = 0.05
"""Heads of answers differ from server to server; bodies that differ by so much are other bodies."""

TIMES = 1.5
"""No head makes an answer of a kilobyte or more so much longer; compression makes it shorter by more."""
PAGE_BYTES = 1000

MEANT = ("gzip", "compress")
"""Factors that are there to change what comes over the wire."""


def unlike_answers(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each comparison whose arms sent another amount of bytes an answer, in the case where most."""
    if whole.experiment.load.searches:
        return
    for comparison in whole.experiment.comparisons:
        if comparison.factor in MEANT:
            continue
        told = [
            (case, _bytes(whole, comparison.baseline, case), _bytes(whole, comparison.other, case))
            for case in planned_cases(whole.experiment)
        ]
        apart = [(abs(b / a - 1), case, a, b) for case, a, b in told if a and b]
        share, case, a, b = max(apart, key=lambda each: each[0], default=(0.0, WHOLE_RUN, 0.0, 0.0))
        if share > LIMIT:
            yield Finding(
                id="unlike-answers",
                severity=Severity.INVALID if _other_pages(whole, a, b) else Severity.DOUBT,
                says=f"{comparison.other} sent {b:,.0f} bytes an answer where {comparison.baseline} sent {a:,.0f}"
                f"{at(case)}: they did not do the same work.",
                advice="Make both answer alike (compression, page, head), or say in the question what differs.",
                evidence={"share": share, "case": case.text, "other": comparison.other},
                of=(comparison.baseline, comparison.other),
            )


def _other_pages(whole: Whole, one: float, two: float) -> bool:
    """Tell whether these are bytes of other pages: databases put the same rows in words of their own."""
    return whole.experiment.asks.startswith("http/") and max(one, two) > max(TIMES * min(one, two), PAGE_BYTES)


def _bytes(whole: Whole, label: str, case: Case) -> float | None:
    """Return the median over runs of the bytes for each answer; None where no run tells it."""
    found = []
    for each in whole.samples.counted.get(label, {}).values():
        figures = Derived(whole.experiment, each)
        records = [record for record in of_case(each.records, case) if isinstance(record, LoadRecord)][:1]
        found += [told for record in records if (told := figures.bytes_per_answer(record)) is not None]
    return statistics.median(found) if found else None
