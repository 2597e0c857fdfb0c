"""A history: few changes where there are none, steps found soon, and series that belong together."""

import math
from dataclasses import replace

import numpy as np
import pytest

from headtohead.analyze.fleet.history import history
from headtohead.analyze.statistics.over_time.change_points import change_points
from headtohead.analyze.study import analyze
from headtohead.model.record import NOT_STATED, Recording
from tests.analyze.building import blocks_of, recording, steady

SERIES, POINTS = 200, 100


def alike(chance: np.random.Generator, size: int, *, correlation: float) -> list[float]:
    """Return a series whose neighbors are alike, with a standard deviation of 2 %."""
    values, last = [], 0.0
    for step in chance.standard_normal(size + 50):
        last = correlation * last + math.sqrt(1 - correlation**2) * step
        values.append(0.02 * last)
    return values[50:]


@pytest.mark.parametrize("correlation", [0.0, 0.2])
def test_at_most_5_percent_of_long_series_without_a_change_have_one(correlation: float) -> None:
    chance = np.random.default_rng(11)
    found = sum(bool(change_points(alike(chance, POINTS, correlation=correlation))) for _ in range(SERIES))
    assert found <= 0.05 * SERIES


def test_a_step_of_5_percent_is_found_within_5_points() -> None:
    chance = np.random.default_rng(11)
    found = 0
    for _ in range(SERIES):
        logs = alike(chance, POINTS, correlation=0.0)
        logs[-5:] = [each + math.log(1.05) for each in logs[-5:]]
        found += any(abs(place - (POINTS - 5)) <= 2 for place in change_points(logs))
    assert found >= 0.85 * SERIES


def test_few_points_equal_points_and_small_steps_have_no_change() -> None:
    assert change_points([0.0] * 5 + [1.0] * 5) == ()
    assert change_points([0.0] * 50) == ()
    step = [0.0005 * (place % 2) for place in range(40)]
    small = [each + (0.008 if place >= 20 else 0) for place, each in enumerate(step)]
    assert change_points(small) == ()
    assert change_points(small, least=0.005) == (20,)


def test_a_step_without_any_noise_is_a_change_too() -> None:
    for step in (0.1, -0.93, 1 / 3):
        assert change_points([math.log(0.974)] * 7 + [math.log(0.974) + step] * 7) == (7,)


def session(day: int, *, nginx: float) -> Recording:
    """Return a session of ten blocks on that day."""
    runs = blocks_of({"apache": steady(1000), "nginx": steady(nginx)})
    dated = [replace(each, run=replace(each.run, started_at=f"2026-10-{day:02d}T10:00:00Z")) for each in runs]
    return replace(recording(dated), name=f"2026-10-{day:02d}-mine")


def test_sessions_of_one_test_are_a_series_in_order_of_time_and_a_step_names_its_folders() -> None:
    sessions = [session(day, nginx=1130 + 2 * (day % 3) + (60 if day > 14 else 0)) for day in range(20, 0, -1)]
    (found,) = history([(each, analyze(each)) for each in sessions])

    assert [each.folder for each in found.points] == [f"2026-10-{day:02d}-mine" for day in range(1, 21)]
    assert (found.reference.split()[0], found.other, found.enough) == ("apache", "nginx", True)
    (change,) = found.changes
    assert (change.before, change.after) == ("2026-10-14-mine", "2026-10-15-mine")
    assert change.ratio == pytest.approx(1192 / 1132, abs=0.005)
    assert found.levels[0] == pytest.approx(1.132, abs=0.003)


def test_a_session_in_which_nothing_was_measured_has_no_point() -> None:
    good = session(1, nginx=1130)
    lost = replace(good, runs=())
    assert [len(each.points) for each in history([(good, analyze(good)), (lost, analyze(lost))])] == [1]


def dated(days: range, *, apache: str = "2.4.62", nginx: str = "1.22", own: str = "") -> list[Recording]:
    """Return sessions with these versions, in which Apache is the user's own if its files have a checksum."""
    versions = {"apache": apache, "nginx": nginx}
    found = []
    for each in (session(day, nginx=1130) for day in days):
        runs = [
            replace(one, run=replace(one.run, versions={one.run.label: versions[one.run.label]})) for one in each.runs
        ]
        plan = replace(each.plan, own={"../subjects/apache": own} if own else {})
        found.append(replace(each, runs=tuple(runs), plan=plan))
    return found


def days_of_each_series(sessions: list[Recording]) -> list[list[int]]:
    found = history([(each, analyze(each)) for each in sessions])
    return sorted([int(point.folder[8:10]) for point in each.points] for each in found)


def test_a_new_version_or_other_files_of_the_reference_begin_a_new_series() -> None:
    before = dated(range(1, 4))
    assert days_of_each_series([*before, *dated(range(4, 6))]) == [[1, 2, 3, 4, 5]]
    assert days_of_each_series([*before, *dated(range(4, 6), apache="2.4.63")]) == [[1, 2, 3], [4, 5]]

    own = dated(range(1, 4), apache=NOT_STATED, own="a" * 64)
    assert days_of_each_series([*own, *dated(range(4, 6), apache=NOT_STATED, own="a" * 64)]) == [[1, 2, 3, 4, 5]]
    assert days_of_each_series([*own, *dated(range(4, 6), apache=NOT_STATED, own="b" * 64)]) == [[1, 2, 3], [4, 5]]


def test_a_new_version_of_the_other_side_goes_on_with_the_series_of_its_reference() -> None:
    (found,) = history([(each, analyze(each)) for each in (*dated(range(1, 4)), *dated(range(4, 6), nginx="1.26"))])

    assert found.reference == "apache 2.4.62"
    assert [each.version for each in found.points] == ["1.22", "1.22", "1.22", "1.26", "1.26"]
