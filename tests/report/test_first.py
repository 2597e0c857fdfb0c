"""Page one: what was measured, how sure that is, what limited it, what it cost, and what went wrong meanwhile."""

from dataclasses import replace

from headtohead.model.analysis.cost import Cost
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.analysis.limit import Limit
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.case import Case
from headtohead.model.finding import Severity
from headtohead.model.record import Phase, Recorded, Repeat
from headtohead.report.experiment.runs import runs_table
from headtohead.report.study.summary import MOST, bad_run_lines, doubts_line, dropped_lines, supporting_lines
from tests.report.sample import ANALYSIS, RECORDING

STATIC = ANALYSIS.experiments[0]
(BUSY,) = STATIC.findings
APACHE, NGINX, NOOP = STATIC.treatments


def told(result: ExperimentResult) -> dict[str, str]:
    return dict(supporting_lines(result))


def compared(low: float, value: float, high: float, **changes: object) -> ExperimentResult:
    ratio = Estimate(value, Interval(low, high, 0.964), 6)
    pair = replace(STATIC.comparisons[0], ratio=ratio, **changes)  # type: ignore[arg-type]
    return replace(STATIC, comparisons=(pair,))


def test_every_answer_has_its_four_lines() -> None:
    for each in ANALYSIS.experiments:
        assert list(told(each)) == ["Measured", "How sure", "What limited it", "What it cost"]


def test_what_percents_would_hide_is_told_as_a_multiple() -> None:
    assert ", 4.42 times that of apache-httpd" in told(compared(3.7, 4.42, 5.28))["Measured"]
    assert "times that of" not in told(compared(1.1, 1.2, 1.3))["Measured"]


def test_the_harnesss_own_limit_is_no_treatment_of_page_one() -> None:
    assert not [text for text in told(STATIC).values() if "noop" in text]


def test_how_sure_names_level_and_blocks() -> None:
    assert told(compared(3.7, 4.42, 5.28))["How sure"] == (
        "Such an interval holds the true change of the mean in at least 95 % of such experiments, if both vary alike; "
        "it rests on 6 blocks of at most 10. If one of the two stalls in 15 % of its runs, 6 blocks hold no stall in "
        "38 % of studies."
    )


def test_without_a_verdict_it_says_what_would_have_shown() -> None:
    text = told(compared(0.96, 1.01, 1.06, verdict="inconclusive", detectable=1.08))["How sure"]
    assert text.endswith("A difference of 8 % would have shown in 8 of 10 studies; a smaller one may be there.")


def test_what_limited_several_alike_is_said_once() -> None:
    assert told(STATIC)["What limited it"] == "Its CPU (apache-httpd and nginx)."


def test_what_limited_some_cases_only_is_counted() -> None:
    limits = (Limit(Case.parse("a"), "cpu"), Limit(Case.parse("b"), "cpu"), Limit(Case.parse("c"), "unknown"))
    mixed = replace(STATIC, treatments=(replace(APACHE, limits=limits), NGINX))
    assert told(mixed)["What limited it"] == (
        "Its CPU in 2 of 3 cases and not known in 1 of 3 cases (apache-httpd); its CPU (nginx)."
    )


def test_an_answers_cpu_is_told_from_its_least_case_to_its_greatest() -> None:
    costs = tuple(
        Cost(Case.parse(case), Estimate(value, None, 1), None)
        for case, value in (("a", 56_900.0), ("b", 65_200.0), ("c", 60_000.0))
    )
    text = told(replace(STATIC, treatments=(replace(APACHE, costs=costs),)))["What it cost"]
    assert text == "apache-httpd: 56.9 to 65.2 \u00b5s of CPU an answer and 46.0 MiB of memory at most."


def test_what_is_not_visible_costs_nothing_that_is_told() -> None:
    assert NGINX.card is not None
    blind = replace(NGINX.card, subject_cpus_busy=None, subject_memory_peak_bytes=None)
    assert "What it cost" not in told(replace(STATIC, treatments=(replace(NGINX, card=blind),)))


def test_of_many_treatments_the_first_are_named() -> None:
    many = tuple(replace(APACHE, label=f"t{n}") for n in range(MOST + 3))
    text = told(replace(STATIC, treatments=many))["Measured"]
    assert text.endswith("; 3 more stand in the table (the geometric mean of goodput over all cases).")


def test_doubts_are_told_and_notes_are_not() -> None:
    assert doubts_line(STATIC) == BUSY.says
    assert doubts_line(replace(STATIC, findings=(replace(BUSY, severity=Severity.NOTE),))) == ""


def test_a_struck_run_stands_there_with_its_reason_and_how_it_was_made_good() -> None:
    assert bad_run_lines(RECORDING) == (
        "63 runs were made; 1 discarded, and left out of every number here.",
        "Run 6, nginx in static-page, block 2, discarded: foreign CPU 0.31 in connections=100 (limit 0.10). "
        "Made again as run 7.",
    )


def test_where_all_went_well_that_is_said() -> None:
    good = replace(RECORDING, runs=RECORDING.runs[:5])
    assert bad_run_lines(good) == ("5 runs were made; none failed and none was discarded.",)


def _again(each: Recorded, *reasons: str) -> Recorded:
    repeats = tuple(Repeat(Case({"connections": 10}), (reason,)) for reason in reasons)
    return replace(each, run=replace(each.run, repeats=repeats))


def test_a_repeated_case_is_told_with_its_cause_although_its_run_counts() -> None:
    first, second, third, *others = RECORDING.runs[:5]
    busy, late = "foreign-cpu: foreign CPU 0.31 (limit 0.10)", "client-limited: the driver waited"
    good = replace(RECORDING, runs=(_again(first, busy, busy), second, _again(third, late), *others))
    assert bad_run_lines(good)[1:] == (
        "2 of 5 runs had a case repeated: another program used the CPU (1) and the load generator was held up (1) "
        "(runs 1 and 3). Only the last measurement of such a case counts.",
    )
    table = runs_table(STATIC, good.runs)
    assert [row.cells[2].text for row in table.groups[0].rows] == [
        "valid, a case repeated",
        "valid",
        "valid, a case repeated",
        "valid",
        "valid",
    ]


def test_a_repeat_of_an_older_folder_is_told_without_a_cause() -> None:
    first, *others = RECORDING.runs[:5]
    again = replace(first, run=replace(first.run, phases=(Phase("measure-replaced", None, 0, 1), *first.run.phases)))
    said = bad_run_lines(replace(RECORDING, runs=(again, *others)))[1]
    assert said.startswith("1 of 5 runs had a case repeated: the reason was not recorded (run 1).")


def _failed(each: Recorded) -> Recorded:
    return replace(each, run=replace(each.run, status="failed", reasons=("it did not become ready",)))


def test_of_many_failures_the_first_are_named_and_nothing_made_them_good() -> None:
    bad = replace(RECORDING, runs=tuple(map(_failed, RECORDING.runs[: MOST + 2])))
    head, *lines = bad_run_lines(bad)
    assert head == "8 runs were made; 8 failed, and left out of every number here."
    assert lines[-1] == "2 more stand under Every run."
    assert all(line.endswith("failed: it did not become ready. It was not made good.") for line in lines[:-1])


def test_a_treatment_that_was_given_up_is_named() -> None:
    gone = replace(STATIC, treatments=(APACHE, replace(NGINX, dropped=True), NOOP))
    assert dropped_lines([gone]) == ("nginx in static-page was given up: it failed in two blocks running.",)
    assert dropped_lines(ANALYSIS.experiments) == ()
