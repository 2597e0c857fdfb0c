"""The arithmetic beneath a search: which rate next, what is known, and whether one trial held."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from headtohead.analyze.capacity import bayesian_bisection
from headtohead.analyze.capacity.bayesian_bisection import (
    MOST,
    Bracket,
    bracket_around,
    bracket_from_probe,
    capacity,
    next_rate,
    unstable,
)
from headtohead.analyze.capacity.objective import keeps_up, passes
from headtohead.analyze.capacity.trial_outcome import TrialOutcome
from headtohead.model.case import WHOLE_RUN
from headtohead.model.record import LoadRecord
from headtohead.model.study.trials import late_after_ns
from tests.analyze.bucket import OBJECTIVE, answered

PROBED = bracket_from_probe(1000.0, time_may_bind=False)


def outcomes(holds: list[bool], *, bracket: Bracket) -> list[TrialOutcome]:
    """Return the trials of a search whose outcomes are given, whatever the rates: an adversary's server."""
    trials: list[TrialOutcome] = []
    for each in holds:
        rate = next_rate(trials, bracket=bracket)
        if rate is None:
            break
        trials.append(TrialOutcome(rate, each, 2000))
    return trials


@settings(deadline=None, max_examples=60)
@given(
    holds=st.lists(st.booleans(), min_size=20, max_size=20),
    probe=st.floats(0.5, 1e6),
    doubtful=st.booleans(),
    later=st.booleans(),
)
@example(holds=[True] * 20, probe=1.0, doubtful=False, later=True)
@example(holds=[True] * 9 + [False] * 11, probe=1.0, doubtful=False, later=False)
@example(holds=[False] * 14 + [True] * 6, probe=1.0, doubtful=False, later=True)
def test_no_outcomes_make_a_search_longer_than_its_limit_or_lead_it_astray(
    holds: list[bool], probe: float, *, doubtful: bool, later: bool
) -> None:
    bracket = bracket_around(probe) if later else bracket_from_probe(probe, time_may_bind=doubtful)
    trials = outcomes(holds, bracket=bracket)
    assert len(trials) + bracket.probed <= MOST
    assert next_rate(trials, bracket=bracket) is None
    for each in trials:
        # Where every trial holds, or none, the search follows: 14.8 times up and 138 times down at the most.
        assert probe / 150 <= each.rate_per_s <= probe * 15
    found = capacity(trials, bracket=bracket)
    assert (found is None) == (not any(each.holds for each in trials))
    if found is not None:
        assert found[1].low <= found[0] <= found[1].high


@settings(deadline=None, max_examples=20)
@given(holds=st.lists(st.booleans(), min_size=15, max_size=15))
def test_a_search_depends_on_nothing_but_its_outcomes(holds: list[bool]) -> None:
    assert outcomes(holds, bracket=PROBED) == outcomes(holds, bracket=PROBED)


@settings(deadline=None)
@given(rate=st.floats(900, 1050))
def test_another_unit_of_the_rate_changes_nothing(rate: float) -> None:
    trials = [TrialOutcome(rate, holds=False, requests=2000), TrialOutcome(rate * 0.9, holds=True, requests=2000)]
    in_millions = [dataclasses.replace(each, rate_per_s=each.rate_per_s * 1e-6) for each in trials]
    here = capacity(trials, bracket=PROBED)
    there = capacity(in_millions, bracket=bracket_from_probe(1e-3, time_may_bind=False))
    assert here is not None
    assert there is not None
    assert there[0] * 1e6 == pytest.approx(here[0], rel=2e-3)


def test_it_ends_at_a_credible_width_of_ten_percent() -> None:
    trials = outcomes([each < 1 for each in (0.9, 0.95, 1.1, 1.05, 0.98, 1.02, 0.99, 1.01)], bracket=PROBED)
    found = capacity(trials, bracket=PROBED)
    assert found is not None
    if next_rate(trials, bracket=PROBED) is None:
        assert math.log(found[1].high / found[1].low) <= bayesian_bisection.WIDTH


