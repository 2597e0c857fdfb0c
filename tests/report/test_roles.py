"""The conclusion says what verdicts carry, and nothing where there is none."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headtohead.model.analysis.comparison import ComparisonResult, Verdict
from headtohead.model.analysis.estimates import Interval
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.analysis.sweeps import Scaling
from headtohead.model.quantity import Metric
from headtohead.report.study.page_one.conclusion import BUYS, MOST, RUNS, TUNES, Advice, conclusion
from tests.report.sample import ANALYSIS, RECORDING
from tests.report.test_prose import CAPACITY, RATE, STATIC, TIME, comparison, ratio

PER_COPY = replace(RATE, per="copies")


def following(result: ExperimentResult) -> tuple[Advice, ...]:
    return conclusion(replace(ANALYSIS, experiments=(result,)), RECORDING)


def follows(found: ComparisonResult, metric: Metric = RATE) -> tuple[Advice, ...]:
    return following(replace(STATIC, metric=metric, comparisons=(found,)))


@pytest.mark.parametrize(
    ("metric", "verdict", "found", "text"),
    [
        (RATE, "better", (2.68, 2.72, 2.76), "nginx rather than Apache HTTP Server: at least 2.68x as fast."),
        (RATE, "worse", (0.84, 0.85, 0.87), "Apache HTTP Server rather than nginx, which is slower by at least 13 %."),
        (TIME, "better", (0.38, 0.40, 0.42), "nginx rather than Apache HTTP Server: at least 2.38x as fast."),
        (TIME, "better", (0.58, 0.60, 0.62), "nginx rather than Apache HTTP Server: faster, at least 38 % less time."),
        (CAPACITY, "better", (1.1, 1.13, 1.16), "nginx rather than Apache HTTP Server: carries more by at least 10 %."),
        (
            CAPACITY,
            "worse",
            (0.84, 0.85, 0.87),
            "Apache HTTP Server rather than nginx, which carries less by at least 13 %.",
        ),
        (CAPACITY, "better", (1.9, 2.1, 2.3), "nginx rather than Apache HTTP Server: carries at least 1.90x as much."),
        (CAPACITY, "worse", (0.3, 0.35, 0.4), "Apache HTTP Server rather than nginx: carries at least 2.50x as much."),
        (RATE, "better", (1.92, 2.2, 2.51), "nginx rather than Apache HTTP Server: at least 1.92x as fast."),
        (TIME, "worse", (2.0, 2.5, 3.0), "Apache HTTP Server rather than nginx: at least 2.00x as fast."),
        (
            RATE,
            "same",
            (0.99, 1.0, 1.01),
            "Apache HTTP Server and nginx are the same within 3 %; let something else decide.",
        ),
    ],
)
def test_of_a_difference_the_least_is_told(
    metric: Metric, verdict: Verdict, found: tuple[float, float, float], text: str
) -> None:
    (role,) = follows(comparison(verdict, ratio(*found)), metric)
    end = "." if verdict == "same" else ", network permitting (at full load, configured as shown)."
    assert role == Advice(BUYS, (f"{text[:-1]}{end}",))


def test_the_least_difference_has_the_decimals_of_the_interval_in_the_answer() -> None:
    found = comparison("better", ratio(1.167, 1.1675, 1.168))
    (role,) = follows(found)
    assert "faster by at least 16.7 %, network" in role.lines[0]


def test_one_that_may_not_matter_is_said_so() -> None:
    (role,) = follows(comparison("better", ratio(1.01, 1.04, 1.07), at_least_margin=False))
    assert role.lines[0].endswith(
        "faster by at least 1 %, which may be under the 3 % that matters, network permitting (at full load, configured "
        "as shown)."
    )


def test_a_setting_is_tuned_and_what_the_host_gives_is_run() -> None:
    threads = ANALYSIS.experiments[3]
    better = replace(threads.comparisons[0], verdict="better", ratio=ratio(1.1, 1.2, 1.3), at_least_margin=True)
    assert [each.role for each in following(replace(threads, comparisons=(better,)))] == [TUNES]
    (role,) = follows(comparison("better", ratio(1.1, 1.2, 1.3), factor="numa"))
    assert role.role == RUNS
    (role,) = follows(comparison("better", ratio(1.1, 1.2, 1.3), factor="server"))
    assert role.role == BUYS


def test_of_more_cpus_the_least_gain_stands_beside_the_ideal() -> None:
    grown = Scaling("cpus", 1, 2, 0.97, Interval(0.95, 0.99, 0.96), 1.0, 0.985, None)
    (role,) = follows(comparison("better", ratio(1.95, 1.97, 1.99), factor="cpus", scaling=grown))
    assert role.lines == ("a second CPU gives nginx at least 1.95x the rate (ideal 2x).",)


def test_a_rate_of_each_copy_advises_no_number_of_copies() -> None:
    (role,) = follows(replace(comparison("worse", ratio(0.89, 0.94, 0.99)), factor="copies"), PER_COPY)
    assert role.role == RUNS
    assert role.lines == ("per copy, nginx is 1 % to 11 % slower than Apache HTTP Server.",)


def test_of_many_verdicts_the_first_are_told() -> None:
    many = tuple(comparison("better", ratio(1.1, 1.2, 1.3)) for _ in range(MOST + 2))
    (role,) = following(replace(STATIC, metric=RATE, comparisons=many))
    assert len(role.lines) == MOST + 1
    assert role.lines[-1] == "2 more verdicts of this kind: see the sections below."


@given(st.tuples(*[st.floats(0.02, 50.0)] * 3).map(sorted), st.sampled_from(["inconclusive", "not-measured"]))
def test_nothing_follows_without_a_verdict(found: list[float], verdict: Verdict) -> None:
    assert follows(comparison(verdict, ratio(*found), because="so")) == ()


@given(st.tuples(st.floats(0.02, 0.99), st.just(1.0), st.floats(1.01, 50.0)), st.sampled_from(["better", "worse"]))
def test_nothing_follows_from_a_verdict_that_its_interval_does_not_carry(
    found: tuple[float, float, float], verdict: Verdict
) -> None:
    assert follows(comparison(verdict, ratio(*found))) == ()
