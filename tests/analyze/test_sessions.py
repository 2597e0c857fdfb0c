"""Machines on different days: how often ``compare`` names a winner of equal ones, by sessions and recorded spreads."""

import math
from dataclasses import replace

import numpy as np
import pytest

from benches.verdicts.days import Floats, cut, days, judged, trace
from headtohead.analyze.fleet.compare_systems import compare_systems
from headtohead.analyze.fleet.session_spread import session_spreads
from headtohead.analyze.statistics.session_means import session_means
from headtohead.model.analysis.systems import ArmKey
from headtohead.model.errors import RecordError
from headtohead.model.machine.sessions import RecordedSpread, same_machine
from tests.analyze.building import plan
from tests.analyze.fleet import HERE, lone, system
from tests.analyze.fleet import days as sessions_of

REPLICATES = 4000
AT_MOST, COVERED = 0.065, 0.93
HERE_ARM = ArmKey("static-page", "nginx")


def machines(seed: int, *, sessions: tuple[int, int], spreads: tuple[float, float]) -> tuple[Floats, Floats]:
    chance = np.random.default_rng(seed)
    first, second = (
        days(chance, size=REPLICATES, sessions=count, spread=spread)
        for count, spread in zip(sessions, spreads, strict=True)
    )
    return first, second


@pytest.mark.parametrize("spread", [0.01, 0.03, 0.05])
@pytest.mark.parametrize("sessions", [(2, 2), (2, 5), (3, 3), (6, 6)])
def test_equal_machines_on_other_days_are_told_apart_in_few_comparisons(
    sessions: tuple[int, int], spread: float
) -> None:
    found = judged(*machines(1, sessions=sessions, spreads=(spread, spread)))
    assert found.winners <= AT_MOST
    assert found.covered >= COVERED


@pytest.mark.parametrize("sessions", [(2, 2), (2, 6), (6, 2), (3, 5), (5, 3), (4, 10), (10, 4)])
def test_one_machine_may_differ_more_between_days_than_the_other(sessions: tuple[int, int]) -> None:
    assert judged(*machines(2, sessions=sessions, spreads=(0.10, 0.01))).winners <= AT_MOST


@pytest.mark.parametrize("spread", [0.01, 0.03, 0.05])
def test_machines_measured_once_have_no_winner_and_runs_alone_would_name_one(spread: float) -> None:
    """What ``compare`` did before: Welch's t on runs."""
    sides = machines(3, sessions=(1, 1), spreads=(spread, spread))
    assert judged(*sides).winners == 0
    assert judged(*sides, runs_only=True).winners > AT_MOST


@pytest.mark.parametrize("spread", [0.01, 0.03, 0.05])
@pytest.mark.parametrize("earlier", [(2, 2), (4, 4), (3, 8)])
def test_a_recorded_spread_carries_a_verdict_on_machines_measured_once(earlier: tuple[int, int], spread: float) -> None:
    known = machines(5, sessions=earlier, spreads=(spread, spread))
    found = judged(*machines(4, sessions=(1, 1), spreads=(spread, spread)), earlier=known)
    assert 0 < found.winners <= AT_MOST
    assert found.covered >= COVERED


@pytest.mark.parametrize("runs", [6, 10])
def test_folders_cut_from_a_recorded_trace_name_few_winners(runs: int) -> None:
    chance = np.random.default_rng(6)
    once = cut(chance, trace(), size=REPLICATES, sessions=1, runs=runs)
    assert judged(*once).winners == 0
    assert judged(*once, runs_only=True).winners > 0.15
    for sessions in (2, 3):
        assert judged(*cut(chance, trace(), size=REPLICATES, sessions=sessions, runs=runs)).winners <= AT_MOST


def test_a_real_tenth_between_steady_machines_is_found_by_three_sessions() -> None:
    first, second = machines(8, sessions=(3, 3), spreads=(0.01, 0.01))
    assert judged(first, second + math.log(1.10)).winners >= 0.8


@pytest.mark.parametrize("sessions", [(1, 1), (2, 2), (2, 4), (5, 3)])
def test_a_replicate_is_judged_as_folders_of_the_same_values(sessions: tuple[int, int]) -> None:
    sides = machines(9, sessions=sessions, spreads=(0.03, 0.03))
    for first, second in zip(*(each[:40] for each in sides), strict=True):
        folders = [
            each for name, logs in (("a", first), ("b", second)) for each in sessions_of(name, *np.exp(logs).tolist())
        ]
        of = plan(lone(matters=1.0))
        found = compare_systems([replace(each, plan=of) for each in folders], 0).tables[0].standings
        (standing,) = (each for each in found if each.system == "b")
        named = standing.verdict in ("better", "worse")
        assert named == bool(judged(first[None], second[None]).winners)


def test_session_means_of_one_run_a_session_are_the_t_interval_over_them() -> None:
    means = session_means([[[1.0], [2.0], [4.0]], [[8.0, 8.0]]], [None, None])
    assert means.across.center.tolist() == pytest.approx([np.log(2), np.log(8)])
    assert means.across.variance[0] == pytest.approx(np.log(2) ** 2 / 3)
    assert np.isnan(means.across.variance[1])
    assert means.shown.variance[1] == 0
    assert means.basis == ("between-sessions", "within-session")


def test_a_recorded_spread_is_never_below_that_of_the_sessions_own_runs() -> None:
    spread = RecordedSpread("", "", "", sessions=100, runs=2, spread=0.0)
    means = session_means([[[1.0, 2.0]]], [spread])
    assert means.basis == ("recorded-spread",)
    assert means.across.variance[0] == pytest.approx(math.log(2) ** 2 / 4)


STEADY = [99.0, 100.0, 101.0]


def test_a_spread_of_fewer_runs_or_another_machine_is_not_used() -> None:
    spreads = session_spreads(sessions_of("a", STEADY, [1.02 * each for each in STEADY]))
    base, other = (replace(system(name, [*STEADY, *STEADY]), spreads=spreads) for name in ("a", "b"))

    def bases(*systems: object) -> list[str]:
        return [each.basis for each in compare_systems(systems, 0).tables[0].standings]  # type: ignore[arg-type]

    assert bases(base, other) == ["recorded-spread", "recorded-spread"]
    fewer = replace(other, values={HERE_ARM: (100.0, 101.0)})
    assert bases(base, fewer).count("within-session") == 1
    newer = replace(other, facts={**other.facts, ("software", "kernel"): ("6.12", None)})
    assert not same_machine(spreads, newer.facts)
    assert bases(base, newer).count("within-session") == 1


def test_folders_of_one_day_or_of_unlike_machines_have_no_spread() -> None:
    one, other = sessions_of("a", STEADY, STEADY)
    with pytest.raises(RecordError, match="two sessions"):
        session_spreads([one, replace(other, name="2026-11-10-a-2")])
    newer = sessions_of("a", STEADY, facts={**HERE, ("software", "kernel"): "6.12"})[0]
    with pytest.raises(RecordError, match="not sessions of one machine") as error:
        session_spreads([one, newer])
    assert "software: kernel" in error.value.why
