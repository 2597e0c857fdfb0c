"""Blocks added to an ended study: which runs, which level, and what in a file cannot be."""

from dataclasses import replace

import pytest

from headtohead.model.plan import AddedBlocks
from headtohead.model.study.figures import StudyFigures
from headtohead.plan.blocks import drawn
from headtohead.plan.contradictions import contradictions
from headtohead.plan.more_blocks import as_planned, more_blocks
from tests.small import experiment, plan

BASE = plan(*(replace(each, runs=drawn(each, seed=1)) for each in (experiment("a"), experiment("b"))))


def test_added_blocks_go_on_with_the_orders_of_the_seed_and_have_an_analysis_of_their_own() -> None:
    (added,) = more_blocks(BASE, experiments=["a"], blocks=4)
    longer = BASE.with_more(AddedBlocks((added,)))

    first, second = longer.experiments
    assert (first.looks, first.comparisons[0].alpha) == ((2, 4, 8), (0.05, 0.05, 0.005))
    assert first.runs == drawn(replace(experiment("a"), looks=(2, 4, 8)), seed=1)
    assert second == BASE.experiments[1], "what was decided stays as it is"


def test_each_addition_has_half_the_error_of_the_one_before_so_that_all_together_have_1_percent() -> None:
    more = list(more_blocks(BASE, experiments=["a"], blocks=4))
    for _ in range(20):
        more += more_blocks(BASE.with_more(AddedBlocks(tuple(more))), experiments=["a"], blocks=4, earlier=more)

    assert [each.alpha for each in more[:3]] == [0.005, 0.0025, 0.00125]
    assert sum(each.alpha for each in more) <= 0.01
    assert list(as_planned(BASE, AddedBlocks(tuple(more)))) == []


def test_with_more_blocks_no_time_limit_ends_the_study() -> None:
    timed = replace(BASE, within_min=1.0, experiments=tuple(replace(each, within_min=1.0) for each in BASE.experiments))
    (added,) = more_blocks(timed, experiments=["a"], blocks=4)

    longer = timed.with_more(AddedBlocks((added,)))
    assert [longer.within_min, *(each.within_min for each in longer.experiments)] == [None, None, None]


def test_experiments_that_nothing_is_added_to_have_no_time_left_and_unknown_ones_are_a_flaw() -> None:
    (added,) = more_blocks(BASE, experiments=["a"], blocks=4)
    chosen = AddedBlocks((added,), ("a",))

    longer = BASE.with_more(chosen)
    assert [each.within_min for each in longer.experiments] == [None, 0.0]
    assert list(as_planned(BASE, chosen)) == []
    assert len(list(as_planned(BASE, replace(chosen, only=("a", "c"))))) == 1


def test_a_time_limit_of_a_third_of_a_minute_is_the_one_that_the_plan_has_with_nine_digits() -> None:
    study = StudyFigures("T", 1, 1 / 3, ())

    assert "within_min" not in str(list(contradictions(plan(within_min=0.333333333), study)))
    assert "within_min" in str(list(contradictions(plan(within_min=0.3334), study)))


@pytest.mark.parametrize("change", [{"alpha": 0.05}, {"look": 4}, {"experiment": "c"}, {"runs": ()}])
def test_a_file_with_other_blocks_than_the_seed_and_the_levels_give_is_not_believed(change: dict[str, object]) -> None:
    (added,) = more_blocks(BASE, experiments=["a"], blocks=4)

    assert len(list(as_planned(BASE, AddedBlocks((replace(added, **change),))))) == 1  # type: ignore[arg-type]
