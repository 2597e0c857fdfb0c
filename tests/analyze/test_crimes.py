"""The checklist of METHOD.md section 9: every seeded violation is caught, and what blocks leaves no winner in words."""

import re
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

import pytest

from headtohead.analyze.study import analyze
from headtohead.describe.toml.position import Place
from headtohead.describe.workload.summaries import read_summaries
from headtohead.model import rules
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.errors import WordsError
from headtohead.model.finding import REPORTED, Severity
from headtohead.model.record import Recording
from headtohead.model.study.workload import Load
from headtohead.report.formats import markdown as markdown_format
from headtohead.report.study.study_page import study_page
from headtohead.report.terminal import summary
from headtohead.report.text.setup_names import setup_names
from tests.analyze import seeding, seeds
from tests.analyze.building import OPERATIONS
from tests.analyze.checklist import CHECKLIST, Enforced, Entry, of
from tests.report import pages

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "checklist.md"
DOUBTS = Path(__file__).parents[2] / "src" / "headtohead" / "analyze" / "findings"
SEVERITY = {
    Enforced.FORBIDS: Severity.INVALID,
    Enforced.DOUBT: Severity.DOUBT,
    Enforced.NOTE: Severity.NOTE,
}
BLOCKING = (Enforced.FORBIDS, Enforced.VERDICT, Enforced.EXCLUDES)
WINNER = re.compile(r"is [\d.,]+ % (?:faster|slower)|is (?:faster|slower) than|is [\d.,]+x as fast as")


def made(entry: Entry, *, guilty: bool) -> Recording:
    assert entry.seed is not None
    return entry.seed(guilty)


def result(recording: Recording) -> ExperimentResult:
    return analyze(recording).experiments[0]


def titled(text: str, recording: Recording) -> str:
    """Return a text with the name that page one prints in place of each label: a title if it is that of one setup."""
    names = setup_names(recording.plan.experiments[0], recording.plan.titles)
    return re.sub(r"(?<![\w-])(?:apache|nginx)(?![\w-])", lambda each: names.get(each[0], each[0]), text)


def page_one(recording: Recording) -> str:
    page = study_page(analyze(recording), recording, pictures=False)
    own = tuple(takewhile(lambda each: not each.kicker, page.sections))
    return markdown_format.render(replace(page, sections=own)).replace("\\", "")


def texts(recording: Recording) -> list[str]:
    analysis = analyze(recording)
    return [pages.markdown(analysis, recording).replace("\\", ""), summary.render(analysis, recording, width=1000)]


def test_every_one_of_the_thirty_rules_is_in_the_list() -> None:
    assert list(dict.fromkeys(each.rule for each in CHECKLIST)) == list(range(1, 31))


@pytest.mark.parametrize("entry", of(*SEVERITY), ids=str)
def test_a_seeded_violation_is_found_with_words_and_advice(entry: Entry) -> None:
    (finding,) = [each for each in result(made(entry, guilty=True)).findings if each.id == entry.by]
    assert finding.severity is SEVERITY[entry.how]
    assert finding.says.endswith(".")
    assert finding.advice.endswith(".")


@pytest.mark.parametrize("entry", of(*SEVERITY), ids=str)
def test_the_same_recording_without_the_violation_is_not(entry: Entry) -> None:
    assert entry.by not in [each.id for each in result(made(entry, guilty=False)).findings]


@pytest.mark.parametrize("entry", of(*BLOCKING), ids=str)
def test_what_blocks_leaves_no_verdict_and_no_winner_in_words(entry: Entry) -> None:
    recording = made(entry, guilty=True)
    assert {each.verdict for each in result(recording).comparisons} <= {"inconclusive", "not-measured"}
    for text in texts(recording):
        assert "No verdict on" in text or "Not measured:" in text
        assert WINNER.findall(text) == []
        assert "times that of" not in text
        assert "holds the true change" not in text


@pytest.mark.parametrize("entry", of(*BLOCKING), ids=str)
def test_without_the_violation_the_same_recording_names_one(entry: Entry) -> None:
    recording = made(entry, guilty=False)
    assert [each.verdict for each in result(recording).comparisons] == ["better"]
    for text in texts(recording):
        assert WINNER.search(text)


