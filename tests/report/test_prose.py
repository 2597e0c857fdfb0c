"""Sentences: never a winner without a verdict, never the wrong word for a ratio."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headtohead.model.analysis.comparison import ComparisonResult, Verdict
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.analysis.sweeps import Scaling
from headtohead.model.quantity import Better, Metric
from headtohead.report.text import scaling as scaling_words
from headtohead.report.text import verdicts
from tests.report.sample import ANALYSIS

STATIC = ANALYSIS.experiments[0]
RATE = Metric("goodput_per_s", "right answers", "1/s", "higher", ("faster", "slower"), "load")
TIME = Metric("response_time_p99_ns", "time", "ns", "lower", ("faster", "slower"), "load")
MEMORY = Metric("subject_memory_peak_bytes", "memory", "B", "lower", ("leaner", "hungrier"), "run")
CAPACITY = Metric("capacity_per_s", "load", "1/s", "higher", ("carries more", "carries less"), "search")


def ratio(low: float, value: float, high: float, *, blocks: int = 6) -> Estimate:
    return Estimate(value, Interval(low, high, 0.984), blocks)


def comparison(verdict: Verdict, found: Estimate | None, **changes: object) -> ComparisonResult:
    plain = replace(
        STATIC.comparisons[0], verdict=verdict, ratio=found, because="", blocks_needed=None, at_least_margin=True
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def sentence(found: ComparisonResult, metric: Metric = RATE) -> str:
    return verdicts.verdict_text(found, experiment(found, metric)).sentence


def experiment(found: ComparisonResult, metric: Metric) -> ExperimentResult:
    return replace(STATIC, metric=metric, comparisons=(found,), treatments=())


@pytest.mark.parametrize(
    ("metric", "verdict", "found", "text"),
    [
        (
            RATE,
            "better",
            (2.68, 2.72, 2.76),
            "nginx is 2.72x as fast as apache-httpd (interval 2.68x to 2.76x, 6 blocks).",
        ),
        (
            RATE,
            "worse",
            (0.84, 0.85, 0.87),
            "nginx is 15 % slower than apache-httpd (interval 13 % to 16 %, 6 blocks).",
        ),
        (
            TIME,
            "better",
            (0.38, 0.40, 0.42),
            "nginx is 2.50x as fast as apache-httpd (interval 2.38x to 2.63x, 6 blocks).",
        ),
        (
            TIME,
            "worse",
            (2.3, 2.5, 2.7),
            "apache-httpd is 2.50x as fast as nginx (interval 2.30x to 2.70x, 6 blocks).",
        ),
        (
            MEMORY,
            "better",
            (0.18, 0.20, 0.22),
            "apache-httpd needs 5.00x as much as nginx (interval 4.54x to 5.56x, 6 blocks).",
        ),
        (
            TIME,
            "better",
            (0.76, 0.80, 0.84),
            "nginx is faster than apache-httpd: 20 % less time (interval 16 % to 24 % less, 6 blocks).",
        ),
        (
            CAPACITY,
            "better",
            (1.10, 1.13, 1.16),
            "nginx carries 13 % more than apache-httpd (interval 10 % to 16 %, 6 blocks).",
        ),
    ],
)
def test_a_verdict_uses_the_metrics_own_words(
    metric: Metric, verdict: Verdict, found: tuple[float, float, float], text: str
) -> None:
    assert sentence(comparison(verdict, ratio(*found)), metric) == text


@pytest.mark.parametrize(
    ("most", "verdict", "size"),
    [
        (2.73, "better", "1.86x as fast as"),
        (2.73, "inconclusive", "86 % faster than"),
        (1.50, "better", "86 % faster than"),
    ],
)
def test_answers_of_one_question_have_one_unit(most: float, verdict: Verdict, size: str) -> None:
    less, more = (comparison("better", ratio(0.9 * each, each, 1.1 * each)) for each in (1.86, most))
    both = replace(experiment(less, RATE), comparisons=(less, replace(more, verdict=verdict)))
    assert size in verdicts.verdict_text(less, both).sentence
    small = replace(less, ratio=ratio(1.05, 1.1, 1.15))
    assert "10 % faster" in verdicts.verdict_text(small, both).sentence, "a small one is easier to read in percent"


def test_a_difference_that_may_be_below_the_margin_is_said_so() -> None:
    found = comparison("better", ratio(1.01, 1.04, 1.07), at_least_margin=False)
    assert sentence(found).endswith("It may be under 3 %, too small to matter.")


def test_the_same_is_said_with_the_margin() -> None:
    found = comparison("same", ratio(0.99, 1.002, 1.014))
    expected = "nginx and apache-httpd are the same within 3 % (interval 1.0 % slower to 1.4 % faster, 6 blocks)."
    assert sentence(found) == expected


def test_a_real_but_negligible_difference_is_said_so() -> None:
    found = comparison("same", ratio(1.003, 1.008, 1.013), negligible=True)
    assert sentence(found) == (
        "A real but negligible difference: nginx is 0.8 % faster than apache-httpd "
        "(interval 0.3 % to 1.3 %, 6 blocks), which is within the 3 % that would matter."
    )


def test_no_end_of_an_interval_reads_as_no_change() -> None:
    text = sentence(comparison("inconclusive", ratio(0.95, 0.977, 1.004, blocks=10)))
    assert "best estimate 2.3 % slower, between 5.0 % slower and 0.4 % faster" in text


def needed(found: ComparisonResult, metric: Metric = RATE) -> str:
    return verdicts.verdict_text(found, experiment(found, metric)).needs


def test_no_verdict_says_between_what_and_what_and_how_many_more_blocks() -> None:
    found = comparison("inconclusive", ratio(0.96, 1.01, 1.06, blocks=10), blocks_needed=24)
    assert sentence(found) == (
        "No verdict on nginx against apache-httpd: best estimate 1 % faster, between 4 % slower and 6 % faster (10 "
        "blocks)."
    )
    longer = sentence(comparison("inconclusive", ratio(0.96, 1.01, 1.06, blocks=10)), TIME)
    assert "best estimate 1 % more time, between 4 % less and 6 % more" in longer
    assert needed(found) == "About 14 more blocks may be enough."
    assert needed(comparison("better", ratio(1.1, 1.2, 1.3), blocks_needed=24)) == ""


def test_more_blocks_are_said_with_the_verdict_that_they_would_bring() -> None:
    below = comparison("inconclusive", ratio(0.958, 0.979, 1.002, blocks=10), blocks_needed=67)
    assert needed(replace(below, blocks_needed_for="same")) == (
        "About 57 more blocks may be enough to show that the difference is under 3 %; one as small as this estimate is "
        "never called slower."
    )
    assert needed(replace(below, blocks_needed_for="same"), TIME).endswith("is never called faster.")
    small = ", though by under 3 %, too small to matter."
    won = replace(below, blocks_needed_for="winner")
    start = "If the best estimate is true, about 57 more blocks give"
    assert needed(won) == f"{start} an even chance to call nginx slower{small}"
    enough = "If the best estimate is true, about 6 more blocks are probably enough to call nginx slower"
    assert needed(replace(won, blocks_needed=16)).startswith(enough)
    assert needed(replace(won, blocks_needed=11)).startswith("About 1 more block may be enough to call nginx slower")
    assert needed(won, TIME).endswith(f"chance to call nginx faster{small}")
    far = comparison("inconclusive", ratio(0.8, 0.9, 1.002, blocks=10), blocks_needed=67)
    assert needed(replace(far, blocks_needed_for="winner")).endswith("chance to call nginx slower.")


def test_too_few_valid_runs_name_no_winner_even_where_the_interval_is_one_sided() -> None:
    found = comparison(
        "inconclusive", ratio(1.2, 1.3, 1.4, blocks=4), because="too few blocks: 4 have valid runs of both"
    )
    text = sentence(found)
    assert "faster" not in text
    assert text.endswith("(4 blocks). Too few blocks: 4 have valid runs of both.")


def test_a_one_sided_interval_that_needs_more_blocks_has_its_size_and_the_reason() -> None:
    few = comparison(
        "inconclusive",
        ratio(0.943, 0.963, 0.984, blocks=10),
        because="10 blocks may miss rare slow runs; with fewer than 16, a winner needs a difference of twice the "
        "margin, or an interval wholly past the margin",
        blocks_needed=16,
    )
    assert sentence(few) == (
        "No verdict on nginx against apache-httpd: best estimate 3.7 % slower, between 1.6 % and 5.7 % slower (10 "
        "blocks). 10 blocks may miss rare slow runs; with fewer than 16, a winner needs a difference of twice the 3 % "
        "that would matter, or an interval wholly past 3 %."
    )
    assert sentence(replace(few, blocks_needed_for="winner")) == (
        "Probably: nginx is 3.7 % slower than apache-httpd (interval 1.6 % to 5.7 %, 10 blocks). No verdict yet: "
        "10 blocks may miss rare slow runs; with fewer than 16, a winner needs a difference of twice the 3 % that "
        "would matter, or an interval wholly past 3 %."
    )
    assert not verdicts.withheld(few)
    forbidden = replace(few, blocks_needed=None)
    assert verdicts.withheld(forbidden)
    assert "a ratio between 0.943 and 0.984 was seen, which decides nothing" in sentence(forbidden)


def test_what_was_not_measured_has_its_reason() -> None:
    found = comparison("not-measured", None, because="nginx was dropped: it failed in two blocks running")
    assert sentence(found) == (
        "Not measured: nginx against apache-httpd (nginx was dropped: it failed in two blocks running)."
    )


def test_a_verdict_that_its_interval_does_not_carry_is_no_verdict() -> None:
    said = verdicts.verdict_text(comparison("better", ratio(0.99, 1.05, 1.11)), STATIC)
    assert said.kind == "inconclusive"
    assert said.sentence.startswith("No verdict")


def test_comparisons_that_differ_in_another_factor_name_its_level() -> None:
    pair = [comparison("better", ratio(1.1, 1.2, 1.3), fixed={"gzip": level}) for level in ("off", "on")]
    both = replace(STATIC, metric=RATE, comparisons=tuple(pair))
    assert [verdicts.verdict_text(each, both).sentence.split(":")[0] for each in pair] == [
        "With gzip off",
        "With gzip on",
    ]


@pytest.mark.parametrize(
    ("scaling", "text"),
    [
        (
            Scaling("cpus", 1, 2, 0.97, Interval(0.95, 0.99, 0.96), 1.0, 0.985, None),
            "A second CPU brings +97 % [+95 %, +99 %]; ideal +100 %; efficiency 98.5 % [97.5 %, 99.5 %].",
        ),
        (
            Scaling("cpus", 2, 4, 0.6, Interval(0.55, 0.65, 0.96), 1.0, 0.8, 0.25),
            "Going from 2 to 4 CPUs brings +60 % [+55 %, +65 %]; ideal +100 %; efficiency 80 % [78 %, 82 %].",
        ),
        (
            Scaling("copies", 1, 2, 0.01, Interval(-0.02, 0.04, 0.96), 1.0, 0.5, None),
            "A second copy brings between -2 % and +4 %; ideal +100 %.",
        ),
    ],
)
def test_scaling_is_said_beside_its_ideal(scaling: Scaling, text: str) -> None:
    assert scaling_words.scaling_sentence(scaling) == text


def test_a_floor_is_the_harnesss_own_limit() -> None:
    floor = next(each for each in STATIC.treatments if each.floor)
    assert verdicts.floor_sentence(floor, RATE).startswith("The harness's own limit (noop, shown and not compared): ")


RATIOS = st.tuples(*[st.floats(0.02, 50.0)] * 3).map(sorted)
VERDICTS = st.sampled_from(["better", "worse", "same", "inconclusive", "not-measured"])


@given(RATIOS, VERDICTS, st.booleans())
def test_a_ratio_below_one_is_never_called_faster_where_higher_is_better(
    found: list[float], verdict: Verdict, negligible: bool
) -> None:
    text = sentence(comparison(verdict, ratio(*found), negligible=negligible, because="so"))
    if found[2] < 1:
        assert "faster" not in text
    if found[0] > 1:
        assert "slower" not in text


@given(RATIOS, VERDICTS)
def test_a_ratio_above_one_is_never_called_faster_where_lower_is_better(found: list[float], verdict: Verdict) -> None:
    text = sentence(comparison(verdict, ratio(*found), because="so"), TIME)
    if found[0] > 1:
        assert "faster" not in text
    if found[2] < 1:
        assert "slower" not in text


@given(RATIOS, st.sampled_from(["inconclusive", "not-measured"]), st.sampled_from(["higher", "lower"]))
def test_no_winner_is_named_without_a_verdict(found: list[float], verdict: Verdict, better: Better) -> None:
    text = sentence(comparison(verdict, ratio(*found), because="so"), replace(RATE, better=better))
    assert " faster than " not in text
    assert " slower than " not in text


def test_where_nothing_is_compared_each_treatment_tells_what_it_came_to() -> None:
    alone = replace(STATIC, comparisons=())

    told = verdicts.measured_sentences(alone)

    shown = [each for each in alone.treatments if each.primary is not None and not each.floor]
    assert shown
    assert [each.split(":")[0] for each in told] == [each.label for each in shown]
    assert all("/s [" in each and "runs)." in each for each in told)
    assert verdicts.measured_sentences(STATIC) == ()


def test_a_gain_that_was_told_is_not_told_again() -> None:
    grown = Scaling("cpus", 1, 2, 0.97, Interval(0.95, 0.99, 0.96), 1.0, 0.985, None)
    better = sentence(comparison("better", ratio(1.95, 1.97, 1.99), scaling=grown))
    assert better.endswith("That is 98.5 % of the ideal 2x (97.5 % to 99.5 %): below it.")
    assert "A second CPU brings" not in better
    assert "A second CPU brings +97 %" in sentence(comparison("worse", ratio(0.5, 0.51, 0.52), scaling=grown))


def test_without_a_verdict_nothing_is_said_to_have_brought_anything() -> None:
    grown = Scaling("cpus", 1, 2, 0.97, Interval(0.95, 0.99, 0.96), 1.0, 0.985, None)
    assert "brings" not in sentence(comparison("inconclusive", ratio(1.95, 1.97, 1.99), scaling=grown))


def test_what_has_no_valid_run_was_not_measured() -> None:
    arm = replace(STATIC.treatments[0], primary=None, runs_valid=0, runs_invalid=1, runs_failed=3)
    (told,) = verdicts.measured_sentences(replace(STATIC, comparisons=(), treatments=(arm,)))
    assert told == f"{arm.label} was not measured: none of its 4 runs counts."
    unmade = replace(arm, runs_invalid=0, runs_failed=0)
    assert verdicts.measured_sentences(replace(STATIC, comparisons=(), treatments=(unmade,))) == ()


def test_what_is_counted_for_each_copy_is_said_of_each_copy() -> None:
    found = comparison("worse", ratio(0.84, 0.85, 0.87))
    assert sentence(found, replace(RATE, per="copies")).startswith("Per copy: nginx is 15 % slower than")
