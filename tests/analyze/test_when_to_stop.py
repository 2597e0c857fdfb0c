import dataclasses

import pytest

from headtohead.analyze.study import analyze
from headtohead.analyze.verdicts.when_to_stop import decided, look_reached
from headtohead.model.plan import Comparison, PlannedExperiment
from headtohead.model.record import Recorded
from tests.analyze.building import ALPHA, blocks_of, experiment, plan, recording, steady

CLEAR = {"apache": steady(1000), "nginx": steady(1130)}
UNCLEAR = {"apache": steady(1000, step=0.03), "nginx": steady(1010, step=0.04)[::-1]}


def with_run(recorded: Recorded, *, attempt: int, run: int) -> Recorded:
    """Return a run as another attempt, of another number."""
    number = run + recorded.run.place
    return dataclasses.replace(recorded, run=dataclasses.replace(recorded.run, attempt=attempt, run=number))


def stopped(runs: list[Recorded], of: PlannedExperiment | None = None, *, told: str | None = None) -> str:
    ended = None if told is None else {"static-page": told}
    study = dataclasses.replace(recording(runs, of=plan(of or experiment())), stopped=ended)
    return analyze(study).experiments[0].stopped


def test_the_walk_stops_at_the_first_look_that_is_decided() -> None:
    assert look_reached((6, 10, 16), done=16, decided_at=lambda place: place >= 1) == (1, True)
    assert look_reached((6, 10, 16), done=12, decided_at=lambda _: False) == (1, False)
    assert look_reached((6, 10, 16), done=5, decided_at=lambda _: True) == (None, False)


def test_the_session_and_the_analysis_decide_alike() -> None:
    assert decided(experiment(), blocks_of(CLEAR), 6)
    assert not decided(experiment(), blocks_of(UNCLEAR), 6)
    assert stopped(blocks_of({label: each[:6] for label, each in CLEAR.items()})) == "decided"
    assert stopped(blocks_of(UNCLEAR)) == "last-look"


def test_nothing_is_decided_while_a_block_of_the_look_is_incomplete() -> None:
    assert not decided(experiment(), blocks_of(CLEAR)[:11], 6)


def test_only_a_planned_look_can_be_decided() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        decided(experiment(), blocks_of(CLEAR), 7)


def test_later_blocks_make_no_difference_to_an_earlier_look() -> None:
    changed = {"apache": CLEAR["apache"], "nginx": [*CLEAR["nginx"][:6], *(1.0 for _ in range(4))]}
    result = analyze(recording(blocks_of(changed))).experiments[0]
    assert (result.comparisons[0].look, result.comparisons[0].verdict) == (6, "better")
    assert len(result.treatments[1].points) == 6
    assert result.blocks_done == 10


def test_an_experiment_goes_on_until_all_its_comparisons_are_decided() -> None:
    three = experiment(
        treatments=tuple(dataclasses.replace(experiment().treatments[0], label=each) for each in ("a", "b", "c")),
        comparisons=(Comparison("subject", "a", "b", {}, ALPHA), Comparison("subject", "a", "c", {}, ALPHA)),
    )
    values = {"a": UNCLEAR["apache"], "b": steady(2000), "c": UNCLEAR["nginx"]}
    result = analyze(recording(blocks_of(values, of=three), of=plan(three))).experiments[0]
    assert [each.look for each in result.comparisons] == [10, 10]
    assert not decided(three, blocks_of(values, of=three), 6)


def test_an_experiment_without_comparisons_ends_at_its_first_look() -> None:
    alone = experiment(comparisons=())
    assert decided(alone, blocks_of(CLEAR, of=alone), 6)
    assert stopped(blocks_of(CLEAR, of=alone), alone) == "nothing-to-compare"


def test_only_the_session_knows_that_its_time_was_over() -> None:
    first_look = blocks_of({label: each[:6] for label, each in UNCLEAR.items()})
    assert stopped(first_look, told="out-of-time") == "out-of-time"
    assert stopped(first_look) == "unfinished"
    assert stopped(blocks_of(UNCLEAR), told="out-of-time") == "last-look"


def test_a_study_is_complete_when_all_its_experiments_have_stopped() -> None:
    assert analyze(recording(blocks_of(CLEAR))).complete
    assert not analyze(recording(blocks_of(CLEAR)[:7])).complete


