"""A first study on a restless machine: what a terminal has room for, and that nothing is hidden without a word."""

import re
from dataclasses import replace

from rich.text import Text

from headtohead.model.finding import Finding, Severity
from headtohead.report.context import StudyContext
from headtohead.report.study.page_one.doubts import graded_of
from headtohead.report.terminal import summary
from headtohead.report.terminal.shortened_summary import Part, fitted
from tests.report import pages
from tests.report.restless import ANALYSIS, RECORDING

LINES = 40
MORE = r"and (\d+) more on page one of the report: (\d+) on question 1, (\d+) on 2 and (\d+) on 3\."
DOUBTS = {
    *("not-sealed", "more-than-passed", "lopsided", "many-invalid", "version-unknown", "trend-of-ratio"),
    *("typical-error", "not-quiet", "driver-busy", "question-differs"),
}
NOTES = {"trend-of-setup", "step", "outlier"}


def test_the_study_has_all_that_it_is_made_for() -> None:
    found = [each for result in ANALYSIS.experiments for each in result.findings]
    assert {each.id for each in found if each.severity is Severity.DOUBT} >= DOUBTS
    assert {each.id for each in found if each.severity is Severity.NOTE} >= NOTES
    assert sum(each.run.repeated for each in RECORDING.runs) > 3
    assert "runs_above" in {key for each in found for key in each.evidence}, "two speeds"


def test_its_summary_fits_a_terminal_and_counts_the_doubts_that_it_leaves_out() -> None:
    text = summary.render(ANALYSIS, RECORDING)
    assert len(text.splitlines()) <= LINES
    results = [each.in_words().result for each in StudyContext(ANALYSIS, RECORDING).experiments]
    every = {doubt.says for each in results for doubt in graded_of(each)}
    words = " ".join(text.split())
    shown = [each for each in every if each in words]
    more = re.search(MORE, words)
    assert more
    assert int(more[1]) == len(every) - len(shown) == sum(int(more[each]) for each in (2, 3, 4))
    assert "Doubt on 1, 2 and 3: No seal" in words, "once, though it is about all"
    assert "Doubt on 2: The question names 3 cpus" in words, "the worst of each question comes before the second of any"
    for term in ("How sure:", "Next:", "How sure, overall:"):
        assert term in words


def test_a_doubt_that_an_earlier_question_has_is_told_briefly() -> None:
    page = pages.markdown(ANALYSIS, RECORDING).partition("## What to do")[0]
    assert page.count("- No seal: later changes to the results cannot be detected.") == 1
    assert page.count("- As in question 1: no seal.") == 2
    assert page.count("The question names 3 cpus, but") == 1, "doubts of one question alone are whole"


def test_what_forbids_a_verdict_is_never_left_out() -> None:
    *others, last = ANALYSIS.experiments
    bad = Finding("not-as-recorded", Severity.INVALID, "The files were changed.", "Copy them again.")
    forbidden = replace(last, findings=(*last.findings, bad))
    text = summary.render(replace(ANALYSIS, experiments=(*others, forbidden)), RECORDING)
    assert len(text.splitlines()) <= LINES
    assert text.index("Doubt on 3: The files were changed.") < text.index("Doubt on 1")


def test_the_most_spare_parts_are_left_out_first_and_no_more_than_needed() -> None:
    parts = [Part(Text(name), spare) for name, spare in (("a", 0), ("b", 2), ("c", 1), ("d", 2), ("e", 0))]
    names = ["".join(str(part.shown) for part in fitted(parts, most=most)) for most in (5, 4, 3, 2, 1)]
    assert names == ["abcde", "abce", "ace", "ae", "ae"]
