"""The step that a history states as one that it would show soon: it is shown that often, and not much oftener."""

import math

import numpy as np
import pytest

from headtohead.analyze.statistics.over_time.change_points import SOON, change_points, step_found_soon

SERIES, POINTS, NEAR = 300, 100, 2


@pytest.mark.parametrize("spread", [0.01, 0.02, 0.08])
@pytest.mark.parametrize("points", [15, POINTS])
def test_about_nine_of_ten_histories_show_the_step_that_they_state(spread: float, points: int) -> None:
    chance, found = np.random.default_rng(5), 0
    stated = [step_found_soon(list(spread * chance.standard_normal(points))) for _ in range(SERIES)]
    typical = float(np.median([each for each in stated if each is not None]))
    for _ in range(SERIES):
        logs = spread * chance.standard_normal(points + SOON)
        logs[points:] += typical
        found += any(abs(place - points) <= NEAR for place in change_points(list(logs)))
    assert 0.81 * SERIES <= found <= 0.97 * SERIES
    assert 2.3 * spread < typical < 3.1 * spread


def test_twelve_points_that_vary_are_needed_and_no_step_below_the_least_is_stated() -> None:
    few = [0.01 * (-1) ** place for place in range(11)]
    assert step_found_soon(few) is None
    assert step_found_soon([0.5] * 50) is None
    calm = [1e-5 * place for place in (1, -1, 2, -2, 3, -3, 1, -1, 2, -2, 3, -3, 1)]
    assert step_found_soon(calm, least=math.log(1.015)) == math.log(1.015)


def test_a_step_in_the_series_itself_does_not_enlarge_what_is_stated_much() -> None:
    chance = np.random.default_rng(6)
    logs = 0.02 * chance.standard_normal(POINTS)
    plain = step_found_soon(list(logs))
    logs[50:] += math.log(1.3)
    stepped = step_found_soon(list(logs))
    assert plain is not None
    assert stepped is not None
    assert stepped < 2 * plain
