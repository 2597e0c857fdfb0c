"""Clean studies of every kind raise nothing that forbids a verdict, and get one."""

from collections.abc import Callable

import pytest

from headtohead.analyze.study import analyze
from headtohead.model.finding import Severity
from headtohead.model.record import Recording
from tests.analyze.clean import STUDIES, itself
from tests.report import pages


def test_there_are_ten_kinds_and_more() -> None:
    assert len(STUDIES) >= 10


@pytest.mark.parametrize("study", STUDIES, ids=lambda each: each.__name__)
def test_a_clean_study_raises_no_block(study: Callable[[], Recording]) -> None:
    recording = study()
    analysis = analyze(recording)
    (result,) = analysis.experiments
    assert [each.id for each in result.findings if each.severity is Severity.INVALID] == []
    wanted = ("same",) if study is itself else ("better", "worse")
    assert [each.verdict in wanted for each in result.comparisons] == [True]
    assert "No verdict" not in pages.markdown(analysis, recording)
