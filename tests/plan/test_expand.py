"""From a study to the plan of its runs on a machine: treatments, comparisons, CPUs, what is left out."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headtohead.model.errors import LimitedError
from headtohead.model.plan import LeftOut
from headtohead.model.study.study import Factor, Level
from headtohead.plan.interim_analyses import alpha_per_look
from tests.plan.machines import machine
from tests.plan.studies import SERVED, WORKED, experiment, factor, plan, planned, subject

ONE = factor("cpus", 1)
APACHE, NGINX, NOOP = subject("apache"), subject("nginx"), subject("noop", floor=True)
OPENSSL = subject("openssl", batch=True)
TWO = machine(cores=2)
FOUR = machine(cores=4)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**40), threads=st.integers(1, 3))
def test_every_block_holds_every_treatment_and_every_run_every_case(seed: int, threads: int) -> None:
    levels = factor("threads", *range(1, threads + 1))
    one = planned(experiment(ONE, levels, subjects=[APACHE, NGINX, NOOP]), machine=TWO, seed=seed)
    labels = sorted(each.label for each in one.treatments)
    for block in range(1, one.looks[-1] + 1):
        assert sorted(run.treatment for run in one.runs if run.block == block) == labels
    for run in one.runs:
        assert sorted(each.text for each in run.cases) == sorted(each.text for each in one.cases)


def test_the_same_seed_gives_the_same_plan_and_another_seed_another() -> None:
    asked = experiment(ONE, subjects=[APACHE, NGINX])
    assert plan(asked, asked, machine=TWO) == plan(asked, asked, machine=TWO)
    assert plan(asked, machine=TWO).experiments[0].runs != plan(asked, machine=TWO, seed=8).experiments[0].runs
    first, second = plan(asked, asked, machine=TWO).experiments
    assert first.runs != second.runs, "experiments of one study have orders of their own"


def test_the_words_of_a_question_are_the_levels_of_this_machine() -> None:
    asked = replace(
        experiment(factor("cpus", 1, "all"), subjects=[OPENSSL], compare="cpus", load=WORKED),
        question="What do {to} CPUs buy over {from}?",
    )
    assert planned(asked, machine=FOUR).question == "What do 4 CPUs buy over 1?"
    assert planned(asked, machine=TWO).question == "What do 2 CPUs buy over 1?"


def test_a_treatment_holds_every_level_and_every_setting() -> None:
    asked = experiment(ONE, subjects=[APACHE, NGINX])
    levels = (Level("apache", "apache threads=64", {"threads": 64}), Level("nginx", "nginx", {}))
    asked = replace(asked, factors=(Factor("subject", levels), ONE))
    apache, nginx = planned(asked, machine=TWO).treatments
    assert apache.label == "apache threads=64"
    assert apache.levels == {"subject": "apache", "threads": 64, "cpus": 1}
    assert (apache.settings, nginx.settings) == ({"threads": 64}, {"threads": 256})
    assert (apache.cpus, apache.driver_cpus) == ((0,), (1,))


def test_a_label_names_what_varies() -> None:
    one = planned(experiment(factor("cpus", 1, 2), subjects=[OPENSSL], compare="cpus", load=WORKED), machine=TWO)
    assert [each.label for each in one.treatments] == ["openssl cpus=1", "openssl cpus=2"]
    assert [each.cpus for each in one.treatments] == [(0,), (0, 1)]
    assert [each.driver_cpus for each in one.treatments] == [(), ()]


def test_all_and_half_are_what_is_left_beside_the_driver() -> None:
    words = factor("cpus", "half", "all")
    served = planned(experiment(words, subjects=[NGINX], compare="cpus"), machine=FOUR)
    worked = planned(experiment(words, subjects=[OPENSSL], compare="cpus", load=WORKED), machine=FOUR)
    assert [len(each.cpus) for each in served.treatments] == [1, 2]
    assert [len(each.cpus) for each in worked.treatments] == [2, 4]
    assert served.notes == (
        'The level cpus = "half" comes to 1 here.',
        'The level cpus = "all" comes to 2 here.',
        'The subject could have 3 cores; "all" is 2, so that it is twice "half".',
    )


def test_without_the_factor_a_subject_gets_all_cpus_that_it_can_have() -> None:
    one = planned(experiment(subjects=[APACHE, NGINX]), machine=FOUR)
    assert {(each.cpus, each.driver_cpus) for each in one.treatments} == {((0, 1, 2), (3,))}


def test_levels_that_come_out_equal_are_merged_and_noted() -> None:
    one = planned(experiment(factor("cpus", 1, 2, "all"), subjects=[OPENSSL], compare="cpus", load=WORKED), machine=TWO)
    assert [each.levels["cpus"] for each in one.treatments] == [1, 2]
    assert one.notes == ('The level cpus = "all" comes to 2 here and is merged with the level before it.',)


def test_two_numbers_with_labels_are_not_merged() -> None:
    twice = Factor("cpus", (Level(1, "A", {}), Level(1, "B", {})))
    one = planned(experiment(twice, subjects=[OPENSSL], compare="cpus", load=WORKED), machine=TWO)
    assert [each.label for each in one.treatments] == ["openssl cpus=A", "openssl cpus=B"]


def test_nothing_left_to_compare_is_an_error_or_left_out() -> None:
    asked = experiment(factor("cpus", 1, "all"), subjects=[NGINX], compare="cpus")
    with pytest.raises(LimitedError, match="nothing left to compare"):
        plan(asked, machine=TWO)
    left = plan(replace(asked, optional=True), machine=TWO)
    assert left.experiments == ()
    why = 'Nothing left to compare: The level cpus = "all" comes to 1 here and is merged with the level before it.'
    assert left.left_out == (LeftOut(experiment="one-1", reason=why),)


def test_more_cpus_than_the_machine_has_are_an_error_even_where_optional() -> None:
    asked = experiment(factor("cpus", 64), subjects=[APACHE, NGINX])
    for each in (asked, replace(asked, optional=True), replace(asked, share_driver=True)):
        with pytest.raises(LimitedError, match="64 CPUs for the subject") as raised:
            plan(each, machine=TWO)
        assert raised.value.exit_code == 2


def test_no_cpu_for_the_driver_is_an_error_or_left_out_or_shared() -> None:
    asked = experiment(factor("cpus", 2), subjects=[APACHE, NGINX])
    with pytest.raises(LimitedError, match="no CPU left for the driver"):
        plan(asked, machine=TWO)
    assert plan(replace(asked, optional=True), machine=TWO).left_out[0].reason.startswith("No CPU left for the driver.")
    shared = planned(replace(asked, share_driver=True), machine=TWO)
    assert {(each.cpus, each.driver_cpus) for each in shared.treatments} == {((0, 1), (0, 1))}


def test_a_driver_that_may_share_has_its_own_cpu_where_there_is_one() -> None:
    shared = planned(replace(experiment(ONE, subjects=[APACHE, NGINX]), share_driver=True), machine=TWO)
    assert {each.driver_cpus for each in shared.treatments} == {(1,)}


def test_one_cpu_is_enough_for_a_driver_that_may_share() -> None:
    shared = planned(replace(experiment(subjects=[APACHE, NGINX]), share_driver=True), machine=machine(cores=1))
    assert {(each.cpus, each.driver_cpus) for each in shared.treatments} == {((0,), (0,))}


def test_a_quota_that_the_machine_cannot_give_is_an_error_or_left_out() -> None:
    asked = experiment(ONE, factor("cpu_quota", 1.0, 0.85), subjects=[OPENSSL], compare="cpu_quota", load=WORKED)
    lacking = replace(TWO, lacks={"cpu_quota": "cgroups need root"})
    assert [each.cpu_quota for each in planned(asked, machine=TWO).treatments] == [1.0, 0.85]
    with pytest.raises(LimitedError, match="the factor cpu_quota cannot be given"):
        plan(asked, machine=lacking)
    reason = plan(replace(asked, optional=True), machine=lacking).left_out[0].reason
    assert reason == "The factor cpu_quota cannot be given. Cgroups need root."


def test_a_subject_that_is_not_installed_is_an_error_that_says_how() -> None:
    lacking = replace(TWO, missing={"nginx": ("nginx",)})
    with pytest.raises(LimitedError, match="nginx is not installed") as raised:
        plan(experiment(ONE, subjects=[APACHE, NGINX]), machine=lacking)
    assert "headtohead setup" in raised.value.remedy


def test_an_optional_experiment_goes_on_without_a_subject_while_two_are_left() -> None:
    lacking = replace(TWO, missing={"apache": ("apache2-bin",)}, unobtainable={"apache": "no package is to be had"})
    asked = replace(experiment(ONE, subjects=[APACHE, NGINX, subject("lighttpd")]), optional=True)
    left = plan(asked, machine=lacking)
    why = "The subject apache is not installed. Missing: apache2-bin. No package is to be had."
    assert left.left_out == (LeftOut(experiment="one-1", reason=why, treatment="apache"),)
    one = left.experiments[0]
    assert [(each.baseline, each.other) for each in one.comparisons] == [("nginx", "lighttpd")]
    assert one.notes == ("apache, the baseline as written, was left out; nginx is the baseline here.",)


def test_an_optional_experiment_is_left_out_when_one_subject_is_left() -> None:
    lacking = replace(TWO, missing={"apache": ("apache2-bin",)})
    left = plan(replace(experiment(ONE, subjects=[APACHE, NGINX, NOOP]), optional=True), machine=lacking)
    assert left.experiments == ()
    assert left.left_out[0].treatment is None
    assert left.left_out[0].reason.endswith("Nothing is left to compare.")


def test_floors_are_shown_and_not_compared() -> None:
    one = planned(experiment(ONE, subjects=[NOOP, APACHE, NGINX]), machine=TWO)
    assert [each.label for each in one.treatments] == ["noop", "apache", "nginx"]
    assert [(each.baseline, each.other) for each in one.comparisons] == [("apache", "nginx")]
    assert one.notes == ()


def test_floors_are_compared_where_there_is_nothing_else() -> None:
    labels = (Level("noop", "A", {}), Level("noop", "B", {}))
    asked = replace(experiment(ONE, subjects=[NOOP]), factors=(Factor("subject", labels), ONE))
    one = planned(asked, machine=TWO)
    assert [(each.baseline, each.other) for each in one.comparisons] == [("A", "B")]


def test_each_combination_of_the_other_factors_has_a_comparison_and_they_share_the_error() -> None:
    one = planned(experiment(ONE, factor("threads", 1, 2), subjects=[APACHE, NGINX]), machine=TWO)
    assert [(each.baseline, each.other, each.fixed) for each in one.comparisons] == [
        ("apache threads=1", "nginx threads=1", {"threads": 1}),
        ("apache threads=2", "nginx threads=2", {"threads": 2}),
    ]
    assert {each.alpha for each in one.comparisons} == {tuple(level / 2 for level in alpha_per_look((6, 10)))}


def test_an_experiment_in_which_nothing_varies_is_measured_without_a_comparison() -> None:
    one = planned(experiment(ONE, subjects=[NGINX], compare=None), machine=TWO)
    assert one.comparisons == ()
    assert len(one.runs) == 10


def test_all_subjects_warm_up_as_long_as_the_one_that_needs_most() -> None:
    slow = subject("java", warm_up_s=4)
    assert planned(experiment(ONE, subjects=[NGINX, slow]), machine=TWO).load.warm_up_s == 4
    assert planned(experiment(ONE, subjects=[NGINX, APACHE]), machine=TWO).load.warm_up_s == SERVED.warm_up_s


def test_all_subjects_settle_as_long_as_the_one_that_needs_most_unless_the_study_sets_how_long() -> None:
    asked = experiment(ONE, subjects=[NGINX, replace(subject("java"), settle_s=60.0)])
    assert planned(asked, machine=TWO).load.settle_s == 60
    assert planned(experiment(ONE, subjects=[NGINX, APACHE]), machine=TWO).load.settle_s is None
    for settle_s, found in ((9.0, 9.0), (0.0, None)):
        own = replace(asked, load=replace(SERVED, settle_s=settle_s))
        assert planned(own, machine=TWO).load.settle_s == found
        assert planned(own, machine=TWO).run_s["nginx"] == pytest.approx(1 + settle_s + 2 * (0.35 + 1 + 3))


def test_a_driver_has_as_many_of_the_cpus_left_as_its_load_can_use() -> None:
    asked = experiment(factor("cpus", 1, 2), subjects=[APACHE], compare="cpus")
    given = {each.label: each.driver_cpus for each in planned(asked, machine=machine(cores=8)).treatments}
    assert given == {"apache cpus=1": (1,), "apache cpus=2": (2, 3)}
    few = replace(asked, load=replace(SERVED, cases={"connections": (1,)}))
    assert {len(each.driver_cpus) for each in planned(few, machine=machine(cores=8)).treatments} == {1}


def test_a_number_of_driver_cpus_leaves_less_for_all_and_is_refused_where_it_is_too_much() -> None:
    asked = replace(experiment(factor("cpus", "all"), subjects=[APACHE, NGINX]), driver_cpus=2)
    assert {(each.cpus, each.driver_cpus) for each in planned(asked, machine=FOUR).treatments} == {((0, 1), (2, 3))}
    three = replace(experiment(factor("cpus", 3), subjects=[APACHE, NGINX]), driver_cpus=2)
    with pytest.raises(LimitedError, match="too few CPUs left for the driver"):
        plan(three, machine=FOUR)


def test_a_driver_polls_on_cpus_of_its_own_and_sleeps_on_the_subjects() -> None:
    asked = replace(experiment(subjects=[APACHE, NGINX]), share_driver=True)
    assert {each.poll for each in planned(asked, machine=TWO).treatments} == {"busy"}
    assert {each.poll for each in planned(asked, machine=machine(cores=1)).treatments} == {"sleep"}
    work = experiment(factor("cpus", 1, 2), subjects=[OPENSSL], compare="cpus", load=WORKED)
    assert {each.poll for each in planned(work, machine=TWO).treatments} == {None}


def test_a_study_may_let_its_driver_sleep_and_may_not_let_it_poll_on_the_subjects_cpus() -> None:
    asked = replace(experiment(subjects=[APACHE, NGINX], load=replace(SERVED, poll="sleep")), share_driver=True)
    assert {each.poll for each in planned(asked, machine=TWO).treatments} == {"sleep"}
    busy = replace(asked, load=replace(SERVED, poll="busy"))
    assert {each.poll for each in planned(busy, machine=TWO).treatments} == {"busy"}
    with pytest.raises(LimitedError, match='poll = "busy" on the subject\'s CPUs'):
        plan(busy, machine=machine(cores=1))
    assert plan(replace(busy, optional=True), machine=machine(cores=1)).experiments == ()
