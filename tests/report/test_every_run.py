"""What went wrong with runs: which, why, and how it was made good."""

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.case import Case
from headtohead.model.record import Phase, Recorded, Repeat
from headtohead.report.experiment.runs.runs_table import runs_table
from headtohead.report.study.every_run import MOST, bad_run_lines, dropped_lines
from headtohead.report.study.page_one.masthead import trust_line
from headtohead.report.text.repeated_cases_and_their_effect import (
    Setup,
    discarded_sentence,
    effect_without,
    repeated_setups,
    repeats_sentence,
)
from tests.report.sample import ANALYSIS, RECORDING

STATIC = ANALYSIS.experiments[0]
(BUSY,) = STATIC.findings
APACHE, NGINX, NOOP = STATIC.treatments


def test_a_struck_run_stands_there_with_its_reason_and_how_it_was_made_good() -> None:
    assert bad_run_lines(RECORDING) == (
        "63 runs were made; 1 discarded, and left out of every number here.",
        "Run 6, nginx in static-page, block 2, discarded: foreign CPU 0.31 in connections=100 (limit 0.10). "
        "Made again as run 7.",
    )


def test_where_all_went_well_that_is_said() -> None:
    good = replace(RECORDING, runs=RECORDING.runs[:5])
    assert bad_run_lines(good) == ("5 runs were made; none failed and none was discarded.",)


def _again(each: Recorded, *reasons: str) -> Recorded:
    repeats = tuple(Repeat(Case({"connections": 10}), (reason,)) for reason in reasons)
    return replace(each, run=replace(each.run, repeats=repeats))


def test_a_repeated_case_is_told_with_its_cause_although_its_run_counts() -> None:
    first, second, third, *others = RECORDING.runs[:5]
    busy, late = "foreign-cpu: foreign CPU 0.31 (limit 0.10)", "client-limited: the driver waited"
    good = replace(RECORDING, runs=(_again(first, busy, busy), second, _again(third, late), *others))
    assert bad_run_lines(good)[1:] == (
        "2 of 5 runs had a part measured again, all of nginx or Apache HTTP Server: another program used the CPU (1) "
        "and the load generator was held up (1) (runs 1 and 3). Only the last measurement of such a part counts.",
    )
    table = runs_table(STATIC, good.runs)
    assert [row.cells[2].text for row in table.groups[0].rows] == [
        "valid, a part measured again",
        "valid",
        "valid, a part measured again",
        "valid",
        "valid",
    ]
    assert [row.cells[2].small for row in table.groups[0].rows][:3] == [
        "foreign CPU 0.31 (limit 0.10)",
        "",
        "the driver waited",
    ]


def test_a_repeat_of_an_older_folder_is_told_without_a_cause() -> None:
    first, *others = RECORDING.runs[:5]
    again = replace(first, run=replace(first.run, phases=(Phase("measure-replaced", None, 0, 1), *first.run.phases)))
    said = bad_run_lines(replace(RECORDING, runs=(again, *others)))[1]
    assert said.startswith("1 of 5 runs had a part measured again, of nginx: the reason was not recorded (run 1).")


