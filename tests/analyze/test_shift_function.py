"""Where along the response times two treatments differ: which quantiles, counted how, and how often wrongly."""

import dataclasses
import math
from collections.abc import Callable

import numpy as np
import pytest

from headtohead.analyze.statistics.max_t import shared
from headtohead.analyze.study import analyze
from headtohead.analyze.verdicts.shift_function import QUANTILES
from headtohead.model.analysis.comparison import Shift
from headtohead.model.case import Case
from headtohead.model.record import LoadRecord, Recorded
from tests.analyze.building import ALPHA, blocks_of, experiment, plan, recording, steady

BLOCKS = len(steady(1000))
FIRST_LOOK = 6
"""Goodputs that are alike are the same in so many blocks."""
Times = Callable[[str, str, int], float | None]
"""The response time of a treatment at a quantile in a block, in ns."""


def shifted(times: Times, *, sent: int = 100_000) -> tuple[Shift, ...]:
    """Return what is told of nginx against apache, whose goodputs are alike."""
    made = blocks_of({"apache": steady(1000), "nginx": steady(1000)}, of=experiment())
    runs = [_with_times(each, times, sent=sent) for each in made]
    (comparison,) = analyze(recording(runs, of=plan(experiment()))).experiments[0].comparisons
    return comparison.shifts


def _with_times(recorded: Recorded, times: Times, *, sent: int) -> Recorded:
    told = {f"response_time_{each}_ns": times(recorded.run.label, each, recorded.run.block) for each in QUANTILES}
    records = [each for each in recorded.records if isinstance(each, LoadRecord)]
    made = [dataclasses.replace(each, values={**each.values, **told}, sent=sent) for each in records]
    return dataclasses.replace(recorded, records=tuple(made))


def crossing(label: str, quantile: str, block: int) -> float:
    """Return times of which nginx's are shorter up to the median and longer beyond."""
    place = QUANTILES.index(quantile)
    worse = 0.8 if place < 5 else 1.25
    return 1e6 * (1 + place) * (1 + 0.001 * block) * (worse + 0.002 * (block % 3) if label == "nginx" else 1.0)


def test_a_median_that_is_shorter_and_a_tail_that_is_longer_are_told_apart() -> None:
    found = {each.quantile: each.ratio for each in shifted(crossing)}

    assert list(found) == list(QUANTILES)
    assert found["p50"].value == pytest.approx(0.802, rel=0.002)
    assert found["p99"].value == pytest.approx(1.252, rel=0.002)
    assert found["p50"].interval is not None
    assert found["p99"].interval is not None
    assert found["p50"].interval.high < 1 < found["p99"].interval.low
    assert found["p50"].n == 6


def test_the_intervals_of_a_case_share_the_error_of_the_comparison() -> None:
    told = [each.ratio.interval.confidence for each in shifted(crossing) if each.ratio.interval]
    assert told == pytest.approx([1 - ALPHA[0] / len(QUANTILES)] * len(QUANTILES))


def test_the_intervals_of_both_cases_share_it_too() -> None:
    ten, hundred = Case({"connections": 10}), Case({"connections": 100})
    of = experiment(cases=(ten, hundred))
    made = [
        _with_times(each, crossing, sent=100_000)
        for each in blocks_of({"apache": steady(1000), "nginx": steady(1000)}, of=of)
    ]
    runs = [
        dataclasses.replace(
            each,
            records=tuple(dataclasses.replace(one, case=case) for case in (ten, hundred) for one in each.records[:1]),
        )
        for each in made
    ]
    (comparison,) = analyze(recording(runs, of=plan(of))).experiments[0].comparisons
    told = [each.ratio.interval.confidence for each in comparison.shifts if each.ratio.interval]
    assert {each.case.text for each in comparison.shifts} == {"connections=10", "connections=100"}
    assert told == pytest.approx([1 - ALPHA[0] / (2 * len(QUANTILES))] * 2 * len(QUANTILES))


def test_a_quantile_that_a_run_cannot_carry_is_left_out() -> None:
    assert [each.quantile for each in shifted(crossing, sent=999)] == list(QUANTILES[:8])


def test_a_quantile_that_one_block_lacks_is_left_out_and_never_zero() -> None:
    def lacking(label: str, quantile: str, block: int) -> float | None:
        return None if (label, quantile, block) == ("apache", "p20", 3) else crossing(label, quantile, block)

    assert [each.quantile for each in shifted(lacking)] == [each for each in QUANTILES if each != "p20"]


def test_equal_servers_are_told_apart_anywhere_in_few_studies() -> None:
    chance = np.random.default_rng(20261122)
    places = [int(each[1:]) / 100 for each in QUANTILES]
    false = 0
    for number in range(300):
        # a run of its own pace, requests of their own; quantiles of one run rise and fall together
        requests = chance.exponential(1e6, size=(2, BLOCKS, 400)) * np.exp(
            0.05 * chance.standard_normal((2, BLOCKS, 1))
        )
        table = np.quantile(requests, places, axis=2)

        def drawn(label: str, quantile: str, block: int, told: np.ndarray = table) -> float:
            return float(told[QUANTILES.index(quantile), int(label == "nginx"), block - 1])

        logs = np.log(table[:, 1] / table[:, 0])[:, :FIRST_LOOK]
        told = [each.interval for each in shared(list(logs), alpha=ALPHA[0])]
        ends = [(each.low, each.high) for each in told if each]
        if number == 0:  # a study is analyzed so; the others skip all else that there is to analyze
            whole = [each.ratio.interval for each in shifted(drawn)]
            assert ends == [pytest.approx((each.low, each.high)) for each in whole if each]
        false += any(low > 1 or high < 1 for low, high in ends)
    assert false / 300 <= 0.028 + 3 * math.sqrt(0.028 * 0.972 / 300)
