import dataclasses
import random
import statistics
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headtohead.analyze.samples.values_from_records import measurements
from headtohead.analyze.study import analyze
from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.case import Case
from headtohead.model.plan import Comparison, PlannedExperiment
from headtohead.model.quantity import Summary
from headtohead.model.record import Recorded, Repeat, Status, counting
from tests.analyze.building import (
    ALPHA,
    P99,
    blocks_of,
    experiment,
    load_record,
    plan,
    recorded,
    recording,
    run,
    steady,
)

FASTER = {"apache": steady(1000, step=0.002), "nginx": steady(1130, step=0.003)}
VALUES = st.lists(st.floats(500, 2000), min_size=10, max_size=10)


def compared(
    values: Mapping[str, Sequence[float]],
    *,
    of: PlannedExperiment | None = None,
    statuses: Mapping[tuple[str, int], Status] | None = None,
) -> ComparisonResult:
    chosen = of or experiment()
    runs = blocks_of(values, of=chosen, statuses=statuses)
    return analyze(recording(runs, of=plan(chosen))).experiments[0].comparisons[0]


def test_a_clear_difference_is_decided_at_the_first_look_with_its_interval() -> None:
    result = compared(FASTER)
    assert (result.verdict, result.look, result.at_least_margin) == ("better", 6, True)
    assert result.ratio is not None
    assert result.ratio.interval is not None
    assert result.ratio.value == pytest.approx(1.13, rel=0.01)
    assert result.ratio.interval.confidence == pytest.approx(1 - ALPHA[0])
    assert len(result.blocks) == result.ratio.n == 6
    assert result.sign_flip_p == 2 / 2**6


def test_the_ratio_over_blocks_without_a_repeated_case_is_kept_next_to_the_whole() -> None:
    repeats = (Repeat(Case(), ("steal: 3 % (limit 2 %)",)),)

    def again(each: Recorded, blocks: Sequence[int]) -> Recorded:
        struck = each.run.block in blocks and each.run.label == "nginx"
        return dataclasses.replace(each, run=dataclasses.replace(each.run, repeats=repeats)) if struck else each

    values = {"apache": steady(1000, blocks=6), "nginx": [*steady(1100, blocks=5), 1400.0]}
    runs = blocks_of(values)
    ratios = [other / one for one, other in zip(*values.values(), strict=True)]
    for blocks, left in (((6,), ratios[:5]), ((1, 6), ratios[1:5])):
        told = analyze(recording([again(each, blocks) for each in runs])).experiments[0].comparisons[0]
        assert told.ratio == analyze(recording(runs)).experiments[0].comparisons[0].ratio, "it decides nothing"
        assert told.without_repeats is not None
        assert told.without_repeats.value == pytest.approx(statistics.geometric_mean(left))
        assert told.without_repeats.n == len(left)
    for none in ((), (1, 2, 3, 4, 5)):
        told = analyze(recording([again(each, none) for each in runs])).experiments[0].comparisons[0]
        assert told.without_repeats is None


@pytest.mark.parametrize(("blocks", "left"), [({3: 700.0}, 9), ({3: 700.0, 7: 1400.0}, 8), ({}, None)])
def test_the_ratio_over_blocks_without_outliers_is_kept_next_to_the_whole(
    blocks: Mapping[int, float], left: int | None
) -> None:
    values = {"apache": steady(1000, step=0.01), "nginx": steady(1010, step=0.012)}
    for block, value in blocks.items():
        values["nginx" if block == 3 else "apache"][block] = value
    told = compared(values)
    kept = [place for place in range(10) if place not in blocks]
    if left is None:
        assert told.without_outliers is None
    else:
        assert told.without_outliers is not None
        assert told.without_outliers.n == left == len(kept)
        ratios = [values["nginx"][each] / values["apache"][each] for each in kept]
        assert told.without_outliers.value == pytest.approx(statistics.geometric_mean(ratios))
        assert told.ratio is not None
        assert told.ratio.n == 10, "they decide like all others"


def test_two_alike_are_the_same_within_the_margin() -> None:
    assert compared({"apache": steady(1000), "nginx": steady(1000)[::-1]}).verdict == "same"


def test_noise_is_inconclusive_at_the_last_look_and_says_how_many_blocks_it_needs() -> None:
    chance = random.Random(1)
    noise = {label: [1000 * chance.lognormvariate(0, 0.1) for _ in range(10)] for label in ("apache", "nginx")}
    result = compared(noise)
    assert (result.verdict, result.look) == ("inconclusive", 10)
    assert result.blocks_needed is not None
    assert result.blocks_needed > 10
    assert result.detectable is not None
    assert result.detectable > 1.03


