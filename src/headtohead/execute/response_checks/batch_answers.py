"""Check that the answers of a batch program are the expected ones: compared after its work, within a tolerance."""

from collections.abc import Sequence

from headtohead.execute.context.run_context import RunContext
from headtohead.model.case import Case
from headtohead.model.quantity import Scalar
from headtohead.model.record import BatchRecord, CaseRecord
from headtohead.model.study.workload import BatchExpect


def wrong_answers(records: Sequence[CaseRecord], expect: BatchExpect) -> tuple[str, ...]:
    """Return why a batch program's answers are not the expected ones, one reason for each; empty if all are right.

    A case is looked up as a whole, then by some of its fields (``kernel=triad`` of ``copies=2,kernel=triad``, the most
    fields first). A case without a known answer is a reason too. Numbers may differ by ``tolerance``,
    relative to the expected.
    """
    reasons = []
    for record in records:
        if not isinstance(record, BatchRecord):
            continue
        expected = _expected(record, expect)
        if expected is None:
            reasons.append(f"wrong-answer: no correct answer is known{_at(record.case)}")
        elif not _equal(record.answer, expected, tolerance=expect.tolerance):
            reasons.append(f"wrong-answer: {record.answer!r} instead of {expected!r}{_at(record.case)}")
    return tuple(reasons)


def _at(case: Case) -> str:
    return f" in {case}" if case else ""


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


def check_answers(context: RunContext) -> None:
    """Note every answer that differs from the one that the workload expects."""
    expect = context.study_context.workload(context.request.experiment).expect
    if expect is not None:
        context.log.reasons += wrong_answers(context.log.records(), expect)
