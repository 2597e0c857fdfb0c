"""The report in a browser: nothing serious keeps anyone from reading it, nothing sticks out, is fetched or run."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.analyze.study import analyze
from headtohead.cli.commands.results.report import render
from headtohead.report.formats.html import render as render_html
from headtohead.report.study.study_page import study_page
from tests import hostile
from tests.browser.chromium import MISSING, Seen, look, opened_by, printed_pages
from tests.report import machines, pages, restless, rising
from tests.report.sample import ANALYSIS, RECORDING

pytestmark = [pytest.mark.real, pytest.mark.skipif(bool(MISSING), reason=MISSING)]

WIDTHS = (1280, 390)
VIEWS = ((1280, False), (390, True))
"""Each width and each color scheme once: no rule of the style sheet depends on both."""
RULES = 20
"""So many of axe-core's rules must have found something to look at, else it did not see the page."""
FAULTY = (
    '<!doctype html><html><head><title>x</title></head><body><img src="#"><p style="width:2000px">x</p></body></html>'
)


@pytest.fixture(scope="module")
def page() -> str:
    return pages.html(ANALYSIS, RECORDING)


@pytest.fixture(scope="module")
def tables() -> str:
    """Return a page with the sections of many kinds of studies: their tables alone matter, not their ids."""
    studies = (
        (ANALYSIS, RECORDING),
        machines.latency(),
        machines.bandwidth(),
        (rising.ANALYSIS, rising.RECORDING),
        machines.core_to_core(),
    )
    every = [study_page(analysis, recording, pictures=False) for analysis, recording in studies]
    sections = tuple(section for each in every for section in each.sections)
    return render_html(replace(every[0], sections=sections))


@pytest.fixture(scope="module", params=VIEWS, ids=str)
def seen(request: pytest.FixtureRequest, page: str, tmp_path_factory: pytest.TempPathFactory) -> Seen:
    width, dark = request.param
    found = look(page, tmp_path_factory.mktemp("page"), width=width, dark=dark)
    assert (found.width, found.dark) == (width, dark)
    return found


def test_axe_finds_no_serious_fault(seen: Seen) -> None:
    assert seen.rules > RULES
    assert seen.serious == []


def test_nothing_sticks_out_to_the_right(seen: Seen) -> None:
    assert seen.reach <= seen.width
    assert seen.reach_opened <= seen.width


@pytest.mark.parametrize("width", WIDTHS)
def test_no_table_is_cut_off_and_on_a_narrow_screen_the_deciding_column_is_second(
    tables: str, tmp_path: Path, width: int
) -> None:
    found = look(tables, tmp_path, width=width, dark=False, rules=False)
    assert found.width == width
    assert found.cut == ()
    assert found.reach_opened <= width
    if width < 640:
        assert len(found.second) > 10
        assert all(found.second)


def test_a_table_that_is_cut_off_is_seen_to_be(page: str, tmp_path: Path) -> None:
    wide = page.replace("<td", '<td style="min-width: 900px"', 3)
    assert look(wide, tmp_path, width=1280, dark=False, rules=False).cut != ()


SCREEN = 900
"""The height of a window in px; the width is 1280."""
MOST_WORDS, MOST_SCREENS, MOST_PRINTED = 1350, 8, 12
MOST_WORDS_RESTLESS = {False: 1450, True: 1700}
"""Of a restless first study: as one was recorded, and with every doubt that can come together."""


@pytest.fixture(scope="module")
def first() -> str:
    """Return the report of a study with the three questions of studies/first.toml."""
    experiments = ANALYSIS.experiments[:3]
    names = {each.name for each in experiments}
    plan = replace(RECORDING.plan, experiments=RECORDING.plan.experiments[:3])
    runs = tuple(each for each in RECORDING.runs if each.run.experiment in names)
    return pages.html(replace(ANALYSIS, experiments=experiments), replace(RECORDING, plan=plan, runs=runs))


def test_the_first_study_is_read_on_few_screens_and_begins_with_a_chart(first: str, tmp_path: Path) -> None:
    found = look(first, tmp_path, width=1280, dark=False, rules=False)
    assert 300 < found.words <= MOST_WORDS
    assert SCREEN < found.height <= MOST_SCREENS * SCREEN
    assert 0 < found.first_chart <= SCREEN


