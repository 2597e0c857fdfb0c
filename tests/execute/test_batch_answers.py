"""The answers of batch programs, compared with the expected ones."""

import pytest

from headtohead.execute.response_checks.batch_answers import wrong_answers
from headtohead.model.case import Case
from headtohead.model.quantity import Scalar
from headtohead.model.study.workload import BatchExpect
from tests.analyze.building import batch_record

EXPECT = BatchExpect(
    answer=None, answers={Case.parse("kernel=fft"): 2.0, Case.parse("kernel=triad"): "yes"}, tolerance=1e-9
)


@pytest.mark.parametrize(
    ("kernel", "answer", "right"),
    [
        ("fft", 2.0, True),
        ("fft", 2.0 * (1 + 1e-10), True),
        ("fft", 2.0 * (1 + 1e-8), False),
        ("fft", "2.0", True),
        ("triad", "yes", True),
        ("triad", "no", False),
        ("unknown", 2.0, False),
    ],
)
def test_batch_answers_are_checked_within_the_tolerance(kernel: str, answer: Scalar, right: bool) -> None:
    records = [batch_record(case=Case({"kernel": kernel, "copies": 2}), answer=answer)]
    assert (wrong_answers(records, EXPECT) == ()) == right


def test_one_answer_may_be_expected_of_all_cases() -> None:
    expect = BatchExpect(answer="verified", answers={}, tolerance=0.0)
    assert wrong_answers([batch_record()], expect) == ()
    assert wrong_answers([batch_record(answer="failed")], expect)[0].startswith(
        "wrong-answer: 'failed' instead of 'verified'"
    )


def test_an_answer_that_is_no_number_is_wrong_where_one_is_expected() -> None:
    assert wrong_answers([batch_record(case=Case({"kernel": "fft"}), answer=float("nan"))], EXPECT)
