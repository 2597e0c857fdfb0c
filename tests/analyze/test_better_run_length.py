"""Where time is best spent: the length of runs that tells most, held against simulated studies of every length."""

import dataclasses
import math

import numpy as np
import pytest

from headtohead.analyze.findings.between_runs.better_run_length import TimeSplit
from headtohead.analyze.study import analyze
from headtohead.model.finding import Finding, Severity
from tests.analyze.building import blocks_of, plan, recording
from tests.analyze.seeding import faster_after


def certainty(spent: TimeSplit, measured_s: float, *, total_s: float) -> float:
    """Return the variance of the mean of as many runs of a length as there is time for, from simulated runs."""
    chance = np.random.default_rng(20261122)
    runs = round(total_s / (spent.besides_s + measured_s))
    noise = math.sqrt(spent.between + spent.within * spent.measured_s / measured_s)
    return float((noise * chance.standard_normal((8000, runs))).mean(axis=1).var())


@pytest.mark.parametrize("between", [1e-4, 4e-4, 4e-3])
def test_no_other_length_tells_more_in_the_same_time(between: float) -> None:
    spent = TimeSplit(besides_s=4.0, measured_s=4.0, within=4e-4, between=between)
    best_s = spent.best_s()
    best = certainty(spent, best_s, total_s=4000)
    for factor in (0.25, 0.5, 2, 4):
        assert certainty(spent, factor * best_s, total_s=4000) > best
    share = spent.share_of_time(best_s)
    assert certainty(spent, best_s, total_s=share * 4000) == pytest.approx(
        certainty(spent, spent.measured_s, total_s=4000), rel=0.05
    )


def test_where_nothing_varies_from_run_to_run_longer_is_always_better() -> None:
    assert TimeSplit(4.0, 4.0, within=1e-4, between=0.0).best_s() == math.inf


def notes(within: float, between: float) -> list[Finding]:
    """Return what is noted of two equal servers in ten blocks, by the deviation within their runs and between them."""
    chance = np.random.default_rng(20261122)
    noise = {label: chance.standard_normal(10) for label in ("apache", "nginx")}
    rates = {label: [1000 * math.exp(between * each) for each in told] for label, told in noise.items()}
    halves = chance.standard_normal(20)
    runs = [
        dataclasses.replace(each, readings=faster_after(3.5, math.exp(within * half)))
        for each, half in zip(blocks_of(rates), halves, strict=True)
    ]
    (found,) = analyze(recording(runs, of=plan())).experiments
    return [each for each in found.findings if each.id == "time-better-spent"]


def test_runs_that_differ_from_each_other_alone_are_advised_to_be_shorter() -> None:
    (found,) = notes(within=0.001, between=0.05)
    assert found.severity is Severity.NOTE
    assert float(found.evidence["measure_s"]) < 3
    assert "and more blocks" in found.advice


def test_runs_that_vary_within_as_much_as_between_are_left_as_they_are() -> None:
    assert notes(within=0.07, between=0.05) == []
