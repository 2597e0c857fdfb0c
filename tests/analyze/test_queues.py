"""Searches of servers with a queue and a limit on their p99: the interval of one search holds the capacity (ADR 27)."""

import dataclasses
import math

import numpy as np
import pytest
from scipy import stats

from benches.verdicts.queues import SERVERS, late_after, searched
from headtohead.analyze.capacity.bayesian_bisection import bracket_around, capacity
from headtohead.analyze.capacity.likelihood_of_late_requests import GROUPS, SLOPES, log_likelihood, unsettled
from headtohead.analyze.capacity.next_trial import next_trial
from headtohead.analyze.capacity.objective import late_requests, passes
from headtohead.analyze.capacity.trial_outcome import LateRequests, TrialOutcome
from headtohead.model.case import WHOLE_RUN
from headtohead.model.record import LoadRecord
from headtohead.model.study.trials import Trial
from tests.analyze.bucket import LOAD, OBJECTIVE, Bucket, searching

SEARCHES = 6
"""At each utilization; `make bench-verdicts` makes 200."""


@pytest.mark.parametrize("name", SERVERS)
def test_intervals_hold_the_capacity_and_the_middle_is_near_it(name: str) -> None:
    told = [searched(name, each, size=SEARCHES, seed=20261123) for each in SERVERS[name][1]]
    assert sum(each.covered for each in told) / len(told) >= 0.91
    assert np.mean([each.bias for each in told]) == pytest.approx(0.0, abs=0.015)
    assert max(each.trials for each in told) <= 15


def test_the_limit_is_the_p99_that_theory_gives() -> None:
    """In M/M/1 response times are exponential, with a mean of 1 / (1 - utilization) service times."""
    for utilization, limit in SERVERS["M/M/1"][1].items():
        assert limit == pytest.approx(math.log(100) / (1 - utilization), rel=0.02)
    assert late_after(SERVERS["M/M/1"][0], 0.5, size=400_000) == pytest.approx(2 * math.log(100), rel=0.03)


def test_late_requests_are_negative_binomial_around_the_allowed_share_at_the_capacity() -> None:
    late = LateRequests(count=31.0, of=2000.0, allowed_share=0.01, limit_s=0.02)
    told = log_likelihood(late, np.zeros(1))
    assert told.shape == (len(SLOPES), len(GROUPS), 1)
    for slope, row in zip(SLOPES, told[:, :, 0], strict=True):
        for (group, _), value in zip(GROUPS, row, strict=True):
            size = 20 / (group * slope**1.5)
            assert value == pytest.approx(stats.nbinom.logpmf(31, size, size / (size + 20)), rel=1e-6)


def test_more_late_requests_mean_a_lower_capacity() -> None:
    def found(*counts: float) -> float:
        trials = [TrialOutcome(1000.0, each <= 80, 8000.0, LateRequests(each, 8000.0, 0.01, 0.02)) for each in counts]
        told = capacity([TrialOutcome(900.0, holds=True, requests=8000.0), *trials], bracket=bracket_around(1000.0))
        assert told is not None
        return told[0]

    told = [found(each, each) for each in (20.0, 80.0, 200.0, 800.0)]
    assert told == sorted(told, reverse=True)
    assert told[1] == pytest.approx(1000.0, rel=0.02)


def test_a_trial_too_short_for_its_queue_to_settle_allows_for_a_lower_capacity() -> None:
    late = LateRequests(0.0, 2000.0, 0.01, 0.09)
    assert unsettled(late, rate_per_s=1000.0) == pytest.approx(math.log(100) / 90 * (1 - 2000 / 32_400))
    assert unsettled(dataclasses.replace(late, of=32_400.0), rate_per_s=1000.0) == 0.0


def first_trial(limit_s: float, *, rate_per_s: float) -> Trial:
    """Return the first trial after the probe of a server of this rate."""
    of = searching(dataclasses.replace(LOAD, objective={"response_time_p99_ns": 1e9 * limit_s}))
    probe = next_trial(of, of.treatments[0], [], [])
    assert probe is not None
    records = [Bucket(rate_per_s, np.random.default_rng(1)).serve(probe)]
    trial = next_trial(of, of.treatments[0], records, [])
    assert trial is not None
    return trial


@pytest.mark.parametrize(
    ("limit_s", "rate_per_s", "requests"),
    [(0.02, 1000.0, 8000), (0.085, 1000.0, 10_600), (0.2, 1000.0, 16_000), (1.0, 1000.0, 2000), (0.2, 100.0, 2570)],
)
def test_a_trial_is_longer_where_the_limit_may_bind_and_is_warmed_up_for_a_quarter_of_it(
    limit_s: float, rate_per_s: float, requests: int
) -> None:
    trial = first_trial(limit_s, rate_per_s=rate_per_s)
    assert trial.measure_s * float(trial.case["rate_per_s"]) == pytest.approx(requests, rel=0.03)
    settling = 0.25 * trial.measure_s if requests > 2000 else 0.5
    assert trial.warm_up_s == pytest.approx(max(0.5, settling))


def test_a_trial_that_failed_for_another_reason_shows_no_number_of_late_requests() -> None:
    values = {"goodput_per_s": 1000.0, "scheduled": 2000.0, "late": 31.0}
    record = LoadRecord("local", WHOLE_RUN, "open", 2 * 10**9, 0, 2 * 10**9, 2000, 2000, {}, values)
    told = late_requests(record, OBJECTIVE)
    assert told is not None
    assert (told.count, told.of, told.limit_s) == (31.0, 2000.0, 0.2)
    assert told.allowed_share == pytest.approx(0.01)
    assert late_requests(dataclasses.replace(record, values=values | {"goodput_per_s": 900.0}), OBJECTIVE) is None
    assert late_requests(dataclasses.replace(record, errors={"refused": 11}), OBJECTIVE) is None
    timed_out = late_requests(dataclasses.replace(record, errors={"timeout": 4}), OBJECTIVE)
    assert timed_out is not None
    assert timed_out.count == 35.0
    assert late_requests(record, {"error_share": 0.005}) is None
    two = {"response_time_p50_ns": 50e6, "response_time_p99_ns": 200e6}
    many = dataclasses.replace(record, values=values | {"late": 400.0, "response_time_p99_ns": 190e6})
    assert passes(many, two)
    of_two = late_requests(many, two)
    assert of_two is not None, "the second limit is the driver's quantile, never held against what the first counted"
    assert (of_two.count, of_two.allowed_share) == (400.0, 0.5)
    slow = dataclasses.replace(many, values={**many.values, "response_time_p99_ns": 210e6})
    assert late_requests(slow, two) is None