def test_setups_whose_cases_were_repeated_are_named_as_repeats_of_some_alone_may_favor_them() -> None:
    steal = "steal: 3 % (limit 2 %)"
    two = ("openssl cpus=2", "c-kernels copies=2")
    runs = tuple(_again(each, steal) if each.run.label in two else each for each in RECORDING.runs)
    both = replace(RECORDING, runs=runs)
    assert repeated_setups(both) == ", all with 2 CPUs or 2 copies"
    assert "12 had a part measured again, all with 2 CPUs or 2 copies (the hypervisor took" in trust_line(both)
    assert "12 of 62 runs had a part measured again, all with 2 CPUs or 2 copies: the" in bad_run_lines(both)[1]
    every = replace(RECORDING, runs=tuple(_again(each, steal) for each in RECORDING.runs))
    assert repeated_setups(every) == ""
    static = RECORDING.plan.experiments[0]
    twins = replace(RECORDING.plan, experiments=(static, replace(static, name="twin")))
    own = tuple(_again(each, steal) for each in RECORDING.runs_of(static.name))
    assert repeated_setups(replace(RECORDING, plan=twins, runs=own)) == "", "setups of two questions count once"
    some = tuple(each if each.run.label in two else _again(each, steal) for each in RECORDING.runs)
    most = replace(RECORDING, runs=some)
    assert repeated_setups(most) == ", of 7 of 9 setups"
    assert " had a part measured again (the hypervisor took CPU time away) \u00b7" in trust_line(most)
    foreign = "foreign-cpu: 0.31 CPU"
    twice = tuple(_again(each, steal, foreign) if each.run.label in two else each for each in RECORDING.runs)
    assert "2 copies (the hypervisor took CPU time away and another program used the CPU)" in trust_line(
        replace(RECORDING, runs=twice)
    )
    (one,) = [each for each in twice if each.run.run == some[0].run.run]
    mixed = tuple(_again(each, steal) if each.run.run == one.run.run else each for each in twice)
    assert ", some for several reasons (" in trust_line(replace(RECORDING, runs=mixed))
    busy = tuple(_again(each, "foreign-cpu: 0.31 CPU") if each.run.run == some[0].run.run else each for each in some)
    assert "; 1: another program used the CPU) \u00b7" in trust_line(replace(RECORDING, runs=busy))
    assert repeated_setups(RECORDING) == ""


def _failed(each: Recorded) -> Recorded:
    return replace(each, run=replace(each.run, status="failed", reasons=("it did not become ready",)))


def test_of_many_failures_the_first_are_named_and_nothing_made_them_good() -> None:
    bad = replace(RECORDING, runs=tuple(map(_failed, RECORDING.runs[: MOST + 2])))
    head, *lines = bad_run_lines(bad)
    assert head == "8 runs were made; 8 failed, and left out of every number here."
    assert lines[-1] == "2 more are in the table."
    assert all(line.endswith("failed: it did not become ready. It was not replaced.") for line in lines[:-1])


def test_a_treatment_that_was_given_up_is_named() -> None:
    gone = replace(STATIC, treatments=(APACHE, replace(NGINX, dropped=True), NOOP))
    assert dropped_lines([gone]) == ("nginx in static-page was given up: it failed again and again, or for good.",)
    (pair, *others) = gone.comparisons
    told = replace(gone, comparisons=(replace(pair, because="nginx was dropped: it failed in two blocks"), *others))
    assert dropped_lines([told]) == (), "its card has the reason"
    assert dropped_lines(ANALYSIS.experiments) == ()


def rsa_repeats(runs: Sequence[Recorded]) -> str:
    """Return the line on repeats of the second question, whose blocks gave the ratios 1.9, 1.9 and 2.3 in turn."""
    result, planned = ANALYSIS.experiments[1], RECORDING.plan.experiments[1]
    setups = [
        Setup(label, label, short) for label, short in (("openssl cpus=1", "1 CPU"), ("openssl cpus=2", "2 CPUs"))
    ]
    blocks = dict(enumerate((1.9, 1.9, 2.3) * 2, start=1))
    own = [each for each in runs if each.run.experiment == planned.name]
    left = [
        ratio
        for block, ratio in blocks.items()
        if not any(each.run.repeated for each in own if each.run.block == block)
    ]
    mean = math.exp(sum(map(math.log, left)) / len(left)) if left else 0.0
    without = Estimate(mean, Interval(mean - 0.1, mean + 0.1, 0.97), len(left)) if 1 < len(left) < len(blocks) else None
    ratio = Estimate(2.02, Interval(1.8, 2.2, 0.97), 6)
    pair = replace(result.comparisons[0], ratio=ratio, without_repeats=without)
    return repeats_sentence(own, setups, replace(result, comparisons=(pair,)))