def test_invalid_runs_are_left_out_by_whole_blocks() -> None:
    result = compared(FASTER, statuses={("nginx", 2): "invalid"})
    assert (result.verdict, result.look) == ("better", 10)
    assert len(result.blocks) == 9


def test_fewer_than_six_valid_blocks_are_inconclusive_for_want_of_runs() -> None:
    result = compared(FASTER, statuses={("nginx", block): "invalid" for block in range(1, 6)})
    assert (result.verdict, len(result.blocks)) == ("inconclusive", 5)
    assert result.because.startswith("too few blocks")


def test_a_second_attempt_replaces_the_first_when_it_is_valid() -> None:
    runs = blocks_of(
        {"apache": steady(1000, blocks=6), "nginx": steady(1130, blocks=6)}, statuses={("nginx", 2): "invalid"}
    )
    again = recorded(run("nginx", number=99, block=2, attempt=2), records=runs[0].records)
    result = analyze(recording([*runs, again])).experiments[0].comparisons[0]
    assert (result.look, len(result.blocks)) == (6, 6)


def test_a_block_that_was_measured_again_counts_as_a_whole_or_not_at_all() -> None:
    values = {"apache": steady(1000, blocks=6), "nginx": steady(1130, blocks=6), "caddy": steady(1200, blocks=6)}
    three = experiment(
        treatments=tuple(dataclasses.replace(experiment().treatments[0], label=each) for each in values),
        comparisons=tuple(Comparison("subject", "apache", each, {}, ALPHA) for each in ("nginx", "caddy")),
    )
    runs = blocks_of(values, of=three, statuses={("apache", 2): "invalid"})
    of_nginx = next(each for each in runs if (each.run.label, each.run.block) == ("nginx", 2))

    def again(label: str, number: int, status: Status) -> Recorded:
        return recorded(run(label, number=number, block=2, attempt=3, status=status), records=of_nginx.records)

    def blocks(statuses: Mapping[str, Status]) -> list[int]:
        third = [again(label, 91 + place, status) for place, (label, status) in enumerate(statuses.items())]
        result = analyze(recording([*runs, *third], of=plan(three))).experiments[0]
        return [len(each.blocks) for each in result.comparisons]

    assert blocks({}) == [5, 5]
    assert blocks({"nginx": "valid", "apache": "valid", "caddy": "valid"}) == [6, 6]
    # caddy has a valid run of the first time: it is no pair with one of the last.
    assert blocks({"nginx": "valid", "apache": "valid", "caddy": "invalid"}) == [5, 5]
    assert blocks({"nginx": "valid", "apache": "valid"}) == [5, 5], "killed before the last of them"
    table = measurements(plan(three), [*runs, again("nginx", 91, "valid"), again("apache", 92, "valid")])
    assert {each.status for each in table if each.run > 90} == {"uncounted"}
    assert {each.status for each in table if (each.block, each.treatment) == (2, "caddy")} == {"valid"}
    counted = counting([*runs, again("nginx", 91, "valid"), again("apache", 92, "valid")], gone=["caddy"])
    assert [counted.get((2, label)) is not None for label in values] == [True, True, False]
    assert counted[2, "nginx"].run.run == 91
    third = [again(label, 91 + place, "invalid" if label == "caddy" else "valid") for place, label in enumerate(values)]
    counted = counting([*runs, *third], gone=["caddy"])
    assert (2, "apache") not in counted, "caddy was measured again, and dropped only afterwards"
    assert counted[2, "nginx"].run.run == of_nginx.run.run


def test_a_treatment_that_failed_in_two_blocks_running_is_not_measured_and_the_others_go_on() -> None:
    three = experiment(
        treatments=tuple(
            dataclasses.replace(experiment().treatments[0], label=each) for each in ("apache", "nginx", "caddy")
        ),
        comparisons=tuple(Comparison("subject", "apache", each, {}, ALPHA) for each in ("nginx", "caddy")),
    )
    values = {"apache": steady(1000), "nginx": steady(1130), "caddy": steady(900)}
    runs = blocks_of(values, of=three, statuses={("caddy", 3): "failed", ("caddy", 4): "failed"})
    runs = [each for each in runs if each.run.label != "caddy" or each.run.block <= 4]
    result = analyze(recording(runs, of=plan(three))).experiments[0]
    assert [each.verdict for each in result.comparisons] == ["better", "not-measured"]
    assert result.comparisons[1].ratio is None
    assert [each.dropped for each in result.treatments] == [False, False, True]
    assert result.stopped == "decided"


def test_before_the_first_look_nothing_is_decided() -> None:
    values = {label: each[:3] for label, each in FASTER.items()}
    result = compared(values)
    assert (result.verdict, result.look) == ("inconclusive", None)
    assert result.because == "3 of the 6 blocks up to the first check are complete"


