"""Answers that are not the right ones: right before fast."""

from collections.abc import Iterator, Sequence

from headtohead.analyze.findings.say import at
from headtohead.analyze.runs.usage import RunSeen
from headtohead.model.finding import Finding, Severity
from headtohead.model.quantity import Scalar
from headtohead.model.record import BatchRecord, CaseRecord, LoadRecord
from headtohead.model.study.workload import BatchExpect


def wrong_answer(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which a request was answered wrongly."""
    for each in seen.cases:
        wrong = each.record.wrong if isinstance(each.record, LoadRecord) else {}
        for kind, count in wrong.items():
            yield Finding(
                id="wrong-answer",
                severity=Severity.INVALID,
                says=f"{count} answers of {kind.replace('-', ' ')}{at(each.case)} (limit 0)",
                advice="See the subject's log in the run's folder: a fast wrong answer is no answer.",
                evidence={"answers": count, "case": each.case.text},
            )


def check(records: Sequence[CaseRecord], expect: BatchExpect) -> tuple[str, ...]:
    """Return why a batch program's answers are not the expected ones, a reason each; nothing when all are right.

    A case is looked up as a whole, then by some of its fields (``kernel=triad`` of ``copies=2,kernel=triad``, the most
    fields first); a case for which no answer is known is a reason too. Numbers may differ by
    ``tolerance``, relative to the expected.
    """
    reasons = []
    for record in records:
        if not isinstance(record, BatchRecord):
            continue
        expected = _expected(record, expect)
        if expected is None:
            reasons.append(f"wrong-answer: no right answer is known{at(record.case)}")
        elif not _equal(record.answer, expected, tolerance=expect.tolerance):
            reasons.append(f"wrong-answer: {record.answer!r} instead of {expected!r}{at(record.case)}")
    return tuple(reasons)


def _expected(record: BatchRecord, expect: BatchExpect) -> Scalar | None:
    if expect.answer is not None:
        return expect.answer
    if record.case in expect.answers:
        return expect.answers[record.case]
    fitting = [case for case in expect.answers if case and case.covers(record.case)]
    return expect.answers[max(fitting, key=lambda case: (len(case), case.text))] if fitting else None


def _equal(answer: Scalar, expected: Scalar, *, tolerance: float) -> bool:
    wanted, got = _number(expected), _number(answer)
    if wanted is None or got is None:
        return str(answer) == str(expected)
    return abs(got - wanted) <= tolerance * abs(wanted)


def _number(value: Scalar) -> float | None:
    return None if isinstance(value, str | bool) else float(value)