def test_repeated_cases_are_named_with_the_ratio_that_the_other_blocks_have() -> None:
    steal = "steal: 3 % (limit 2 %)"
    third = [each.run.block % 3 == 0 and each.run.label == "openssl cpus=2" for each in RECORDING.runs]
    one = [_again(each, steal) if is_third else each for each, is_third in zip(RECORDING.runs, third, strict=True)]
    assert rsa_repeats(one) == (
        "2 runs with 2 CPUs had a part measured again (the hypervisor took CPU time away). "
        "The 4 of 6 blocks without repeats give 1.90x (1.80x to 2.00x): the same winner, with 2x not excluded."
    )
    single = [
        _again(each, steal) if (each.run.block, each.run.label) == (3, "openssl cpus=2") else each
        for each in RECORDING.runs
    ]
    assert rsa_repeats(single).startswith("Run 24, with 2 CPUs, had a part measured again (the hypervisor took CPU")
    assert ". The 5 of 6 blocks without repeats give 1.97x (" in rsa_repeats(single)
    others = [each if is_third else _again(each, steal) for each, is_third in zip(RECORDING.runs, third, strict=True)]
    assert rsa_repeats(others).startswith("10 runs had a part measured again (the hypervisor")
    assert "): 6 with 1 CPU and 4 with 2 CPUs. " in rsa_repeats(others)
    last = [_again(each, steal) if each.run.block < 6 else each for each in RECORDING.runs]
    assert rsa_repeats(last).endswith("No block, or too few, are without such a run, so what that did cannot be seen.")
    far = [_again(each, steal) if each.run.block % 3 else each for each in RECORDING.runs]
    assert rsa_repeats(far).endswith(
        "No block, or too few, are without such a run, so what that did cannot be seen."
    ), "two blocks"
    result = ANALYSIS.experiments[1]
    rest = Estimate(2.3, Interval(2.2, 2.4, 0.97), 3)
    assert effect_without(result, [rest], then="; measure again on a quieter machine").endswith(
        "give 2.30x (2.20x to 2.40x): outside the interval of all; measure again on a quieter machine."
    )
    assert rsa_repeats(RECORDING.runs) == ""


def test_repeats_of_the_limit_alone_are_told_as_the_head_of_the_page_counts_them() -> None:
    result, planned = ANALYSIS.experiments[0], RECORDING.plan.experiments[0]
    own = [each for each in RECORDING.runs if each.run.experiment == planned.name]
    setups = [Setup(each, each, each) for each in ("apache-httpd", "nginx")]
    some = [_again(each, "steal: 3 %") if each.run.label == "noop" and each.run.block == 1 else each for each in own]
    assert sum(each.run.repeated for each in some) == 1
    said = "A part of 1 run of the limit; no answer rests on it."
    assert repeats_sentence(some, setups, result) == said
    assert repeats_sentence(own, setups, result) == ""


def test_discarded_runs_are_counted_by_setup_as_rules_that_strike_one_alone_may_favor_it() -> None:
    own = [each for each in RECORDING.runs if each.run.experiment == RECORDING.plan.experiments[1].name]
    setups = [Setup("openssl cpus=1", "", "1 CPU"), Setup("openssl cpus=2", "", "2 CPUs")]
    assert discarded_sentence(own, setups) == ""
    lost = [replace(each, run=replace(each.run, status="invalid")) for each in own[:3]]
    one = sum(each.run.label == "openssl cpus=1" for each in lost)
    assert discarded_sentence([*lost, *own[3:]], setups) == (f"Discarded: {one} with 1 CPU and {3 - one} with 2 CPUs.")
    assert discarded_sentence(lost, setups[:1]) == ""