def test_a_capacity_far_outside_the_bracket_is_still_found() -> None:
    for true in (300.0, 1600.0):
        trials: list[TrialOutcome] = []
        while (rate := next_rate(trials, bracket=PROBED)) is not None:
            trials.append(TrialOutcome(rate, rate <= true, 20_000))
        found = capacity(trials, bracket=PROBED)
        assert found is not None
        assert found[0] == pytest.approx(true, rel=0.06)


def test_where_nothing_held_no_capacity_is_named() -> None:
    assert capacity([TrialOutcome(500, holds=False, requests=2000)], bracket=PROBED) is None


def test_outcomes_that_do_not_follow_the_rate_name_a_region() -> None:
    tried = [TrialOutcome(rate, holds, 2000) for rate, holds in ((800, False), (820, False), (950, True), (700, True))]
    region = unstable(tried)
    assert region is not None
    assert (region.low, region.high) == (820, 950)
    assert unstable(tried[:1] + tried[2:]) is None


def trial(right: float, *, asked: float = 2000, late: float = 0, **errors: int) -> LoadRecord:
    values = {"goodput_per_s": right / 2, "scheduled": asked, "late": late}
    return LoadRecord("local", WHOLE_RUN, "open", 2 * 10**9, 0, 2 * 10**9, int(asked), int(right), errors, values)


def test_twenty_late_of_two_thousand_are_allowed_to_a_p99_and_twenty_one_are_not() -> None:
    assert passes(trial(2000, late=20), OBJECTIVE)
    assert not passes(trial(2000, late=21), OBJECTIVE)


def test_ten_errors_of_two_thousand_are_allowed_to_half_a_percent_and_eleven_are_not() -> None:
    assert passes(trial(1990, refused=10), OBJECTIVE)
    assert not passes(trial(1989, refused=11), OBJECTIVE)


def test_a_request_that_timed_out_was_late_too() -> None:
    many_errors = OBJECTIVE | {"error_share": 0.5}
    assert passes(trial(1980, late=15, timeout=5), many_errors)
    assert not passes(trial(1980, late=15, timeout=6), many_errors)


def test_other_quantiles_are_judged_as_the_driver_saw_them() -> None:
    two = OBJECTIVE | {"response_time_p50_ns": 50e6}
    one = trial(2000)
    assert late_after_ns(two) == 50e6
    assert not passes(one, two)
    assert passes(dataclasses.replace(one, values={**one.values, "response_time_p99_ns": 190e6}), two)
    assert not passes(dataclasses.replace(one, values={**one.values, "response_time_p99_ns": 210e6}), two)


def test_a_backlog_that_grows_fails_though_nobody_is_late_yet() -> None:
    assert passes(trial(1975), OBJECTIVE)
    assert not passes(trial(1900), OBJECTIVE)


def test_a_trial_without_requests_did_not_hold() -> None:
    assert not passes(trial(0, asked=0), OBJECTIVE)


@pytest.mark.parametrize("rate", [500, 5000])
def test_the_rate_that_keeps_up_in_half_of_its_trials_is_the_capacity(rate: float) -> None:
    rng = np.random.default_rng(5)
    kept = {share: np.mean([kept_up(rng, rate, share=share) for _ in range(200)]) for share in (0.93, 1.0, 1.07)}
    assert kept[0.93] > 0.85
    assert 0.4 < kept[1.0] < 0.7
    assert kept[1.07] < 0.05


def kept_up(rng: np.random.Generator, capacity_per_s: float, *, share: float) -> bool:
    rate = capacity_per_s * share
    ends = 0.5 + max(2.0, 2000 / rate)
    arrived = np.sort(rng.uniform(0, ends, rng.poisson(rate * ends)))
    done = answered(arrived, every_s=1 / capacity_per_s)
    elapsed = round((ends - 0.5) * 1e9)
    right = int(((done >= 0.5) & (done < ends)).sum())
    asked = int((arrived >= 0.5).sum())
    values = {"goodput_per_s": right / (ends - 0.5), "scheduled": float(asked)}
    return keeps_up(LoadRecord("local", WHOLE_RUN, "open", elapsed, 0, elapsed, asked, right, {}, values))
