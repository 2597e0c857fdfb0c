"""Markdown and the terminal: reviewed as snapshots."""

from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from headtohead.model.errors import SubjectError
from headtohead.model.finding import Finding, Severity
from headtohead.report.context import StudyContext
from headtohead.report.study.page_one.answer_with_badge import answer_of
from headtohead.report.study.page_one.card.card_lines import card_lines
from headtohead.report.terminal import summary
from headtohead.report.terminal.host import render_facts
from headtohead.report.terminal.lists_and_errors import Listed, render_error, render_list
from headtohead.report.terminal.plan import Forecast, render_plan
from tests.report import pages
from tests.report.facts import FACTS
from tests.report.plans import PLAN
from tests.report.sample import ANALYSIS, RECORDING
from tests.report.test_html import read

NARROW, LINES = 60, 40


def test_markdown_is_as_reviewed(snapshot: SnapshotAssertion) -> None:
    assert pages.markdown(ANALYSIS, RECORDING) == snapshot


def test_markdown_leaves_no_markup_alive_in_a_name() -> None:
    text = pages.markdown(replace(ANALYSIS, title="<script>a|b</script> *x*"), RECORDING)
    assert text.startswith("# \\<script\\>a\\|b\\</script\\> \\*x\\*\n")


def test_every_row_of_a_markdown_table_has_the_columns_of_its_head() -> None:
    text = pages.markdown(ANALYSIS, RECORDING)
    for block in text.split("\n\n"):
        rows = [line for line in block.splitlines() if line.startswith("|")]
        assert len({row.replace("\\|", "").count("|") for row in rows}) <= 1


def test_the_terminal_is_as_reviewed(snapshot: SnapshotAssertion) -> None:
    assert summary.render(ANALYSIS, RECORDING) == snapshot


def test_the_terminal_keeps_to_its_width_and_to_plain_text() -> None:
    text = summary.render(ANALYSIS, RECORDING, width=NARROW)
    assert max(map(len, text.splitlines())) <= NARROW
    assert "\x1b" not in text


def test_the_first_study_fits_a_terminal_of_forty_lines() -> None:
    experiments = ANALYSIS.experiments[:3]
    text = summary.render(replace(ANALYSIS, experiments=experiments), RECORDING)
    assert len(text.splitlines()) <= LINES
    assert [text.index(each.question) for each in experiments] == sorted(text.index(e.question) for e in experiments)


@pytest.mark.parametrize("form", ["html", "markdown", "terminal"])
def test_each_form_has_the_same_answers_in_the_same_order(form: str) -> None:
    forms = {
        "html": lambda: "".join(read(pages.html(ANALYSIS, RECORDING)).text),
        "markdown": lambda: pages.markdown(ANALYSIS, RECORDING),
        "terminal": lambda: summary.render(ANALYSIS, RECORDING),
    }
    text, place = " ".join(forms[form]().split()), 0
    for each in StudyContext(ANALYSIS, RECORDING).experiments:
        plain = each.in_words()
        own, lines = answer_of(plain), dict(card_lines(plain))
        for part in (own.question, *(verdict.sentence for verdict in own.verdicts), lines["Why"], lines["How sure"]):
            place = text.index(part, place) + len(part)


def test_color_is_used_where_it_is_asked_for() -> None:
    assert "\x1b[" in summary.render(ANALYSIS, RECORDING, color=True)


def test_a_plan_is_as_reviewed(snapshot: SnapshotAssertion) -> None:
    forecast = Forecast(431.0, 702.0, {"static-page": 1.048, "rsa": 1.021})
    assert render_plan(PLAN, forecast) == snapshot


def test_host_facts_are_as_reviewed(snapshot: SnapshotAssertion) -> None:
    finding = Finding("steal", Severity.DOUBT, "the hypervisor gave 3 % to others", "Use a machine of your own.")
    assert render_facts(FACTS, [finding]) == snapshot


def test_an_error_names_thing_cause_and_remedy_on_three_lines(snapshot: SnapshotAssertion) -> None:
    error = SubjectError(
        "nginx did not become ready",
        why="GET /article.html gave 503 for 10 s",
        remedy="See runs/0007/logs, or raise start.within_s in subject.toml.",
    )
    text = render_error(error)
    assert len(text.splitlines()) == 3
    assert text == snapshot


def test_a_list_is_as_reviewed(snapshot: SnapshotAssertion) -> None:
    kinds = {
        "Subjects": [Listed("nginx", "nginx", ("nginx-light",)), Listed("noop", "The least server")],
        "Studies": [Listed("first", "A first look at this machine", ("nginx-light",))],
    }
    assert render_list(kinds) == snapshot
