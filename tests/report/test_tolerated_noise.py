"""A report of a study that tolerates noise states it at the top, claims no error rate, and advises no more blocks."""

import dataclasses
import math

import pytest

from headtohead.analyze.study import analyze
from headtohead.model.analysis.results import Analysis
from headtohead.model.record import Recording
from headtohead.report.context import StudyContext
from headtohead.report.formats.continuous_integration import junit
from headtohead.report.study.intervals_and_error_rates import claim_sentence
from headtohead.report.study.page_one.masthead import masthead
from headtohead.report.study.page_one.next_step import next_step, typed
from headtohead.report.terminal import summary
from tests.analyze.building import blocks_of, experiment, readings, steady
from tests.analyze.seeding import folder

NOISY = experiment(tolerates_noise=True)
HOG = readings(busy_ns=0.99 + 0.7 + 0.005 + 0.5)
WIDE = [1000 * math.exp(0.2 * ((index * 7) % 5 - 2)) for index in range(10)]


def study(nginx: list[float]) -> tuple[Analysis, Recording]:
    runs = blocks_of({"apache": steady(1000), "nginx": nginx}, of=NOISY)
    recording = folder([dataclasses.replace(each, readings=HOG) for each in runs], NOISY)
    return analyze(recording), recording


def test_the_head_states_it_and_the_answer_why_there_is_no_verdict() -> None:
    analysis, recording = study(steady(2000))
    assert "noise tolerated: no verdicts" in masthead(analysis, recording)[1]
    said = " ".join(summary.render(analysis, recording, width=1000).split())
    assert "[open] No verdict on nginx web server against apache: a ratio between 2.00 and 2.00" in said
    assert "Noise was tolerated: 12 of 12 runs count although others disturbed them" in said
    assert "faster" not in said.replace("Which is faster?", "")


def test_nobody_knows_how_often_its_intervals_hold() -> None:
    analysis, recording = study(steady(2000))
    claim = claim_sentence(analysis, recording.plan.experiments)
    assert claim.startswith("Unknown: noise was tolerated.")
    assert "of 100 studies" not in claim


@pytest.mark.parametrize("nginx", [steady(2000), WIDE])
def test_what_comes_next_is_a_quiet_machine_and_not_more_blocks(nginx: list[float]) -> None:
    analysis, recording = study(nginx)
    (shown,) = StudyContext(analysis, recording).experiments
    advice = next_step(shown.in_words())
    assert advice.startswith("See by `headtohead host` what else runs here, and end it. Then measure again: ")
    assert "--more" not in advice
    assert "--tolerate-noise" not in advice


def test_to_finish_such_a_study_takes_the_same_option() -> None:
    (shown,) = StudyContext(*study(steady(2000))).experiments
    assert "--tolerate-noise" in typed(shown)
    assert "--tolerate-noise" not in typed(shown, here=False)


def test_a_pipeline_sees_no_verdict() -> None:
    analysis, _ = study(steady(500))
    assert "<failure" not in junit(analysis)
    assert "noise was tolerated" in junit(analysis).lower()
