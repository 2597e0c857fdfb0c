"""`headtohead race`: what the responses of all racers have in common is what each later response is compared with."""

from collections.abc import Sequence

import pytest

from headtohead.cli.race.trial import agreed
from headtohead.describe.race.race import RaceRequest
from headtohead.execute.pages.request_page import Answer
from headtohead.model.errors import HeadToHeadError, SubjectError


def answers(*bodies: bytes, status: int = 200) -> tuple[Answer, ...]:
    return tuple(Answer(status, each) for each in bodies)


ONE = answers(b"one", b"one")


@pytest.mark.parametrize(
    ("found", "length", "body"),
    [
        ([ONE, ONE], 3, b"one"),
        ([answers(b"t=1", b"t=2"), answers(b"t=3", b"t=4")], 3, None),
        ([answers(b"t=9", b"t=10"), answers(b"t=11", b"t=12")], None, None),
    ],
)
def test_what_all_responses_have_in_common_is_what_is_checked(
    found: Sequence[tuple[Answer, ...]], length: int | None, body: bytes | None
) -> None:
    known = agreed(RaceRequest("/health"), ["a", "b"], found, differ=False)
    assert (known.length_bytes, known.body) == (length, body)


@pytest.mark.parametrize(
    ("found", "says"),
    [
        ([ONE, answers(b"two!", b"two!")], "a gave 3 bytes; b gave 4 bytes"),
        ([ONE, answers(b"one", b"one", status=404)], "a gave status 200; b gave status 404"),
        ([answers(b"", status=500), answers(b"", status=500)], "status 500"),
    ],
)
def test_servers_that_do_other_work_are_not_raced(found: Sequence[tuple[Answer, ...]], says: str) -> None:
    with pytest.raises(SubjectError) as caught:
        agreed(RaceRequest("/health"), ["a", "b"], found, differ=False)
    assert says in str(caught.value)


def test_with_differ_other_bodies_are_allowed_but_no_other_status() -> None:
    known = agreed(RaceRequest("/health"), ["a", "b"], [ONE, answers(b"two!", b"two!")], differ=True)
    assert (known.status, known.length_bytes, known.body) == (200, None, None)
    with pytest.raises(HeadToHeadError):
        agreed(RaceRequest("/health"), ["a", "b"], [ONE, answers(b"one", status=404)], differ=True)
