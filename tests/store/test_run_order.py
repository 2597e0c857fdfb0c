"""Attempts that nothing called for are flaws of a folder."""

import pytest

from headtohead.model.plan import PlannedRun
from headtohead.model.record import Run, Status
from headtohead.store.proof.run_order import disorder
from tests.small import recorded


def runs(*made: tuple[str, int, Status]) -> list[Run]:
    """Return runs of one block, in this order: treatment, attempt, status."""
    places = {"A": 1, "B": 2}
    return [
        recorded("a", PlannedRun(1, places[arm], arm, ()), status=status, attempt=attempt, number=number).run
        for number, (arm, attempt, status) in enumerate(made, start=1)
    ]


BLOCK: tuple[tuple[str, int, Status], ...] = (("A", 1, "invalid"), ("B", 1, "valid"))
WHOLE: tuple[tuple[str, int, Status], ...] = (("A", 3, "valid"), ("B", 3, "valid"))


def test_a_block_excluded_twice_may_be_replaced_as_a_whole() -> None:
    made = runs(*BLOCK, ("A", 2, "invalid"), *WHOLE)

    assert list(disorder(made, numbers=[each.run for each in made])) == []


@pytest.mark.parametrize("second", [(), (("A", 2, "valid"),)])
def test_a_third_attempt_in_a_block_that_was_complete_is_a_flaw(second: tuple[tuple[str, int, Status], ...]) -> None:
    made = runs(*BLOCK, *second, *WHOLE)

    found = list(disorder(made, numbers=[each.run for each in made]))

    assert [each.says for each in found] == ["is a third attempt, and block 1 was complete before"] * 2


def test_a_third_attempt_without_a_first_is_a_flaw() -> None:
    made = runs(("A", 3, "valid"))

    assert [each.says for each in disorder(made, numbers=[1])] == ["is a third attempt without a first"]
