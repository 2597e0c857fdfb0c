"""Whether the responses of the treatments of a comparison have unlike sizes, so that they did not do the same work."""

import statistics
from collections.abc import Iterator

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.wording import at
from headtohead.analyze.runs.records_and_times_of_case import of_case, planned_cases
from headtohead.analyze.samples.derived_figures import DerivedFigures
from headtohead.model import rules
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord

TIMES = 1.5
"""No head makes a response of a kilobyte this much longer, and compression makes it shorter by more."""
PAGE_BYTES = 1000

_OF_PAGES = "Make both send the same (compression, page, headers), or state in the question what differs."
_OF_QUERIES = (
    "Compare the rows that both return for one query: if they are equal, the protocols encode them differently, which "
    "is part of what was compared."
)
MEANT = ("gzip", "compress")
"""Factors whose purpose is to change the bytes on the wire."""


def unlike_answers(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each comparison whose treatments differ in bytes for each response, in the worst case."""
    if whole.experiment.load.searches:
        return
    for comparison, one, two in whole.pairs():
        if comparison.factor in MEANT:
            continue
        sizes = [
            (case, _bytes(whole, comparison.baseline, case), _bytes(whole, comparison.other, case))
            for case in planned_cases(whole.experiment)
        ]
        apart = [(abs(b / a - 1), case, a, b) for case, a, b in sizes if a and b]
        share, case, a, b = max(apart, key=lambda each: each[0], default=(0.0, WHOLE_RUN, 0.0, 0.0))
        if share > rules.UNLIKE_ANSWERS.limit:
            other_pages = _other_pages(whole, a, b)
            unlike = whole.experiment.of_queries and one.subject != two.subject
            protocols = " or their protocols differ" if unlike else ""
            means = "they did not do the same work" if other_pages else f"the work may differ,{protocols}".rstrip(",")
            yield Finding(
                id=rules.UNLIKE_ANSWERS.id,
                severity=Severity.INVALID if other_pages else rules.UNLIKE_ANSWERS.then,
                says=f"{comparison.other} sent {b:,.0f} bytes per response and {comparison.baseline} {a:,.0f}"
                f"{at(case)}: {means}.",
                advice=_OF_QUERIES if unlike else _OF_PAGES,
                evidence={"share": share, "case": case.text, "other": comparison.other},
                of=(comparison.baseline, comparison.other),
            )


def _other_pages(whole: Whole, one: float, two: float) -> bool:
    """Return whether these are different pages; databases encode the same rows differently."""
    return whole.experiment.asks.startswith("http/") and max(one, two) > max(TIMES * min(one, two), PAGE_BYTES)


def _bytes(whole: Whole, label: str, case: Case) -> float | None:
    """Return the bytes for each response, the median over runs; None if no run has them."""
    found = []
    for each in whole.samples.counted.get(label, {}).values():
        figures = DerivedFigures(whole.experiment, each)
        records = [record for record in of_case(each.records, case) if isinstance(record, LoadRecord)][:1]
        found += [size for record in records if (size := figures.bytes_per_answer(record)) is not None]
    return statistics.median(found) if found else None
