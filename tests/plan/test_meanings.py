"""What a number means that a count word stands for: the words are kept in the plan, and nowhere else."""

import json
from dataclasses import replace
from pathlib import Path

from headtohead.model.plan import Plan
from headtohead.model.study.subject import Range, SubjectFactor
from headtohead.store.convert import from_json, to_json
from tests.plan.machines import machine
from tests.plan.studies import WORKED, experiment, factor, plan, planned, subject

OPENSSL = subject("openssl", batch=True)
COPIES = SubjectFactor("copies", Range(1, 256), "all")


def words(cpus: int, *levels: int | str) -> dict[int, tuple[str, ...]]:
    """Return the words of each treatment, by its CPUs."""
    asked = experiment(factor("cpus", *levels), subjects=[OPENSSL], compare=None, load=WORKED)
    one = planned(replace(asked, optional=True), machine=machine(cores=cpus))
    return {len(each.cpus): each.words.get("cpus", ()) for each in one.treatments}


def test_each_number_keeps_the_words_that_came_to_it() -> None:
    assert words(8, 1, "half", "all") == {1: (), 4: ("half",), 8: ("all",)}
    assert words(2, 1, "half", "all") == {1: ("1", "half"), 2: ("all",)}
    assert words(1, "half", "all") == {1: ("half", "all")}


def test_the_numbers_of_a_ladder_mean_themselves() -> None:
    assert words(4, "doubling") == {1: (), 2: (), 4: ()}
    assert words(4, "doubling", "all") == {1: (), 2: (), 4: ("4", "all")}


def test_a_default_that_is_a_word_means_the_word() -> None:
    copying = replace(OPENSSL, factors={"copies": COPIES})
    asked = experiment(factor("cpus", 1, 2), subjects=[copying], compare="cpus", load=WORKED)
    one = planned(asked, machine=machine(cores=2))
    assert [dict(each.words) for each in one.treatments] == [{"copies": ("all",)}, {"copies": ("all",)}]


def test_a_plan_without_words_is_written_as_before_and_one_with_words_is_read_back() -> None:
    asked = experiment(factor("cpus", 1, "all"), subjects=[OPENSSL], compare="cpus", load=WORKED)
    made = plan(asked, machine=machine(cores=4))
    text = to_json(made)
    one, all_ = json.loads(text)["experiments"][0]["treatments"]
    assert "words" not in one
    assert all_["words"] == {"cpus": ["all"]}
    assert from_json(text, Plan, where=Path("plan.json")) == made
