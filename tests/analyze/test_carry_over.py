"""What a run leaves for the next: found across borders of blocks, rarely found for nothing, and forbidding verdicts."""

import math

import numpy as np
import pytest

from benches.verdicts.carry_over import Design, found, study
from headtohead.analyze.statistics.error_of_checks import SURE
from headtohead.analyze.statistics.over_time.carry_over import left_behind
from headtohead.analyze.statistics.over_time.place_in_block import effect
from headtohead.analyze.study import analyze
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.finding import Severity
from tests.analyze.building import blocks_of, recording

SIX = math.log(0.94)


@pytest.mark.parametrize("wandering", [0.0, 0.05])
@pytest.mark.parametrize(("blocks", "arms"), [(6, 2), (10, 2), (24, 2), (10, 3), (10, 5)])
def test_it_is_found_for_nothing_in_one_study_of_a_hundred(blocks: int, arms: int, wandering: float) -> None:
    """The level is 1 %; the bar is that of 1,200 studies."""
    assert found(Design(blocks, arms, wandering=wandering), size=1200, seed=1) <= 0.018


@pytest.mark.parametrize(("blocks", "at_least"), [(6, 0.2), (10, 0.9), (24, 0.99)])
def test_an_arm_that_slows_the_next_run_by_6_percent_is_found(blocks: int, at_least: float) -> None:
    assert found(Design(blocks, carried=SIX), size=500, seed=2) >= at_least


def test_of_several_arms_the_one_that_leaves_it_is_named() -> None:
    chance = np.random.default_rng(3)
    named = [left_behind(study(chance, Design(10, 3, carried=SIX))) for _ in range(200)]
    assert sum([label for label, *_ in each] == ["0"] for each in named) >= 150


def test_the_effect_of_place_misses_it() -> None:
    """Why the run before is looked at, and not only the place in the block."""
    chance = np.random.default_rng(4)
    told = [effect(study(chance, Design(10, carried=SIX)), first=1) for _ in range(300)]
    assert np.mean([each is not None and each[1] < SURE for each in told]) < 0.1


def result(carried: float, *, faster: float = 1.0, noise: float = 0.005) -> ExperimentResult:
    """Return a study of ten blocks in which runs after apache change."""
    chance = np.random.default_rng(5)
    first = ["apache", "nginx", "nginx", "apache", "apache", "apache", "nginx", "apache", "nginx", "nginx"]
    before, values = "", {"apache": [], "nginx": []}  # type: ignore[var-annotated]
    for one in first:
        for label in (one, "nginx" if one == "apache" else "apache"):
            own = 1000 * (faster if label == "nginx" else 1.0) * math.exp(noise * chance.standard_normal())
            values[label].append(own * math.exp(carried * (before == "apache")))
            before = label
    return analyze(recording(blocks_of(values, first=first))).experiments[0]


def severities(result: ExperimentResult) -> list[Severity]:
    return [each.severity for each in result.findings if each.id == "carry-over"]


def test_a_winner_by_what_the_other_arm_leaves_is_forbidden() -> None:
    told = result(math.log(0.8))
    assert severities(told) == [Severity.INVALID]
    (finding,) = (each for each in told.findings if each.id == "carry-over")
    assert finding.says.startswith("Runs made after apache gave ")
    assert "% less than runs made after nginx" in finding.says
    assert told.comparisons[0].verdict not in ("better", "worse")
    assert result(0.0).comparisons[0].verdict == "same"


def test_a_winner_by_far_more_than_that_stays_with_a_doubt() -> None:
    told = result(SIX, faster=1.5)
    assert severities(told) == [Severity.DOUBT]
    assert told.comparisons[0].verdict == "better"


def test_a_steady_study_has_none() -> None:
    assert severities(result(0.0)) == []
