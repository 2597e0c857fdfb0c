from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headtohead.model.errors import LimitedError
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import Scalar, Summary
from headtohead.model.study.count_words import numbers
from headtohead.model.study.study import Factor, Level
from headtohead.model.study.subject import Range, Subject, SubjectFactor
from headtohead.model.study.workload import Load
from headtohead.plan.identity import same_test
from tests.plan.machines import machine
from tests.plan.studies import WORKED, experiment, factor, planned, subject

OPENSSL = subject("openssl", batch=True)
COPIES = SubjectFactor("copies", Range(1, 256), 1)


def copying(copies: SubjectFactor = COPIES) -> Subject:
    return replace(subject("c-kernels", batch=True), factors={"copies": copies})


def with_copies(*factors: Factor, cpus: int, copies: SubjectFactor = COPIES) -> PlannedExperiment:
    one = experiment(*factors, subjects=[copying(copies)], compare="copies", load=WORKED)
    return planned(replace(one, optional=True, compare=None), machine=machine(cores=cpus))


def levels(one: PlannedExperiment, *names: str) -> list[tuple[Scalar, ...]]:
    return [tuple(each.levels[name] for name in names) for each in one.treatments]


@given(cpus=st.integers(1, 2000))
def test_doubling_rises_from_one_to_all_by_no_more_than_two(cpus: int) -> None:
    steps = numbers("doubling", cpus)
    assert (steps[0], steps[-1]) == (1, cpus)
    assert all(low < high <= 2 * low for low, high in pairwise(steps))


def test_doubling_makes_a_level_of_cpus_for_each_step() -> None:
    one = planned(experiment(factor("cpus", "doubling"), subjects=[OPENSSL], compare="cpus", load=WORKED), machine=SIX)
    assert levels(one, "cpus") == [(1,), (2,), (4,), (6,)]
    assert [each.label for each in one.treatments][:2] == ["openssl cpus=1", "openssl cpus=2"]
    assert [(each.baseline, each.other) for each in one.comparisons][-1] == ("openssl cpus=1", "openssl cpus=6")
    assert one.notes == ('The level cpus = "doubling" comes to 1, 2, 4 and 6 here.',)


SIX = machine(cores=6)


def test_doubling_beside_numbers_is_merged_with_those_that_it_comes_to() -> None:
    written = factor("cpus", 2, "doubling", "half", 6)
    one = planned(experiment(written, subjects=[OPENSSL], compare="cpus", load=WORKED), machine=SIX)
    assert levels(one, "cpus") == [(2,), (1,), (4,), (6,), (3,)]
    assert one.notes == (
        'The level cpus = "doubling" comes to 1, 2, 4 and 6 here, and 2 is merged with the level before it.',
        'The level cpus = "half" comes to 3 here.',
        "The level cpus = 6 comes to 6 here and is merged with the level before it.",
    )


def test_a_subjects_words_come_to_the_cpus_of_the_treatment() -> None:
    one = with_copies(factor("cpus", 4), factor("copies", 1, "half", "all", "twice"), cpus=6)
    assert levels(one, "copies") == [(1,), (2,), (4,), (8,)]
    assert [each.settings["copies"] for each in one.treatments] == [1, 2, 4, 8]
    assert [each.label for each in one.treatments][1:3] == ["c-kernels copies=2", "c-kernels copies=4"]
    assert one.notes[1] == 'The level copies = "all" comes to 4 here.'


def test_without_the_factor_cpus_all_is_all_that_there_are() -> None:
    assert levels(with_copies(factor("copies", "doubling"), cpus=3), "copies") == [(1,), (2,), (3,)]


def test_where_cpus_vary_too_a_word_is_of_each_treatment() -> None:
    one = with_copies(factor("cpus", 1, "all"), factor("copies", "doubling"), cpus=4)
    assert levels(one, "cpus", "copies") == [(1, 1), (4, 1), (4, 2), (4, 4)]
    assert one.notes[-1] == 'The level copies = "doubling" comes to 1, 2 and 4 here, by the CPUs of the treatment.'


