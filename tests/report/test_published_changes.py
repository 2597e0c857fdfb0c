"""What articles printed of a factor, and on their cards, next to what was measured."""

from dataclasses import replace

import pytest

from headtohead.analyze.study import analyze
from headtohead.describe.external.published import read_published
from headtohead.describe.home import find_home
from headtohead.model.analysis.results import Analysis
from headtohead.model.external.published import Computed, Gain, PrintedCard, PrintedFact, Published
from headtohead.model.plan import Comparison
from headtohead.model.record import Recording
from headtohead.report.experiment.values.cells import NOTHING
from tests.analyze.building import ALPHA, plan, recording
from tests.analyze.sweeps import engine, sweeping, walked
from tests.report import pages

ONE, TWO = engine("postgresql", 1, varies=True), engine("postgresql", 2, varies=True)
RATES = {ONE.label: [100.0 * each for each in range(1, 8)], TWO.label: [150.0 * each for each in range(1, 8)]}
TITLE = "Databases as in 2005"
GAIN = Gain("forum-read", "cpus", "mysql", ("Dual vs Single",), ("two to four",))


def computed(level: str, value: float, comparison: str = "Dual vs Single") -> Computed:
    kind = "summary" if level == "AVG" else "connections"
    return Computed("a-2005", "mysql", comparison, kind, level, "percent_faster", value, "higher", "")


def fact(kind: str, subject: str, item: str, value: str, unit: str = "") -> PrintedFact:
    return PrintedFact("a-2005", kind, subject, item, value, unit, "")


PRINTED = Published(
    {"a-2005": "A magazine, 2005"},
    (),
    (),
    computed=(computed("1", 8), computed("50", -51), computed("AVG", 57), computed("AVG", 13, "AMD vs Intel")),
    facts=(
        fact("stated-percent", "two to four", "percent_faster", "20 to 30", "percent"),
        fact("card", "mysql", "typical_error_between_runs", "3-5", "percent"),
        fact("card", "mysql", "operating_system", "Linux 2.6.5"),
        fact("price", "Opteron 248", "cpu_price", "455", "USD"),
    ),
    gains=(GAIN,),
    cards=(PrintedCard("forum-read", "a-2005", "mysql"),),
    articles={"a-2005": (TITLE,)},
)


def measured(published: Published | None = PRINTED, *, title: str = TITLE) -> tuple[Analysis, Recording]:
    pair = Comparison("cpus", ONE.label, TWO.label, {"subject": "postgresql"}, ALPHA)
    of = sweeping(ONE, TWO, workload="forum-read", compare="cpus", comparisons=(pair,))
    made = recording(walked(of, RATES), of=replace(plan(of), title=title))
    return analyze(made, None, published), made


def test_printed_percentages_are_next_to_the_ratios_at_the_same_levels() -> None:
    (changes,) = measured()[0].experiments[0].changes_then
    assert (changes.factor, changes.level_kind, changes.levels) == ("cpus", "connections", ("1", "50", ""))
    assert [(each.of, each.values) for each in changes.printed] == [
        ("mysql: Dual vs Single", ("+8 %", "-51 %", "+57 %")),
        ("two to four", (None, None, "20 to 30 %")),
    ]
    (now,) = changes.now
    assert (now.baseline, now.other) == (ONE.label, TWO.label)
    assert [each and each.value for each in now.ratios] == pytest.approx([1.5, 1.5, 1.5], rel=0.01)
    assert all(each and each.interval for each in now.ratios)


@pytest.mark.parametrize(
    "gain",
    [
        replace(GAIN, workload="rsa"),
        replace(GAIN, factor="smt"),
        replace(GAIN, where={"engine": "MyISAM"}),
    ],
)
def test_nothing_is_next_to_another_workload_factor_or_level(gain: Gain) -> None:
    assert measured(replace(PRINTED, gains=(gain,)))[0].experiments[0].changes_then == ()


def test_the_report_has_gains_and_card_then_and_now() -> None:
    found = pages.section(*measured())
    table = pages.table(found, "Percentages as printed, and those measured here")
    assert table.columns == ("1 connections", "50 connections", "summary")
    then, now = table.groups
    assert [[cell.text for cell in row.cells] for row in then.rows] == [
        ["+8 %", "-51 %", "+57 %"],
        [NOTHING.text, NOTHING.text, "20 to 30 %"],
    ]
    assert [row.head for row in now.rows] == [f"{TWO.label} against {ONE.label}"]
    card = pages.table(found, "The article's card, and the same lines measured here")
    assert card.columns == ("then: mysql", ONE.label, TWO.label)
    assert [(row.head, row.cells[0].text) for row in card.groups[0].rows] == [
        ("typical error between runs", "3-5 %"),
        ("operating system", "Linux 2.6.5"),
    ]


def test_a_study_that_repeats_an_article_has_all_else_that_it_printed() -> None:
    for text in (pages.html(*measured()), pages.markdown(*measured())):
        assert "What the article printed besides: A magazine, 2005" in text
        assert "AMD vs Intel" in text
        assert "455 USD" in text


def test_other_studies_have_no_such_section_and_their_analysis_no_such_fields() -> None:
    analysis, made = measured(title="Another study")
    assert analysis.article is None
    assert "printed besides" not in pages.html(analysis, made)
    assert measured(None)[0].experiments[0].cards_then == ()


def test_our_own_percentages_for_two_processors_are_those_of_the_article() -> None:
    published = read_published(find_home())
    analysis, _ = measured(published, title="Database servers as in June 2005")
    (changes,) = analysis.experiments[0].changes_then
    rows = {each.of: each.values for each in changes.printed}
    assert rows["db2: Dual vs Single Xeon Irwindale"][-1] == "+95 %"
    assert analysis.article is not None
    assert any(each.kind == "price" for each in analysis.article.facts)
