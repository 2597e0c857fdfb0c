"""`--given FILE`: results that others report, beside those measured here."""

from pathlib import Path

import pytest

from headtohead.cli.commands.results.report import render
from headtohead.cli.folders.external_results import given_results
from headtohead.describe.external.reported import read_given
from headtohead.describe.home import find_home
from headtohead.model.errors import RecordError, WordsError
from headtohead.model.external.reported import Given
from headtohead.report.experiment.external.reported_figures import GIVEN
from tests.cli.test_reference import folder
from tests.report import pages

pytestmark = pytest.mark.usefixtures("charts_drawn_once")

SCORE = Given(
    "kernel-sweep", "SPECfp_rate_base2006", "Server <X>", 1234.5, "score", "its maker", "2008-03", "16 copies"
)
TEXT = """\
format = 1

[[given]]
workload = "kernel-sweep"
test     = "SPECfp_rate_base2006"
system   = "Server <X>"
value    = 1234.5
unit     = "score"
who      = "its maker"
when     = "2008-03"
note     = "16 copies"

[[given]]
workload = "program-sweep"
test     = "SPECint_rate_base2006"
system   = "Server <X>"
value    = 70
unit     = "score"
who      = "its maker"
when     = "2008"
"""


@pytest.fixture
def named(tmp_path: Path) -> Path:
    """Return a file with a result of this study's workload, and one of another's."""
    path = tmp_path / "mine.toml"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_a_given_result_stands_in_the_section_of_its_workload_and_in_no_estimate(tmp_path: Path, named: Path) -> None:
    results = folder(tmp_path / "2026-11-22-kernels")
    before = render(results)[1]
    recording, analysis = render(results, None, named)
    assert analysis == before, "nothing is concluded from it"
    section = pages.section(analysis, recording)
    (title,) = [each for each in pages.titles(section) if each.startswith("Given")]
    (row,) = pages.table(section, title).groups[0].rows
    assert title == "Given by others: SPECfp_rate_base2006"
    assert (row.head, row.mark, row.cells[0].text) == ("Server <X>", GIVEN, "1,234.5")
    assert [each.text for each in row.cells[1:]] == ["its maker", "2008-03", "16 copies"]


def test_it_is_escaped_and_hatched_in_the_article_and_kept_with_the_results(tmp_path: Path, named: Path) -> None:
    results = folder(tmp_path / "2026-11-22-kernels")
    render(results, None, named)
    named.unlink()
    render(results)
    html = (results / "report.html").read_text(encoding="utf-8")
    assert '<tr class="given"><th scope="row">Server &lt;X&gt;</th>' in html
    assert "SPECint_rate_base2006" not in html, "no experiment here is of its kind"
    assert "Not measured here" in (results / "report.md").read_text(encoding="utf-8")


def test_a_file_that_is_named_is_read_whole(named: Path) -> None:
    assert read_given(named, home=find_home())[0] == SCORE


@pytest.mark.parametrize(
    ("spoiled", "said"),
    [
        (TEXT.replace("program-sweep", "program-swep"), 'unknown workload "program-swep"'),
        (TEXT.replace('"2008-03"', '"March"'), "when"),
        (TEXT.replace("value    = 70\n", ""), "value"),
        (TEXT.replace("70", "nan"), "nan is not a number"),
        ("format = 1\ngiven = []\n", "given"),
    ],
)
def test_a_wrong_file_is_refused_before_anything_is_written(
    tmp_path: Path, named: Path, spoiled: str, said: str
) -> None:
    results = folder(tmp_path / "2026-11-22-kernels")
    named.write_text(spoiled, encoding="utf-8")
    with pytest.raises(WordsError, match=said):
        given_results(named, results)
    assert not (results / "given.toml").exists()


def test_a_results_folder_of_another_version_may_name_a_workload_that_is_none_here(tmp_path: Path) -> None:
    results = folder(tmp_path / "2026-11-22-kernels")
    (results / "given.toml").write_text(TEXT.replace("program-sweep", "of-tomorrow"), encoding="utf-8")
    assert [each.workload for each in given_results(None, results)] == ["kernel-sweep", "of-tomorrow"]


def test_a_link_in_a_results_folder_is_not_followed(tmp_path: Path, named: Path) -> None:
    results = folder(tmp_path / "2026-11-22-kernels")
    (results / "given.toml").symlink_to(named)
    with pytest.raises(RecordError):
        given_results(None, results)