@pytest.mark.parametrize("worst", MOST_WORDS_RESTLESS)
def test_a_restless_first_study_says_nothing_twice(worst: bool, tmp_path: Path) -> None:
    recording = restless.recorded(worst=worst)
    found = look(pages.html(analyze(recording), recording), tmp_path, width=1280, dark=False, rules=False)
    assert found.words <= MOST_WORDS_RESTLESS[worst], found.words
    assert found.height <= MOST_SCREENS * SCREEN
    assert found.cut == ()


def test_a_study_of_many_questions_is_read_on_25_screens(tmp_path: Path) -> None:
    many = html_of_many(questions=24)
    assert look(many, tmp_path, width=1280, dark=False, rules=False).height <= 25 * SCREEN


def html_of_many(*, questions: int) -> str:
    """Return the report of a study of this many questions: those of the sample again and again."""
    rounds = [str(number) for number in range(questions // len(ANALYSIS.experiments))]
    experiments = [replace(each, name=f"{each.name}-{n}") for n in rounds for each in ANALYSIS.experiments]
    planned = [replace(each, name=f"{each.name}-{n}") for n in rounds for each in RECORDING.plan.experiments]
    runs = [
        replace(each, run=replace(each.run, experiment=f"{each.run.experiment}-{n}"))
        for n in rounds
        for each in RECORDING.runs
    ]
    plan = replace(RECORDING.plan, experiments=tuple(planned))
    analysis = replace(ANALYSIS, experiments=tuple(experiments))
    return pages.html(analysis, replace(RECORDING, plan=plan, runs=tuple(runs)))


def test_a_number_that_is_too_long_for_its_column_is_broken_on_a_narrow_screen(page: str, tmp_path: Path) -> None:
    wide = re.sub(r'(<td class="number[^>]*>)[^<]+', r"\g<1>12,345,678,901,234", page)
    assert wide != page
    assert look(wide, tmp_path, width=390, dark=False, rules=False).cut == ()


def test_the_first_study_prints_on_few_pages(first: str, tmp_path: Path) -> None:
    assert 1 < printed_pages(first, tmp_path) <= MOST_PRINTED


def test_folded_parts_share_lines_on_paper(first: str, tmp_path: Path) -> None:
    paper = first.replace("@media print {", "@media all {")
    apart = paper.replace("display: inline-block; border: 0;", "")
    assert first != paper != apart
    heights = [look(each, tmp_path, width=1280, dark=False, rules=False).height for each in (paper, apart)]
    assert heights[0] + 200 < heights[1]


def test_a_link_opens_what_is_folded(first: str, tmp_path: Path) -> None:
    assert opened_by(first, tmp_path, "experiment-1") == 0
    assert opened_by(first, tmp_path, "experiment-1-configuration") >= 1
    assert opened_by(first, tmp_path, "method") == 1


def test_nothing_is_fetched_and_nothing_is_said_on_the_console(seen: Seen) -> None:
    assert seen.fetched == ()
    assert seen.refused == ()
    assert seen.errors == ()
    assert seen.console == ()


@pytest.mark.filterwarnings("ignore")  # of matplotlib, about letters that its fonts lack
def test_a_page_of_spoiled_texts_runs_none_of_them(tmp_path: Path) -> None:
    root = hostile.whole(tmp_path / "spoiled")
    hostile.spoil(root, hostile.every_word)
    render(root)

    found = look((root / "report.html").read_text(), tmp_path, width=390, dark=False, rules=False)

    assert found.alerts == 0
    assert (found.fetched, found.refused, found.errors, found.console) == ((), (), (), ())
    assert found.reach_opened <= found.width


def test_a_page_with_faults_is_seen_to_have_them(tmp_path: Path) -> None:
    found = look(FAULTY, tmp_path, width=390, dark=False)

    assert {"image-alt", "html-has-lang"} <= {each.rule for each in found.serious}
    assert found.reach > found.width


def test_the_policy_keeps_a_script_that_got_in_from_running(page: str, tmp_path: Path) -> None:
    found = look(
        page.replace("<main>", "<main><script>alert(1)</script><img src='x.png' alt=''>"),
        tmp_path,
        width=390,
        dark=False,
        rules=False,
    )

    assert found.alerts == 0
    assert any(each.startswith("script-src") for each in found.refused)
    assert any(each.startswith("img-src") for each in found.refused)