def test_the_only_run_with_a_repeated_case_is_named_with_its_place_among_its_setup_s_runs() -> None:
    result, planned = ANALYSIS.experiments[1], RECORDING.plan.experiments[1]
    own = [each for each in RECORDING.runs if each.run.experiment == planned.name]
    label = "openssl cpus=2"
    again = [_again(each, "steal: 3 %") if (each.run.block, each.run.label) == (3, label) else each for each in own]
    for values, place in (
        ((5, 5, 9, 5, 5, 5), "the fastest "),
        ((5, 5, 1, 5, 5, 5), "the slowest "),
        ((1, 9, 5, 5), ""),
    ):
        setups = [Setup("openssl cpus=1", "a", "1 CPU"), Setup(label, "b", "2 CPUs", values)]
        text = repeats_sentence(again, setups, result)
        assert text.startswith(f"Run 24, {place}with 2 CPUs, had a part measured again (the hypervisor took"), text


@pytest.mark.parametrize(("left", "rests"), [(1.003, True), (0.985, True), (0.97, False)])
def test_an_estimate_that_rests_on_the_blocks_left_out_is_said_so(left: float, rests: bool) -> None:
    result = ANALYSIS.experiments[1]
    (pair,) = result.comparisons
    assert pair.ratio is not None
    of_all = Estimate(0.95, Interval(0.86, 1.05, 0.97), 10)
    opened = replace(pair, ratio=of_all, verdict="inconclusive", scaling=None)
    rest = Estimate(left, Interval(0.94, 1.07, 0.97), 8)
    text = effect_without(replace(result, comparisons=(opened,)), [rest], odd=True)
    assert text.startswith("The 8 of 10 blocks without outliers give ")
    assert text.endswith(", so the best estimate rests on the outliers.") is rests
    decided = replace(result, comparisons=(replace(opened, verdict="worse"),))
    assert "rests on" not in effect_without(decided, [rest], odd=True)


def test_without_repeats_an_answer_in_percent_stays_in_percent() -> None:
    result, planned = ANALYSIS.experiments[0], RECORDING.plan.experiments[0]
    own = [each for each in RECORDING.runs if each.run.experiment == planned.name]
    again = [_again(each, "steal: 3 %") if each.run.block == 3 else each for each in own]
    ratio, left = (Estimate(each, Interval(each - 0.02, each + 0.02, 0.97), 6) for each in (0.963, 0.968))
    pair = replace(result.comparisons[0], ratio=ratio, without_repeats=left)
    setups = [Setup("apache-httpd", "a", "Apache"), Setup("nginx", "b", "nginx")]
    assert repeats_sentence(again, setups, replace(result, comparisons=(pair,))).endswith(
        "The 6 of 6 blocks without repeats give 3.2 % slower (1.2 % to 5.2 % slower): the same winner."
    )
    for low, high, end in (
        (0.95, 1.02, "): no sure winner."),
        (0.94, 0.98, "slower): the same winner."),
        (0.92, 0.99, "slower): the same winner."),
    ):
        few = replace(pair, without_repeats=replace(left, interval=Interval(low, high, 0.97), n=3))
        assert repeats_sentence(again, setups, replace(result, comparisons=(few,))).endswith(end)
    undecided = replace(result, comparisons=(replace(pair, verdict="inconclusive"),))
    assert repeats_sentence(again, setups, undecided).endswith("(1.2 % to 5.2 % slower).")


def test_blocks_that_do_not_exclude_an_ideal_which_all_exclude_are_told() -> None:
    result = next(each for each in ANALYSIS.experiments if each.name == "rsa")
    (pair,) = result.comparisons
    assert pair.scaling is not None
    sure = replace(pair.scaling, gain=1.2, interval=Interval(1.01, 1.4, 0.95))
    above = replace(pair, scaling=sure, ratio=Estimate(2.2, Interval(2.01, 2.4, 0.95), 6))
    for low, said in ((1.96, ": the same winner, with 2x not excluded."), (2.02, ": the same winner.")):
        rest = Estimate(2.15, Interval(low, 2.38, 0.95), 5)
        assert effect_without(replace(result, comparisons=(above,)), [rest], odd=True).endswith(said)