def test_as_many_as_there_are_cpus_is_one_level_where_cpus_are_compared() -> None:
    one = experiment(factor("cpus", 1, 4), factor("copies", "all"), subjects=[copying()], compare="cpus", load=WORKED)
    both = planned(one, machine=machine(cores=4))
    assert levels(both, "cpus", "copies") == [(1, 1), (4, 4)]
    assert [(each.baseline, each.other) for each in both.comparisons] == [("c-kernels cpus=1", "c-kernels cpus=4")]


def test_a_number_and_a_word_that_come_to_one_are_merged_and_noted() -> None:
    one = with_copies(factor("cpus", 2), factor("copies", 1, 2, "all"), cpus=2)
    assert levels(one, "copies") == [(1,), (2,)]
    assert one.notes == ('The level copies = "all" comes to 2 here and is merged with the level before it.',)


def test_two_numbers_with_labels_are_not_merged_though_a_word_stands_by() -> None:
    written = Factor("copies", (Level(2, "A", {}), Level(2, "B", {}), Level("half", "half", {})))
    assert levels(with_copies(factor("cpus", 2), written, cpus=2), "copies") == [(2,), (2,), (1,)]


def test_a_default_may_be_a_word() -> None:
    one = with_copies(factor("cpus", 3), cpus=4, copies=replace(COPIES, default="all"))
    assert one.treatments[0].settings == {"copies": 3}


def test_a_level_of_the_subject_may_set_a_word() -> None:
    named = Factor("subject", (Level("c-kernels", "rate", {"copies": "all"}),))
    one = experiment(subjects=[copying()], compare=None, load=WORKED)
    assert levels(planned(replace(one, factors=(named,)), machine=SIX), "copies") == [(6,)]


def test_a_text_of_a_list_of_levels_is_no_word() -> None:
    listed = SubjectFactor("threads", ("all", "one"), "all")
    one = experiment(factor("threads", "all", "one"), subjects=[replace(OPENSSL, factors={"threads": listed})])
    assert levels(planned(replace(one, compare="threads", load=WORKED), machine=SIX), "threads") == [("all",), ("one",)]


def test_a_number_beyond_what_the_subject_offers_is_left_out_with_the_reason() -> None:
    one = experiment(factor("copies", "all"), subjects=[copying(replace(COPIES, levels=Range(1, 4)))], load=WORKED)
    with pytest.raises(LimitedError, match="copies is 6 here") as raised:
        planned(replace(one, compare=None), machine=SIX)
    assert raised.value.why == "Its levels go from 1 to 4."


def test_words_in_a_load_are_numbers_of_the_machine_each_once_and_in_order() -> None:
    load = Load("batch", {"bits": (2048,), "processes": (3, "doubling", "twice", "half")}, {"seconds": 1})
    of_all = Summary("at_all", "goodput_per_s", "max", {"processes": ("all",)})
    asked = experiment(factor("cpus", 1, "all"), subjects=[OPENSSL], compare="cpus", load=load)
    asked = replace(asked, summaries=(of_all, *asked.summaries), primary=of_all)
    one = planned(asked, machine=SIX)
    assert one.load.cases["processes"] == (3, 1, 2, 4, 6, 12)
    assert len(one.cases) == 6
    assert one.primary.where == one.summaries[0].where == {"processes": (6,)}
    assert one.notes[-1] == ('In the load, processes = [3, "doubling", "twice", "half"] comes to 3, 1, 2, 4, 6 and 12.')


def test_the_same_words_are_the_same_test_on_every_machine() -> None:
    load = Load("batch", {"processes": ("doubling",)}, {"seconds": 1})
    asked = experiment(subjects=[OPENSSL], compare=None, load=load)
    assert planned(asked, machine=SIX).load != planned(asked, machine=machine(cores=2)).load
    assert len({same_test(asked, workload_sha256="w", data_sha256=None) for _ in range(2)}) == 1
    longer = replace(asked, load=replace(load, cases={"processes": ("doubling", "twice")}))
    assert same_test(asked, workload_sha256="w", data_sha256=None) != same_test(
        longer, workload_sha256="w", data_sha256=None
    )