@pytest.mark.parametrize("entry", of(Enforced.FORBIDS), ids=str)
def test_the_reason_stands_beside_what_was_seen(entry: Entry) -> None:
    recording = made(entry, guilty=True)
    (finding,) = [each for each in result(recording).findings if each.id == entry.by]
    (comparison,) = result(recording).comparisons
    if comparison.verdict == "inconclusive":
        assert comparison.because == finding.says
    reported = str(finding.evidence.get(REPORTED, ""))
    words = titled(" ".join(finding.says.rstrip(".").split()[1:]), recording)
    words = words.replace(titled(reported, recording), reported)
    assert all(words in " ".join(text.split()) for text in (page_one(recording), texts(recording)[1]))


@pytest.mark.parametrize("entry", of(Enforced.VERDICT), ids=str)
def test_the_verdict_s_own_rule_says_why(entry: Entry) -> None:
    assert entry.by in result(made(entry, guilty=True)).comparisons[0].because


@pytest.mark.parametrize("entry", of(Enforced.EXCLUDES), ids=str)
def test_the_session_strikes_the_runs_and_says_why(entry: Entry) -> None:
    runs = made(entry, guilty=True).runs
    struck = [each.run for each in runs if each.run.status == "invalid"]
    assert len(struck) >= len(runs) / 2
    assert all(each.reasons[0].startswith(f"{entry.by}: ") for each in struck)


@pytest.mark.parametrize("entry", of(Enforced.SHOWN), ids=str)
def test_what_is_always_shown_stands_in_the_report(entry: Entry) -> None:
    assert re.search(entry.by, texts(made(entry, guilty=True))[0])


@pytest.mark.parametrize("entry", of(Enforced.REFUSED), ids=str)
def test_what_is_refused_is_refused_before_anything_runs(entry: Entry) -> None:
    load = Load("batch", {"kernel": ("fft", "triad")}, {})
    place, metrics = Place("workload.toml"), {OPERATIONS.name: OPERATIONS}
    right = {"overall": {"of": OPERATIONS.name, "by": "geometric-mean"}}
    wrong = {"overall": {"of": OPERATIONS.name, "by": "mean"}}
    assert read_summaries(right, load, metrics=metrics, place=place)
    with pytest.raises(WordsError) as raised:
        read_summaries(wrong, load, metrics=metrics, place=place)
    assert entry.by in raised.value.what


def test_a_ratio_and_its_inverse_are_told_as_what_they_are_and_no_percent_of_percents() -> None:
    up, down = (result(each()).comparisons[0].ratio for each in (seeding.page, seeds.halved))
    assert up is not None
    assert down is not None
    assert up.value * down.value == pytest.approx(1)


def rows() -> dict[int, tuple[str, str]]:
    """Return the page's table: from a rule's number to how it is enforced, and by what."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.read_text("utf-8").splitlines()]
    return {int(line[0]): (line[2], line[3]) for line in cells if line[0].isdigit()}


def test_the_page_says_of_every_rule_how_it_is_enforced_and_by_what() -> None:
    told = rows()
    assert sorted(told) == list(range(1, 31))
    for entry in CHECKLIST:
        how, by = told[entry.rule]
        assert entry.how in how, entry
        if entry.how in (*SEVERITY, Enforced.EXCLUDES):
            assert f"`{entry.by}`" in by, entry
        if entry.how is Enforced.NOT:
            assert len(by) > 40, f"rule {entry.rule} is not enforced, and the page does not say why"


def test_the_page_names_no_finding_that_nothing_makes() -> None:
    sources = [file.read_text("utf-8") for file in DOUBTS.rglob("*.py")]
    made_ids = {found for source in sources for found in re.findall(r'id="([a-z-]+)"', source)}
    made_ids |= {each.id for each in (*rules.OF_RUNS, *rules.OF_EXPERIMENTS)}
    named = {each for _, by in rows().values() for each in re.findall(r"`([a-z]+(?:-[a-z]+)*)`", by)}
    assert named <= made_ids