def test_a_block_without_a_dropped_treatment_is_complete() -> None:
    runs = [
        each
        for each in blocks_of(CLEAR, statuses={("nginx", 1): "failed", ("nginx", 2): "failed"})
        if each.run.label == "apache" or each.run.block < 3
    ]
    assert decided(experiment(), runs, 6)


def test_a_study_with_a_block_excluded_twice_ends_in_a_verdict() -> None:
    """Six blocks are the fewest for a verdict; without the replacement they would be five."""
    six, values = experiment(looks=(6,)), {label: each[:6] for label, each in CLEAR.items()}
    kept = blocks_of(values, of=six, statuses={("nginx", 2): "invalid"})
    lost = [each for each in kept if (each.run.label, each.run.block) == ("nginx", 2)]
    again = [with_run(each, attempt=2, run=100) for each in lost]
    whole = [with_run(each, attempt=3, run=101) for each in blocks_of(values, of=six) if each.run.block == 2]

    assert analyze(recording([*kept, *again], of=plan(six))).experiments[0].comparisons[0].verdict == "inconclusive"
    assert decided(six, [*kept, *again, *whole], 6)
    assert analyze(recording([*kept, *again, *whole], of=plan(six))).experiments[0].comparisons[0].verdict == "better"


def test_before_a_verdict_is_possible_a_huge_difference_is_named_with_the_time_that_is_left() -> None:
    slow = {"apache": steady(4000), "nginx": steady(500)}
    of = experiment(run_s={"apache": 3.0, "nginx": 4.0})
    four = blocks_of({label: each[:4] for label, each in slow.items()}, of=of)
    (found,) = analyze(recording(four, of=plan(of))).experiments[0].comparisons
    assert found.verdict == "inconclusive"
    assert found.because.startswith("far behind, by 8.0 times, in each of 4 blocks, but a verdict needs 6 blocks")
    assert "about 14 s more" in found.because

    assert found.because.endswith("run the same command again")
    ended = experiment(looks=(4,), run_s=of.run_s)
    (found,) = analyze(recording(four, of=plan(ended))).experiments[0].comparisons
    assert found.because.endswith("needs 6 blocks: run the same command again with --more 4"), "4 blocks at least"

    limited = experiment(looks=(6, 10), run_s=of.run_s)
    kept = blocks_of({label: each[:6] for label, each in slow.items()}, of=limited, statuses={("nginx", 2): "invalid"})
    lost = [with_run(each, attempt=2, run=100) for each in kept if (each.run.label, each.run.block) == ("nginx", 2)]
    cut = dataclasses.replace(recording([*kept, *lost], of=plan(limited)), stopped={limited.name: "out-of-time"})
    (found,) = analyze(cut).experiments[0].comparisons
    assert found.because.endswith("run the same command again with --more 4"), "the command alone begins anew"

    near = blocks_of({label: each[:4] for label, each in UNCLEAR.items()}, of=of)
    assert "so far" not in analyze(recording(near, of=plan(of))).experiments[0].comparisons[0].because


def test_a_treatment_that_failed_in_two_blocks_is_given_up_with_what_failed() -> None:
    short = {label: each[:2] for label, each in CLEAR.items()}
    made = blocks_of(short, statuses={("nginx", 1): "failed", ("nginx", 2): "failed"})
    reasons = ("failed: nginx could not be started: Operation not permitted. See what the study requests there.",)
    runs = [
        dataclasses.replace(each, run=dataclasses.replace(each.run, reasons=reasons))
        if each.run.status == "failed"
        else each
        for each in made
    ]
    (comparison,) = analyze(recording(runs)).experiments[0].comparisons
    assert comparison.because == (
        "nginx was dropped: it failed in two blocks in a row: nginx could not be started: Operation not permitted"
    )


def test_a_treatment_that_never_compresses_is_given_up_with_the_reason() -> None:
    plain = "not-compressed: all answers were plain though gzip was asked for, with its setting compress = off"
    first = blocks_of({label: each[:1] for label, each in CLEAR.items()}, statuses={("nginx", 1): "invalid"})
    why = {"nginx": (plain,), "apache": ()}
    runs = [dataclasses.replace(each, run=dataclasses.replace(each.run, reasons=why[each.run.label])) for each in first]
    assert stopped(runs, told="nothing-to-compare") == "nothing-to-compare"
    (comparison,) = analyze(recording(runs)).experiments[0].comparisons
    assert comparison.verdict == "not-measured"
    assert comparison.because == f"nginx was dropped: {plain.partition(': ')[2]}"