def test_without_a_run_nothing_is_measured() -> None:
    result = analyze(recording([])).experiments[0]
    assert result.comparisons[0].verdict == "not-measured"
    assert result.treatments[0].card is None
    assert result.treatments[0].primary is None


def test_exploratory_ratios_share_their_error_and_leave_the_primary_out() -> None:
    cases = ({"connections": 10}, {"connections": 100})
    result = compared(FASTER, of=experiment(cases=cases))
    told = {(each.case.text, each.metric) for each in result.exploratory}
    assert told == {
        ("connections=10", "goodput_per_s"),
        ("connections=10", "response_time_p99_ns"),
        ("connections=100", "goodput_per_s"),
        ("connections=100", "response_time_p99_ns"),
        ("", "subject_memory_peak_bytes"),
    }
    intervals = [each.ratio.interval for each in result.exploratory]
    assert {round(each.confidence, 9) for each in intervals if each is not None} == {round(1 - ALPHA[0] / 5, 9)}


def test_the_only_case_is_not_told_again_beside_its_summary() -> None:
    told = {each.metric for each in compared(FASTER).exploratory}
    assert told == {"response_time_p99_ns", "subject_memory_peak_bytes"}


@given(apache=VALUES, nginx=VALUES)
@settings(max_examples=20, deadline=None)
def test_swapping_the_arms_inverts_the_ratio(apache: list[float], nginx: list[float]) -> None:
    turned = experiment(comparisons=(Comparison("subject", "nginx", "apache", {}, ALPHA),))
    values = {"apache": apache, "nginx": nginx}
    mine, swapped = compared(values), compared(values, of=turned)
    assert mine.ratio is not None
    assert swapped.ratio is not None
    assert mine.look == swapped.look
    assert swapped.ratio.value == pytest.approx(1 / mine.ratio.value)
    assert swapped.sign_flip_p == mine.sign_flip_p


@given(apache=VALUES, nginx=VALUES, factor=st.sampled_from([0.01, 3.0, 1000.0]))
@settings(max_examples=20, deadline=None)
def test_scaling_all_values_leaves_the_comparison(apache: list[float], nginx: list[float], factor: float) -> None:
    mine = compared({"apache": apache, "nginx": nginx})
    scaled = compared({"apache": [factor * x for x in apache], "nginx": [factor * x for x in nginx]})
    assert scaled.verdict == mine.verdict
    assert scaled.blocks == pytest.approx(mine.blocks)


@given(apache=VALUES, nginx=VALUES, seed=st.integers(0, 100))
@settings(max_examples=20, deadline=None)
def test_the_order_of_blocks_is_irrelevant_within_a_look(apache: list[float], nginx: list[float], seed: int) -> None:
    """The verdict itself may be withheld for one order alone: where a run depends on the one before it."""
    one_look = experiment(looks=(10,), comparisons=(Comparison("subject", "apache", "nginx", {}, (0.05,)),))
    order = list(range(10))
    random.Random(seed).shuffle(order)
    mine = compared({"apache": apache, "nginx": nginx}, of=one_look)
    mixed = compared({"apache": [apache[i] for i in order], "nginx": [nginx[i] for i in order]}, of=one_look)
    assert mixed.ratio is not None
    assert mine.ratio is not None
    assert mixed.ratio.value == pytest.approx(mine.ratio.value)
    assert mixed.ratio.interval is not None
    assert mine.ratio.interval is not None
    assert mixed.ratio.interval.low == pytest.approx(mine.ratio.interval.low)
    assert mixed.ratio.interval.high == pytest.approx(mine.ratio.interval.high)
    assert mixed.sign_flip_p == pytest.approx(mine.sign_flip_p)
    assert mixed.blocking_gain == pytest.approx(mine.blocking_gain)


def test_a_quantile_that_some_run_cannot_carry_is_not_judged_and_says_why() -> None:
    tail = Summary("tail", P99.name, "geometric-mean", {})
    chosen = experiment(primary=tail, summaries=(tail,))
    runs = blocks_of(FASTER, of=chosen)
    assert analyze(recording(runs, of=plan(chosen))).experiments[0].comparisons[0].verdict == "better"
    # 99 of 9,900 requests lie beyond the 99th percentile: one fewer than it takes
    few = dataclasses.replace(runs[2], records=(load_record(1130, sent=9_900),))
    told = analyze(recording([*runs[:2], few, *runs[3:]], of=plan(chosen))).experiments[0].comparisons[0]
    assert (told.verdict, told.ratio, told.blocks) == ("not-measured", None, ())
    assert told.because == "a run sent too few requests for it: 100 must lie beyond a quantile"
