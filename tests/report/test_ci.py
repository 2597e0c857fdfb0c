"""Verdicts for continuous integration: JUnit, and a summary for a pull request."""

from dataclasses import replace
from xml.etree import ElementTree as Xml

import pytest

from headtohead.model.analysis.comparison import Verdict
from headtohead.report.formats.continuous_integration import junit, pull_request
from tests.report.sample import ANALYSIS

FIRST = ANALYSIS.experiments[0]


def with_verdict(verdict: Verdict, *, label: str = "") -> str:
    only = replace(FIRST.comparisons[0], verdict=verdict)
    only = replace(only, other=label) if label else only
    return junit(replace(ANALYSIS, experiments=(replace(FIRST, comparisons=(only,)),)))


@pytest.mark.parametrize(
    ("verdict", "kind"),
    [("worse", "failure"), ("not-measured", "error"), ("inconclusive", "skipped"), ("better", None), ("same", None)],
)
def test_a_comparison_is_a_test_case_that_fails_if_it_is_worse(verdict: Verdict, kind: str | None) -> None:
    suite = Xml.fromstring(with_verdict(verdict))[0]
    (case,) = suite

    assert case.get("name") == f"{FIRST.comparisons[0].other} against {FIRST.comparisons[0].baseline}"
    assert [each.tag for each in case] == ([kind] if kind else []) + ["system-out"]
    counts = {name: suite.get(name) for name in ("failures", "errors", "skipped")}
    expected = {"failure": "failures", "error": "errors", "skipped": "skipped"}.get(kind or "")
    assert {name for name, count in counts.items() if count == "1"} == ({expected} if expected else set())


def test_names_that_are_markup_stay_text() -> None:
    evil = '<b>"&]]>'
    assert Xml.fromstring(with_verdict("worse", label=evil))[0][0].get("name", "").startswith(evil)
    only = replace(FIRST.comparisons[0], other="a|<img>\n`x`")
    text = pull_request(replace(ANALYSIS, experiments=(replace(FIRST, comparisons=(only,)),)))
    assert "a\\|\\<img\\> \\`x\\`" in text


def test_the_summary_has_a_row_for_each_comparison_and_says_if_it_is_not_finished() -> None:
    text = pull_request(replace(ANALYSIS, complete=False))
    rows = [line for line in text.splitlines() if " against " in line]

    assert len(rows) == sum(len(each.comparisons) for each in ANALYSIS.experiments)
    assert "not finished" in text
    assert "not finished" not in pull_request(replace(ANALYSIS, complete=True))
